-- The log of events (src/events): one row for each change that others may want to hear of, written in the transaction of
-- the change. Rows that are inserted or deleted are reported by triggers, later changes of them by the statements that
-- make them. SQLite has one writer at a time, so that the key is dense and in the order of commits.

create table event_log (
  -- Not "autoincrement", which writes one more page: the newest row is never deleted, so that no position is used twice.
  position integer primary key,
  kind text not null,
  subject_type text not null,
  subject_id text not null,
  -- The profile or the customer that the event concerns.
  profile_id bigint,
  customer_id bigint,
  at bigint not null,
  data text not null
);
create index event_log_customer on event_log (customer_id, position) where customer_id is not null;

-- Statements write here on both engines; PostgreSQL has a table of this name.
create view new_event as select kind, subject_type, subject_id, profile_id, customer_id, at, data from event_log;
create trigger new_event_logged instead of insert on new_event
begin
  insert into event_log (kind, subject_type, subject_id, profile_id, customer_id, at, data)
  values (new.kind, new.subject_type, new.subject_id, new.profile_id, new.customer_id, new.at, new.data);
end;

create trigger profile_created after insert on profile
begin
  insert into event_log (kind, subject_type, subject_id, profile_id, at, data)
  values ('profile.created', 'profile', new.id, new.id, new.created_at, '{}');
end;

create trigger follow_created after insert on follow
begin
  insert into event_log (kind, subject_type, subject_id, profile_id, at, data)
  values ('follow.created', 'profile', new.followee_id, new.followee_id, new.created_at,
    '{"byProfileId":"' || new.follower_id || '"}');
end;
create trigger follow_ended after delete on follow
begin
  insert into event_log (kind, subject_type, subject_id, profile_id, at, data)
  values ('follow.ended', 'profile', old.followee_id, old.followee_id, cast(unixepoch('subsec') * 1000 as integer),
    '{"byProfileId":"' || old.follower_id || '"}');
end;

create trigger tip_created after insert on comment
begin
  insert into event_log (kind, subject_type, subject_id, profile_id, at, data)
  values ('tip.created', 'comment', new.id, new.author_id, new.created_at,
    '{"outcomeId":"' || new.outcome_id || '","sportId":"' || new.sport_id || '"}');
end;

create trigger tip_state_changed after update of state on comment when new.state <> old.state
begin
  insert into event_log (kind, subject_type, subject_id, profile_id, at, data)
  values (iif(new.state = 'live', 'tip.restored', 'tip.' || new.state), 'comment', new.id, new.author_id,
    cast(unixepoch('subsec') * 1000 as integer), '{"outcomeId":"' || new.outcome_id || '"}');
end;

create trigger like_created after insert on comment_like
begin
  insert into event_log (kind, subject_type, subject_id, profile_id, at, data)
  values ('like.created', 'comment', new.comment_id, (select author_id from comment_count where comment_id = new.comment_id),
    new.created_at, '{"byProfileId":"' || new.profile_id || '"}');
end;
create trigger like_ended after delete on comment_like
begin
  insert into event_log (kind, subject_type, subject_id, profile_id, at, data)
  values ('like.ended', 'comment', old.comment_id, (select author_id from comment_count where comment_id = old.comment_id),
    cast(unixepoch('subsec') * 1000 as integer), '{"byProfileId":"' || old.profile_id || '"}');
end;

create trigger flag_created after insert on flag
begin
  insert into event_log (kind, subject_type, subject_id, profile_id, at, data)
  values ('flag.created', new.kind, new.subject_id,
    case new.kind when 'profile' then new.subject_id else (select author_id from comment where id = new.subject_id) end,
    new.created_at, '{"byProfileId":"' || new.profile_id || '"}');
end;

create trigger decision_made after insert on decision
begin
  insert into event_log (kind, subject_type, subject_id, profile_id, at, data)
  values ('decision.made', new.kind, new.subject_id,
    case new.kind when 'profile' then new.subject_id else (select author_id from comment where id = new.subject_id) end,
    new.at, '{"decisionId":"' || new.id || '","action":"' || new.action || '"}');
end;

-- Other rows of deposit_event (a repeated job, a notification) change nothing that the sportsbook must hear of.
create trigger deposit_changed after insert on deposit_event
  when new.event in ('authorised', 'captured', 'declined', 'voided', 'resolved') or new.event like 'review: %'
begin
  insert into event_log (kind, subject_type, subject_id, customer_id, at, data)
  select case when new.event like 'review: %' then 'deposit.review' else 'deposit.' || new.event end,
    'deposit', d.id, d.customer_id, new.at,
    json_object('amount', format('%d.%02d', d.amount / 100, d.amount % 100), 'currency', d.currency, 'state', d.state,
      'review', d.review)
  from deposit d where d.id = new.deposit_id;
end;

create trigger customer_created after insert on customer
begin
  insert into event_log (kind, subject_type, subject_id, customer_id, at, data)
  values ('customer.changed', 'customer', new.id, new.id, new.created_at,
    '{"status":"' || new.status || '","verified":' || iif(new.verified = 1, 'true', 'false') || '}');
end;
create trigger customer_changed after update on customer
  when new.erased_at is null and (new.username is not old.username or new.status <> old.status
    or new.verified <> old.verified or new.currency <> old.currency
    or new.daily_deposit_limit is not old.daily_deposit_limit
    or new.funds_statement_version <> old.funds_statement_version or old.erased_at is not null)
begin
  insert into event_log (kind, subject_type, subject_id, customer_id, at, data)
  values ('customer.changed', 'customer', new.id, new.id, cast(unixepoch('subsec') * 1000 as integer),
    '{"status":"' || new.status || '","verified":' || iif(new.verified = 1, 'true', 'false') || '}');
end;
create trigger customer_erased after update of erased_at on customer
  when old.erased_at is null and new.erased_at is not null
begin
  insert into event_log (kind, subject_type, subject_id, customer_id, at, data)
  values ('customer.erased', 'customer', new.id, new.id, new.erased_at, '{}');
end;
