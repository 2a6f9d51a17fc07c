-- Each entry holds a hash of the entry before it. Entries from before this migration hold none: together they are the start
-- of the chain, and the first entry after them covers them all.
alter table audit add column address text;
alter table audit add column previous_hash text;

-- The last entry and its hash. Whoever appends locks this row as the last lock of its transaction. Both are null until the
-- first entry is appended.
create table audit_head (
  id integer primary key check (id = 1),
  last_id bigint,
  last_hash text
);
insert into audit_head (id) values (1);
