-- Flags of profiles and comments alike. decided: a moderator has seen the subject since.
create table flag (
  kind text not null check (kind in ('profile', 'comment')),
  subject_id bigint not null,
  profile_id bigint not null references profile (id),
  created_at bigint not null,
  decided integer not null default 0 check (decided in (0, 1)),
  primary key (kind, subject_id, profile_id)
);

-- The queue: one row for each subject with undecided flags.
create table review (
  kind text not null,
  subject_id bigint not null,
  flags integer not null check (flags > 0),
  flagged_at bigint not null,
  primary key (kind, subject_id)
);
create index review_queue on review (kind, flags desc, subject_id);

create table decision (
  id {{identity}},
  kind text not null,
  subject_id bigint not null,
  action text not null,
  note text not null,
  actor text not null,
  at bigint not null
);
create index decision_subject on decision (kind, subject_id, id);
