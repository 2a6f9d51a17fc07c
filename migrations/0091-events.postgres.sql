-- The log of events (src/events): one row for each change that others may want to hear of, written in the transaction of
-- the change. Rows that are inserted or deleted are reported by triggers, later changes of them by the statements that
-- make them. They go to new_event; the sequencer (src/events/sequencer.ts) moves those that are committed to event_log and
-- gives them positions, because the order of identities is not the order of commits.

-- Without an index: the sequencer takes all rows that it sees. Vacuumed often, because rows stay for a moment only.
create table new_event (
  id bigint generated always as identity,
  kind text not null,
  subject_type text not null,
  subject_id text not null,
  -- The profile or the customer that the event concerns.
  profile_id bigint,
  customer_id bigint,
  at bigint not null,
  data text not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_analyze_threshold = 1000000000);

create table event_log (
  position bigint primary key,
  kind text not null,
  subject_type text not null,
  subject_id text not null,
  profile_id bigint,
  customer_id bigint,
  at bigint not null,
  data text not null
);
create index event_log_customer on event_log (customer_id, position) where customer_id is not null;

create table event_sequence (
  id integer primary key check (id = 1),
  last_position bigint not null
);
insert into event_sequence (id, last_position) values (1, 0);

-- Milliseconds since 1970. Deleted rows carry no time of their own.
create function now_in_milliseconds() returns bigint language sql volatile as
  $$ select cast(extract(epoch from clock_timestamp()) * 1000 as bigint) $$;

-- These take the place of the triggers of migration 0080: one function that counts and reports costs a write half of what
-- two cost.

drop trigger profile_counted on profile;
drop trigger follow_counted on follow;
drop trigger follow_uncounted on follow;
drop trigger comment_counted on comment;
drop trigger like_counted on comment_like;
drop trigger like_uncounted on comment_like;
drop function create_profile_count();
drop function count_follow();
drop function count_comment();
drop function count_like();

create function profile_created() returns trigger language plpgsql as $$
begin
  insert into profile_count (profile_id) values (new.id);
  insert into new_event (kind, subject_type, subject_id, profile_id, at, data)
  values ('profile.created', 'profile', new.id, new.id, new.created_at, '{}');
  return null;
end $$;
create trigger profile_created after insert on profile for each row execute function profile_created();

-- A hidden follow is not counted.
create function follow_changed() returns trigger language plpgsql as $$
declare
  change integer := case tg_op when 'INSERT' then 1 else -1 end;
  changed record := case tg_op when 'INSERT' then new else old end;
begin
  -- In the order of ids: two profiles that follow each other at the same time would otherwise deadlock.
  if changed.shown = 1 then
    with locked as (select profile_id as id from profile_count
      where profile_id in (changed.follower_id, changed.followee_id) order by profile_id for no key update)
    update profile_count set
      num_followings = num_followings + case when profile_id = changed.follower_id then change else 0 end,
      num_followers = num_followers + case when profile_id = changed.followee_id then change else 0 end
    from locked where profile_id = locked.id;
  end if;
  insert into new_event (kind, subject_type, subject_id, profile_id, at, data)
  values (case change when 1 then 'follow.created' else 'follow.ended' end, 'profile', changed.followee_id,
    changed.followee_id, case change when 1 then changed.created_at else now_in_milliseconds() end,
    '{"byProfileId":"' || changed.follower_id || '"}');
  return null;
end $$;
create trigger follow_changed after insert or delete on follow for each row execute function follow_changed();

-- A comment is inserted while its author is active (createTip).
create function comment_created() returns trigger language plpgsql as $$
begin
  insert into comment_count (comment_id, author_id, outcome_id, sport_id, listed)
  values (new.id, new.author_id, new.outcome_id, new.sport_id, new.listed);
  if new.listed = 'A' then
    update profile_count set num_live = num_live + 1 where profile_id = new.author_id;
    insert into outcome_count (outcome_id, num_live) values (new.outcome_id, 1)
    on conflict (outcome_id) do update set num_live = outcome_count.num_live + 1
    where outcome_count.settled = 0;
  end if;
  insert into new_event (kind, subject_type, subject_id, profile_id, at, data)
  values ('tip.created', 'comment', new.id, new.author_id, new.created_at,
    '{"outcomeId":"' || new.outcome_id || '","sportId":"' || new.sport_id || '"}');
  return null;
end $$;
create trigger comment_created after insert on comment for each row execute function comment_created();

