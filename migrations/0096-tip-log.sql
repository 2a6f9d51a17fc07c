-- The provable log (src/tip-log): a Merkle tree over tips, their settlements and their withdrawals, in the order of the log
-- of events, with a signed checkpoint.

create table tip_log (
  id integer primary key check (id = 1),
  -- Up to which event of the log it is complete.
  position bigint not null,
  -- The newest checkpoint. Without an origin the log has not been started.
  origin text,
  size bigint not null,
  root text,
  time bigint,
  key_id text,
  signature text
);
-- Tips from before the log are not in it.
insert into tip_log (id, position, size) select 1, coalesce(max(position), 0), 0 from event_log;

-- The public keys stay, so that earlier checkpoints can be verified.
create table tip_log_key (
  id text primary key,
  public_key text not null,
  -- null: retired.
  private_key text,
  created_at bigint not null,
  retired_at bigint,
  check ((private_key is null) = (retired_at is not null))
);

-- The leaves. That of a tip is not stored: it is written from the comment's row each time, so that a changed row gives
-- another hash than the log's.
create table tip_log_entry (
  position bigint primary key,
  kind text not null check (kind in ('tip', 'settlement', 'state')),
  comment_id bigint not null,
  -- Of a tip: which of its author's it is, from 1 on.
  number bigint,
  -- Of a tip: the salt of its text, or the hash of both once they are erased.
  salt text,
  text_hash text,
  -- Of the others: the leaf.
  data text,
  check ((kind = 'tip') = (number is not null)),
  check ((kind = 'tip') = (data is null)),
  check ((kind = 'tip' and salt is null) = (text_hash is not null))
);
create index tip_log_entry_of_comment on tip_log_entry (comment_id, position);

-- How many tips of a profile are in the log.
create table tip_log_profile (
  profile_id bigint primary key,
  tips bigint not null
);

-- The hashes of the tree (tiles.ts), in Base64.
create table tip_log_tile (
  level integer not null,
  number bigint not null,
  hashes text not null,
  primary key (level, number)
);
