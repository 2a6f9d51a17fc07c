-- The log of events (src/events): one row for each change that others may want to hear of, written in the transaction of
-- the change. Rows that are inserted or deleted are reported by triggers, later changes of them by the statements that
-- make them. They go to new_event; the sequencer (src/events/sequencer.ts) moves those that are committed to event_log and
-- gives them positions, because the order of identities is not the order of commits.

create table new_event (
  id bigint generated always as identity primary key,
  kind text not null,
  subject_type text not null,
  subject_id text not null,
  -- The profile or the customer that the event concerns.
  profile_id bigint,
  customer_id bigint,
  at bigint not null,
  data text not null
);

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
create index event_log_profile on event_log (profile_id, position) where profile_id is not null;
create index event_log_customer on event_log (customer_id, position) where customer_id is not null;

create table event_sequence (
  id integer primary key check (id = 1),
  last_position bigint not null
);
insert into event_sequence (id, last_position) values (1, 0);

-- Milliseconds since 1970. Deleted rows carry no time of their own.
create function now_in_milliseconds() returns bigint language sql volatile as
  $$ select cast(extract(epoch from clock_timestamp()) * 1000 as bigint) $$;

create function report_profile() returns trigger language plpgsql as $$
begin
  insert into new_event (kind, subject_type, subject_id, profile_id, at, data)
  values ('profile.created', 'profile', new.id, new.id, new.created_at, '{}');
  return null;
end $$;
create trigger profile_created after insert on profile for each row execute function report_profile();

create function report_follow() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into new_event (kind, subject_type, subject_id, profile_id, at, data)
    values ('follow.created', 'profile', new.followee_id, new.followee_id, new.created_at,
      '{"byProfileId":"' || new.follower_id || '"}');
  else
    insert into new_event (kind, subject_type, subject_id, profile_id, at, data)
    values ('follow.ended', 'profile', old.followee_id, old.followee_id, now_in_milliseconds(),
      '{"byProfileId":"' || old.follower_id || '"}');
  end if;
  return null;
end $$;
create trigger follow_reported after insert or delete on follow for each row execute function report_follow();

create function report_tip() returns trigger language plpgsql as $$
begin
  insert into new_event (kind, subject_type, subject_id, profile_id, at, data)
  values ('tip.created', 'comment', new.id, new.author_id, new.created_at,
    '{"outcomeId":"' || new.outcome_id || '","sportId":"' || new.sport_id || '"}');
  return null;
end $$;
create trigger tip_created after insert on comment for each row execute function report_tip();

create function report_tip_state() returns trigger language plpgsql as $$
begin
  insert into new_event (kind, subject_type, subject_id, profile_id, at, data)
  values (case new.state when 'live' then 'tip.restored' else 'tip.' || new.state end, 'comment', new.id, new.author_id,
    now_in_milliseconds(), '{"outcomeId":"' || new.outcome_id || '"}');
  return null;
end $$;
create trigger tip_state_changed after update of state on comment for each row when (new.state <> old.state)
  execute function report_tip_state();

create function report_like() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into new_event (kind, subject_type, subject_id, profile_id, at, data)
    values ('like.created', 'comment', new.comment_id, (select author_id from comment where id = new.comment_id),
      new.created_at, '{"byProfileId":"' || new.profile_id || '"}');
  else
    insert into new_event (kind, subject_type, subject_id, profile_id, at, data)
    values ('like.ended', 'comment', old.comment_id, (select author_id from comment where id = old.comment_id),
      now_in_milliseconds(), '{"byProfileId":"' || old.profile_id || '"}');
  end if;
  return null;
end $$;
create trigger like_reported after insert or delete on comment_like for each row execute function report_like();

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
