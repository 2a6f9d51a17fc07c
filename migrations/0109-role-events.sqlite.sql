-- The role of a token is stored as it is: the new role events, accounts (which was a part of feed), and those tokens from
-- before feed was split, which keep both.
create table operator_token_with_roles (
  id integer primary key autoincrement,
  name text not null,
  role text not null check (role in ('admin', 'feed', 'accounts', 'events', 'moderator', 'auditor', 'feed and accounts')),
  token_hash text not null unique,
  created_at bigint not null,
  revoked_at bigint,
  owner text,
  expires_at bigint,
  last_used_at bigint
);
insert into operator_token_with_roles (id, name, role, token_hash, created_at, revoked_at, owner, expires_at, last_used_at)
  select id, name, case when role = 'feed' then coalesce(feed_part, 'feed and accounts') else role end,
    token_hash, created_at, revoked_at, owner, expires_at, last_used_at
  from operator_token order by id;
drop table operator_token;
alter table operator_token_with_roles rename to operator_token;
create unique index operator_token_name on operator_token (name) where revoked_at is null;
