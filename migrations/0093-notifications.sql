-- Notifications (src/notifications): what happened to a profile, for its owner. A projector reads the log of events and
-- writes them, so that a like costs its own request nothing. Without references to profiles and comments, which are never
-- deleted: checking them would lock rows that requests write.

create table notification (
  key {{identity}},
  profile_id bigint not null,
  type text not null check (type in ('followed', 'liked', 'settled', 'decision')),
  comment_id bigint,
  -- That of its latest event, and the id that callers see: a group that gets another actor moves to the top and gets a
  -- new id, so that "read up to this id" means exactly what was seen.
  position bigint not null,
  at bigint not null,
  -- How many of its actors are shown.
  num_actors integer not null default 0 check (num_actors >= 0),
  is_read integer not null default 0 check (is_read in (0, 1)),
  -- What a moderator decided.
  action text,
  check ((type = 'decision') = (action is not null)),
  check (type = 'decision' or (type = 'followed') = (comment_id is null)),
  unique (profile_id, position)
);
create index notification_unread on notification (profile_id, position) where is_read = 0;
-- A profile has one unread group of followers, a tip one unread group of likes and one result.
create unique index notification_followed on notification (profile_id) where type = 'followed' and is_read = 0;
create unique index notification_liked on notification (comment_id) where type = 'liked' and is_read = 0;
create unique index notification_settled on notification (comment_id) where type = 'settled';
create index notification_by_day on notification (at);

-- Who follows or likes, in which group. A follow has comment 0.
create table notification_actor (
  profile_id bigint not null,
  recipient_id bigint not null,
  comment_id bigint not null,
  notification_key bigint not null references notification (key) on delete cascade,
  position bigint not null,
  -- 0 while the profile is inactive.
  shown integer not null check (shown in (0, 1)),
  primary key (profile_id, recipient_id, comment_id)
);
create index notification_actor_latest on notification_actor (notification_key, shown, position);

-- The position up to which the log was read.
create table notification_cursor (
  id integer primary key check (id = 1),
  position bigint not null
);
insert into notification_cursor (id, position) values (1, 0);
