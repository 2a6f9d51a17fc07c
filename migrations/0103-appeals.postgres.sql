-- An author appeals against a decision that restricts, a reporter against one that rejected a flag (src/appeals). Withdrawn:
-- the personal data of whoever made it was erased before it was decided.
create table appeal (
  id {{identity}},
  decision_id bigint not null references decision (id),
  profile_id bigint not null references profile (id),
  party text not null check (party in ('author', 'reporter')),
  text text not null,
  made_at bigint not null,
  state text not null default 'open' check (state in ('open', 'upheld', 'overturned', 'withdrawn')),
  reply text not null default '',
  actor text,
  decided_at bigint,
  unique (decision_id, profile_id),
  check ((state in ('upheld', 'overturned')) = (decided_at is not null))
);
create index appeal_queue on appeal (made_at, id) where state = 'open';
create index appeal_by_time on appeal (made_at);
create index appeal_of_profile on appeal (profile_id, id);

-- The flags of a reporter that were decided, in the order of decisions.
create index flag_decided on flag (profile_id, decision_id desc) where decision_id is not null;

create function report_appeal() returns trigger language plpgsql as $$
begin
  insert into new_event (kind, subject_type, subject_id, profile_id, at, data)
  select 'appeal.made', d.kind, d.subject_id, new.profile_id, new.made_at,
    '{"appealId":"' || new.id || '","decisionId":"' || d.id || '","party":"' || new.party || '"}'
  from decision d where d.id = new.decision_id;
  return null;
end $$;
create trigger appeal_made after insert on appeal for each row execute function report_appeal();

create function report_decided_appeal() returns trigger language plpgsql as $$
begin
  insert into new_event (kind, subject_type, subject_id, profile_id, at, data)
  select 'appeal.decided', d.kind, d.subject_id, new.profile_id, new.decided_at,
    '{"appealId":"' || new.id || '","decisionId":"' || d.id || '","party":"' || new.party || '","outcome":"' || new.state || '"}'
  from decision d where d.id = new.decision_id;
  return null;
end $$;
create trigger appeal_decided after update of state on appeal for each row
  when (old.state = 'open' and new.state in ('upheld', 'overturned')) execute function report_decided_appeal();

-- A notification of type decision may be about what somebody else wrote: the answer to a report or to an appeal.
alter table notification add column concerns text check (concerns in ('report', 'appeal'));
alter table notification add column decision_id bigint;
