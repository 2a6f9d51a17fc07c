-- Why customers flagged, and how often each of them was right.
-- verdict: what the decision said of the flag: 1 upheld, -1 rejected, 0 neither, or not decided yet.
-- weight and trusted: the reporter's, as they are counted in the review of the subject.
alter table flag add column reason text
  check (reason in ('spam', 'abuse', 'false-claim', 'inside-information', 'harm', 'illegal', 'other'));
alter table flag add column note text not null default '';
alter table flag add column decision_id bigint references decision (id);
alter table flag add column verdict integer not null default 0 check (verdict in (-1, 0, 1));
alter table flag add column weight bigint not null default 0;
alter table flag add column trusted integer not null default 0 check (trusted in (0, 1));

-- Flags so far were decided by the first decision after them.
update flag set decision_id = (
  select min(d.id) from decision d
  where d.kind = flag.kind and d.subject_id = flag.subject_id and d.at >= flag.created_at)
where decided = 1;
update flag set verdict = (
  select case when d.action in ('remove', 'deactivate', 'reset-name', 'reset-biography', 'reset-picture') then 1
    when d.action in ('keep', 'feature') then -1 else 0 end
  from decision d where d.id = flag.decision_id)
where decision_id is not null;

-- A profile that has flagged. flags: all it ever made, withdrawn ones too. upheld, rejected: by decisions.
-- weight: in millionths.
create table reporter (
  profile_id bigint primary key references profile (id),
  flags bigint not null default 0,
  upheld bigint not null default 0 check (upheld >= 0),
  rejected bigint not null default 0 check (rejected >= 0),
  muted integer not null default 0 check (muted in (0, 1)),
  trusted integer not null default 0 check (trusted in (0, 1)),
  note text not null default '',
  weight bigint generated always as (
    case when muted = 1 then 0 else (upheld + 1) * 1000000 / (upheld + rejected + 2) end) stored,
  check (muted + trusted < 2)
);
insert into reporter (profile_id, flags, upheld, rejected)
select profile_id, count(*), sum(case verdict when 1 then 1 else 0 end), sum(case verdict when -1 then 1 else 0 end)
from flag group by profile_id;
create index reporter_by_flags on reporter (flags, profile_id);
create index reporter_muted on reporter (flags, profile_id) where muted = 1;
create index reporter_trusted on reporter (flags, profile_id) where trusted = 1;

-- Reporters whose open flags do not have their weight yet; kind and subject_id are the last flag that has.
create table reporter_work (
  profile_id bigint primary key references reporter (profile_id),
  kind text not null default '',
  subject_id bigint not null default 0
);

update flag set weight = (select r.weight from reporter r where r.profile_id = flag.profile_id) where decided = 0;
create index flag_of_subject on flag (kind, subject_id, decided, created_at);
create index flag_open_by_profile on flag (profile_id, kind, subject_id) where decided = 0;
create index flag_of_decision on flag (decision_id) where decision_id is not null;

-- weight: the sum of the open flags'; trusted: how many of them are by trusted reporters. A subject that only muted
-- reporters flagged weighs nothing, and is not in the queue.
alter table review add column weight bigint not null default 0;
alter table review add column trusted integer not null default 0;
update review set weight = (
  select coalesce(sum(f.weight), 0) from flag f
  where f.kind = review.kind and f.subject_id = review.subject_id and f.decided = 0);
drop index review_queue;
drop index review_by_time;
create index review_queue on review (kind, weight desc, subject_id) where weight > 0;
create index review_trusted on review (kind, weight desc, subject_id) where trusted > 0;
create index review_by_time on review (kind, flagged_at desc) where weight > 0;
