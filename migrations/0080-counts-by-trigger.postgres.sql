-- The rows of profile_count, comment_count and outcome_count follow the rows that they count, whoever inserts or deletes
-- these. Later changes of a follow or a comment (shown, state, status) are counted by the statements that make them.
-- Locks are taken in the order that src/communities/store.ts states.

create function create_profile_count() returns trigger language plpgsql as $$
begin
  insert into profile_count (profile_id) values (new.id);
  return null;
end $$;
create trigger profile_counted after insert on profile for each row execute function create_profile_count();

-- Locks both rows in the order of ids: two profiles that follow each other at the same time would otherwise deadlock.
create function count_follow() returns trigger language plpgsql as $$
declare
  change integer := case tg_op when 'INSERT' then 1 else -1 end;
  follower bigint := coalesce(new.follower_id, old.follower_id);
  followee bigint := coalesce(new.followee_id, old.followee_id);
begin
  with locked as (select profile_id as id from profile_count where profile_id in (follower, followee)
    order by profile_id for no key update)
  update profile_count set
    num_followings = num_followings + case when profile_id = follower then change else 0 end,
    num_followers = num_followers + case when profile_id = followee then change else 0 end
  from locked where profile_id = locked.id;
  return null;
end $$;
create trigger follow_counted after insert on follow
  for each row when (new.shown = 1) execute function count_follow();
create trigger follow_uncounted after delete on follow
  for each row when (old.shown = 1) execute function count_follow();

-- A comment is inserted while its author is active (createTip).
create function count_comment() returns trigger language plpgsql as $$
begin
  insert into comment_count (comment_id, author_id, outcome_id, sport_id, listed)
  values (new.id, new.author_id, new.outcome_id, new.sport_id, new.listed);
  if new.listed = 'A' then
    update profile_count set num_live = num_live + 1 where profile_id = new.author_id;
    insert into outcome_count (outcome_id, num_live) values (new.outcome_id, 1)
    on conflict (outcome_id) do update set num_live = outcome_count.num_live + 1
    where outcome_count.settled = 0;
  end if;
  return null;
end $$;
create trigger comment_counted after insert on comment for each row execute function count_comment();

-- A comment is liked and unliked while its author is active (insertLike, deleteLike).
create function count_like() returns trigger language plpgsql as $$
declare
  change integer := case tg_op when 'INSERT' then 1 else -1 end;
  liked record;
begin
  update comment_count set likes = likes + change where comment_id = coalesce(new.comment_id, old.comment_id)
  returning outcome_id, listed into liked;
  if liked.listed = 'A' then
    update outcome_count set likes = likes + change where outcome_id = liked.outcome_id and settled = 0;
  end if;
  return null;
end $$;
create trigger like_counted after insert on comment_like for each row execute function count_like();
create trigger like_uncounted after delete on comment_like for each row execute function count_like();
