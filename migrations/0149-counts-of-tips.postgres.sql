-- Tips of one statement are counted with a statement for all authors and one for all outcomes, instead of one for each: PostgreSQL
-- parses the CHECK constraints of a table for each statement. Rows are locked in the order of ids, as before. Of the
-- processor time of PostgreSQL a tip in a batch of 8 takes 0.9 times what it did, of 32 0.8 times, and one alone 1.05 times.

-- A comment is inserted while its author is active (createTip).
create or replace function comments_created() returns trigger language plpgsql as $$
begin
  insert into comment_count (comment_id, author_id, outcome_id, sport_id, listed)
  select id, author_id, outcome_id, sport_id, listed from created;
  with counted as materialized (
    select author_id as id, count(*) as tips from created where listed = 'A' group by author_id),
  locked as materialized (
    select profile_id as id from profile_count where profile_id = any (array(select id from counted))
    order by profile_id for no key update)
  update profile_count set num_live = num_live + counted.tips
  from locked join counted on counted.id = locked.id where profile_count.profile_id = locked.id;
  insert into outcome_count (outcome_id, num_live)
  select outcome_id, count(*) from created where listed = 'A' group by outcome_id order by outcome_id
  on conflict (outcome_id) do update set num_live = outcome_count.num_live + excluded.num_live
  where outcome_count.settled = 0;
  insert into new_event (kind, subject_type, subject_id, profile_id, at, data)
  select 'tip.created', 'comment', id, author_id, created_at,
    '{"outcomeId":"' || outcome_id || '","sportId":"' || sport_id || '"}'
  from created;
  return null;
end $$;
