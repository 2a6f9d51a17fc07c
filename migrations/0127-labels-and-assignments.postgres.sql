-- Labels that moderators put on profiles and tips, and to whom a profile or tip is assigned: 'person:ann' or 'group:second line'.
-- A decision ends the assignment.
create table subject_label (
  kind text not null check (kind in ('profile', 'comment')),
  subject_id bigint not null,
  label text not null,
  actor text not null,
  at bigint not null,
  primary key (kind, subject_id, label)
);

create table assignment (
  kind text not null check (kind in ('profile', 'comment')),
  subject_id bigint not null,
  assignee text not null,
  note text not null,
  actor text not null,
  at bigint not null,
  primary key (kind, subject_id)
);
create index assignment_queue on assignment (kind, assignee, at, subject_id);

-- What admins set up for moderators, as JSON: the labels to choose from, and groups with their members.
create table moderation_settings (
  id integer primary key check (id = 1),
  version bigint not null,
  labels text not null,
  "groups" text not null
);
insert into moderation_settings (id, version, labels, "groups") values (1, 0, '["spam","tout","watch"]', '[]');