-- A comment is liked and unliked while its author is active (insertLike, deleteLike).
create function like_changed() returns trigger language plpgsql as $$
declare
  change integer := case tg_op when 'INSERT' then 1 else -1 end;
  changed record := case tg_op when 'INSERT' then new else old end;
  liked record;
begin
  update comment_count set likes = likes + change where comment_id = changed.comment_id
  returning outcome_id, listed, author_id into liked;
  if liked.listed = 'A' then
    update outcome_count set likes = likes + change where outcome_id = liked.outcome_id and settled = 0;
  end if;
  insert into new_event (kind, subject_type, subject_id, profile_id, at, data)
  values (case change when 1 then 'like.created' else 'like.ended' end, 'comment', changed.comment_id, liked.author_id,
    case change when 1 then changed.created_at else now_in_milliseconds() end,
    '{"byProfileId":"' || changed.profile_id || '"}');
  return null;
end $$;
create trigger like_changed after insert or delete on comment_like for each row execute function like_changed();

create function report_tip_state() returns trigger language plpgsql as $$
begin
  insert into new_event (kind, subject_type, subject_id, profile_id, at, data)
  values (case new.state when 'live' then 'tip.restored' else 'tip.' || new.state end, 'comment', new.id, new.author_id,
    now_in_milliseconds(), '{"outcomeId":"' || new.outcome_id || '"}');
  return null;
end $$;
create trigger tip_state_changed after update of state on comment for each row when (new.state <> old.state)
  execute function report_tip_state();

create function report_flag() returns trigger language plpgsql as $$
begin
  insert into new_event (kind, subject_type, subject_id, profile_id, at, data)
  values ('flag.created', new.kind, new.subject_id,
    case new.kind when 'profile' then new.subject_id else (select author_id from comment where id = new.subject_id) end,
    new.created_at, '{"byProfileId":"' || new.profile_id || '"}');
  return null;
end $$;
create trigger flag_created after insert on flag for each row execute function report_flag();

create function report_decision() returns trigger language plpgsql as $$
begin
  insert into new_event (kind, subject_type, subject_id, profile_id, at, data)
  values ('decision.made', new.kind, new.subject_id,
    case new.kind when 'profile' then new.subject_id else (select author_id from comment where id = new.subject_id) end,
    new.at, '{"decisionId":"' || new.id || '","action":"' || new.action || '"}');
  return null;
end $$;
create trigger decision_made after insert on decision for each row execute function report_decision();

-- Other rows of deposit_event (a repeated job, a notification) change nothing that the sportsbook must hear of.
create function report_deposit() returns trigger language plpgsql as $$
begin
  insert into new_event (kind, subject_type, subject_id, customer_id, at, data)
  select case when new.event like 'review: %' then 'deposit.review' else 'deposit.' || new.event end,
    'deposit', d.id, d.customer_id, new.at,
    json_build_object('amount', cast(d.amount / 100.00 as numeric(20, 2)) :: text, 'currency', d.currency,
      'state', d.state, 'review', d.review)
  from deposit d where d.id = new.deposit_id;
  return null;
end $$;
create trigger deposit_changed after insert on deposit_event for each row
  when (new.event in ('authorised', 'captured', 'declined', 'voided', 'resolved') or new.event like 'review: %')
  execute function report_deposit();

create function report_customer() returns trigger language plpgsql as $$
declare
  is_erased boolean := tg_op = 'UPDATE' and new.erased_at is not null;
begin
  insert into new_event (kind, subject_type, subject_id, customer_id, at, data)
  values (case when is_erased then 'customer.erased' else 'customer.changed' end, 'customer', new.id, new.id,
    case when tg_op = 'INSERT' then new.created_at when is_erased then new.erased_at else now_in_milliseconds() end,
    case when is_erased then '{}'
      else '{"status":"' || new.status || '","verified":' || case new.verified when 1 then 'true' else 'false' end || '}'
    end);
  return null;
end $$;
create trigger customer_created after insert on customer for each row execute function report_customer();
create trigger customer_changed after update on customer for each row
  when ((new.erased_at is null and (old.username, old.status, old.verified, old.currency, old.daily_deposit_limit,
      old.funds_statement_version, old.erased_at)
    is distinct from (new.username, new.status, new.verified, new.currency, new.daily_deposit_limit,
      new.funds_statement_version, new.erased_at))
    or (old.erased_at is null and new.erased_at is not null))
  execute function report_customer();
