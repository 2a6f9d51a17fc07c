-- The roles tickets (issues tickets, which accounts did), cashier and cashier-lead (money, which admin did).
create table operator_token_with_roles (
  id integer primary key autoincrement,
  name text not null,
  role text not null check (role in
    ('admin', 'feed', 'accounts', 'tickets', 'cashier', 'cashier-lead', 'events', 'moderator', 'auditor', 'feed and accounts')),
  token_hash text not null unique,
  created_at bigint not null,
  revoked_at bigint,
  owner text,
  expires_at bigint,
  last_used_at bigint,
  created_by text,
  created_by_person text
);
insert into operator_token_with_roles (id, name, role, token_hash, created_at, revoked_at, owner, expires_at, last_used_at, created_by, created_by_person)
  select id, name, role, token_hash, created_at, revoked_at, owner, expires_at, last_used_at, created_by, created_by_person
  from operator_token order by id;
drop table operator_token;
alter table operator_token_with_roles rename to operator_token;
create unique index operator_token_name on operator_token (name) where revoked_at is null;
