-- Tips are written in batches (src/platform/database/write-queue.ts). This trigger takes the place of that of migration 0091, as
-- those of migration 0114 did for likes and follows: it counts all rows of a statement at once, in the order of ids.

drop trigger comment_created on comment;
drop function comment_created();

-- A comment is inserted while its author is active (createTip).
create function comments_created() returns trigger language plpgsql as $$
declare
  single record;
  counted record;
begin
  select *, count(*) over () as rows into single from created limit 1;
  if single.rows = 1 then
    insert into comment_count (comment_id, author_id, outcome_id, sport_id, listed)
    values (single.id, single.author_id, single.outcome_id, single.sport_id, single.listed);
    if single.listed = 'A' then
      update profile_count set num_live = num_live + 1 where profile_id = single.author_id;
      insert into outcome_count (outcome_id, num_live) values (single.outcome_id, 1)
      on conflict (outcome_id) do update set num_live = outcome_count.num_live + 1
      where outcome_count.settled = 0;
    end if;
    insert into new_event (kind, subject_type, subject_id, profile_id, at, data)
    values ('tip.created', 'comment', single.id, single.author_id, single.created_at,
      '{"outcomeId":"' || single.outcome_id || '","sportId":"' || single.sport_id || '"}');
    return null;
  end if;
  insert into comment_count (comment_id, author_id, outcome_id, sport_id, listed)
  select id, author_id, outcome_id, sport_id, listed from created;
  for counted in select author_id as id, count(*) as tips from created where listed = 'A' group by author_id order by author_id loop
    update profile_count set num_live = num_live + counted.tips where profile_id = counted.id;
  end loop;
  for counted in select outcome_id as id, count(*) as tips from created where listed = 'A' group by outcome_id order by outcome_id loop
    insert into outcome_count (outcome_id, num_live) values (counted.id, counted.tips)
    on conflict (outcome_id) do update set num_live = outcome_count.num_live + counted.tips
    where outcome_count.settled = 0;
  end loop;
  insert into new_event (kind, subject_type, subject_id, profile_id, at, data)
  select 'tip.created', 'comment', id, author_id, created_at,
    '{"outcomeId":"' || outcome_id || '","sportId":"' || sport_id || '"}'
  from created;
  return null;
end $$;
create trigger comments_created after insert on comment referencing new table as created
  for each statement execute function comments_created();
