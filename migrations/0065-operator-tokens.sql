alter table operator_token add column owner text;
alter table operator_token add column expires_at bigint;
alter table operator_token add column last_used_at bigint;

-- The audit trail tells operators apart by name. On PostgreSQL several live tokens could get one name when they were made at
-- once: all but the oldest are renamed.
update operator_token set name = name || ' (token ' || id || ')'
where revoked_at is null and exists (
  select 1 from operator_token older
  where older.name = operator_token.name and older.revoked_at is null and older.id < operator_token.id);
create unique index operator_token_name on operator_token (name) where revoked_at is null;
