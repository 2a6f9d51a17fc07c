-- Likes and follows are written in batches (src/platform/database/write-queue.ts). These triggers take the place of those of
-- migration 0091: they count all rows of a statement at once, so that what many like at the same time is locked and written once.
-- Counts change in the order of ids, as everywhere: batches would otherwise deadlock. A single row, the usual case, is counted as
-- before: the general way would cost a write a fifth more.

drop trigger like_changed on comment_like;
drop trigger follow_changed on follow;
drop function like_changed();
drop function follow_changed();

-- A comment is liked and unliked while its author is active (insertLike, deleteLike).
create function likes_changed() returns trigger language plpgsql as $$
declare
  change integer := case tg_op when 'INSERT' then 1 else -1 end;
  event text := case tg_op when 'INSERT' then 'like.created' else 'like.ended' end;
  single record;
  counted record;
begin
  select *, count(*) over () as rows into single from changed limit 1;
  if single.rows = 1 then
    update comment_count set likes = likes + change where comment_id = single.comment_id
    returning outcome_id, listed, author_id into counted;
    if counted.listed = 'A' then
      update outcome_count set likes = likes + change where outcome_id = counted.outcome_id and settled = 0;
    end if;
    insert into new_event (kind, subject_type, subject_id, profile_id, at, data)
    values (event, 'comment', single.comment_id, counted.author_id,
      case change when 1 then single.created_at else now_in_milliseconds() end,
      '{"byProfileId":"' || single.profile_id || '"}');
    return null;
  end if;
  for counted in select comment_id as id, count(*) as likes from changed group by comment_id order by comment_id loop
    update comment_count set likes = likes + change * counted.likes where comment_id = counted.id;
  end loop;
  for counted in
    select k.outcome_id as id, count(*) as likes from changed join comment_count k on k.comment_id = changed.comment_id
    where k.listed = 'A' group by k.outcome_id order by k.outcome_id
  loop
    update outcome_count set likes = likes + change * counted.likes where outcome_id = counted.id and settled = 0;
  end loop;
  insert into new_event (kind, subject_type, subject_id, profile_id, at, data)
  select event, 'comment', changed.comment_id, k.author_id,
    case change when 1 then changed.created_at else now_in_milliseconds() end,
    '{"byProfileId":"' || changed.profile_id || '"}'
  from changed join comment_count k on k.comment_id = changed.comment_id;
  return null;
end $$;
create trigger likes_created after insert on comment_like referencing new table as changed
  for each statement execute function likes_changed();
create trigger likes_ended after delete on comment_like referencing old table as changed
  for each statement execute function likes_changed();

-- A hidden follow is not counted.
create function follows_changed() returns trigger language plpgsql as $$
declare
  change integer := case tg_op when 'INSERT' then 1 else -1 end;
  event text := case tg_op when 'INSERT' then 'follow.created' else 'follow.ended' end;
  single record;
  counted record;
begin
  select *, count(*) over () as rows into single from changed limit 1;
  if single.rows = 1 then
    if single.shown = 1 then
      with locked as (select profile_id as id from profile_count
        where profile_id in (single.follower_id, single.followee_id) order by profile_id for no key update)
      update profile_count set
        num_followings = num_followings + case when profile_id = single.follower_id then change else 0 end,
        num_followers = num_followers + case when profile_id = single.followee_id then change else 0 end
      from locked where profile_id = locked.id;
    end if;
    insert into new_event (kind, subject_type, subject_id, profile_id, at, data)
    values (event, 'profile', single.followee_id, single.followee_id,
      case change when 1 then single.created_at else now_in_milliseconds() end,
      '{"byProfileId":"' || single.follower_id || '"}');
    return null;
  end if;
  for counted in
    select id, sum(is_follower) as followings, sum(1 - is_follower) as followers
    from (select follower_id as id, 1 as is_follower from changed where shown = 1
      union all select followee_id, 0 from changed where shown = 1) as side
    group by id order by id
  loop
    update profile_count set num_followings = num_followings + change * counted.followings,
      num_followers = num_followers + change * counted.followers
    where profile_id = counted.id;
  end loop;
  insert into new_event (kind, subject_type, subject_id, profile_id, at, data)
  select event, 'profile', followee_id, followee_id, case change when 1 then created_at else now_in_milliseconds() end,
    '{"byProfileId":"' || follower_id || '"}'
  from changed;
  return null;
end $$;
create trigger follows_created after insert on follow referencing new table as changed
  for each statement execute function follows_changed();
create trigger follows_ended after delete on follow referencing old table as changed
  for each statement execute function follows_changed();
