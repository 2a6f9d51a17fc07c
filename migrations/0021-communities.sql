-- status is the outcome's result as far as it has reached this row (V: void, closed without a result); state is what
-- its owner or a moderator did with it; listed is the status under which lists show it, null when none does.
-- sooner is minus the start of the event, so that each order of a list goes down: newest, most liked, soonest; then id.
-- (Generated columns would say the same, but SQLite reads no index alone that holds one.)
create table comment (
  id {{identity}},
  author_id bigint not null references profile (id),
  outcome_id bigint not null references outcome (id),
  sport_id bigint not null,
  bet_id bigint not null,
  linked_id bigint,
  price_num bigint check (price_num > 0),
  price_den bigint check (price_den > 0),
  starting_price integer not null check (starting_price in (0, 1)),
  text text not null,
  created_at bigint not null,
  sooner bigint not null,
  featured integer not null default 0 check (featured in (0, 1)),
  status text not null default 'A' check (status in ('A', 'W', 'L', 'V')),
  state text not null default 'live' check (state in ('live', 'deactivated', 'removed')),
  listed text default 'A',
  check (coalesce(listed, '') = case when state = 'live' and status in ('A', 'W') then status else '' end),
  check ((price_num is null) = (price_den is null))
);
-- One for an outcome and bet; after its owner deactivates it another is accepted, after a moderator removed it not.
create unique index comment_one_per_bet on comment (outcome_id, bet_id) where state <> 'deactivated';
create index comment_of_outcome on comment (outcome_id, id);
create index comment_of_author_on_outcome on comment (author_id, outcome_id);
create index comment_newest on comment (author_id, listed, id desc) where listed is not null;
create index comment_newest_of_sport on comment (author_id, listed, sport_id, id desc) where listed is not null;
create index comment_soonest on comment (author_id, listed, sooner desc, id desc) where listed is not null;
create index comment_soonest_of_sport on comment (author_id, listed, sport_id, sooner desc, id desc)
  where listed is not null;
-- The windows over everybody's comments: with author and sport in the index, the rows themselves are not read.
create index comment_newest_of_all on comment (listed, id desc, author_id, sport_id) where listed is not null;
create index comment_soonest_of_all on comment (listed, sooner desc, id desc, author_id, sport_id)
  where listed is not null;

-- Likes apart from the wide row, with what the most-liked order needs beside them; listed follows comment.listed.
create table comment_count (
  comment_id {{key}} references comment (id),
  author_id bigint not null,
  outcome_id bigint not null,
  sport_id bigint not null,
  listed text check (listed in ('A', 'W')),
  likes integer not null default 0 check (likes >= 0)
);
create index comment_most_liked on comment_count (author_id, listed, likes desc, comment_id desc)
  where listed is not null;
create index comment_most_liked_of_sport on comment_count (author_id, listed, sport_id, likes desc, comment_id desc)
  where listed is not null;
create index comment_most_liked_of_all on comment_count (listed, likes desc, comment_id desc, author_id, sport_id)
  where listed is not null;

create table comment_like (
  comment_id bigint not null references comment (id),
  profile_id bigint not null references profile (id),
  created_at bigint not null,
  primary key (comment_id, profile_id)
);
create index comment_like_of_profile on comment_like (profile_id, comment_id);

-- For each outcome that was ever tipped: its live comments by active profiles, and their likes. Settling sets both to
-- nothing in its own transaction, and from then on nothing changes them.
create table outcome_count (
  outcome_id {{key}} references outcome (id),
  num_live integer not null default 0 check (num_live >= 0),
  likes integer not null default 0 check (likes >= 0),
  settled integer not null default 0 check (settled in (0, 1)),
  check (settled = 0 or (num_live = 0 and likes = 0))
);
create index outcome_count_ranking on outcome_count (num_live desc, outcome_id) where num_live > 0;

-- Outcomes whose result or event time has changed and whose comments do not all say so yet; those up to position do.
create table comment_work (
  outcome_id {{key}} references outcome (id),
  position bigint not null
);
