-- A null name, or picture, means the default one. name_key is what makes names unique (NFKC, case folded).
create table profile (
  id {{identity}},
  customer_id bigint not null unique references customer (id),
  name text,
  name_key text unique,
  biography text not null,
  picture text,
  status text not null check (status in ('A', 'I')),
  created_at bigint not null,
  check ((name is null) = (name_key is null))
);

-- Counters apart from the wide row: a follow rewrites a few bytes. Changed only in the transaction of what they count.
create table profile_count (
  profile_id {{key}} references profile (id),
  num_followers integer not null default 0 check (num_followers >= 0),
  num_followings integer not null default 0 check (num_followings >= 0),
  num_live integer not null default 0 check (num_live >= 0),
  num_winning integer not null default 0 check (num_winning >= 0)
);
create index profile_count_ranking on profile_count (num_followers desc, profile_id) where num_followers > 0;

-- A follow is shown while both its profiles are active; the indexes hold exactly what lists show, newest last.
create table follow (
  id {{identity}},
  follower_id bigint not null references profile (id),
  followee_id bigint not null references profile (id),
  created_at bigint not null,
  shown integer not null check (shown in (0, 1)),
  check (follower_id <> followee_id),
  unique (follower_id, followee_id)
);
create index follow_by_followee on follow (followee_id, id desc, follower_id) where shown = 1;
create index follow_by_follower on follow (follower_id, id desc, followee_id) where shown = 1;
create index follow_hidden_by_followee on follow (followee_id) where shown = 0;
create index follow_latest on follow (id desc) where shown = 1;
create index follow_window on follow (created_at, followee_id) where shown = 1;

insert into turnstile (name) values ('profile-status');
