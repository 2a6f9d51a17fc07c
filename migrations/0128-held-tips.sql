-- A tip that a rule holds back is stored as removed until a moderator decides: nobody has seen it. SQLite reads all tips once to check the
-- new column. Profiles whose tips are all held; the rules, as JSON.
alter table comment add column held integer not null default 0 check (held = 0 or (held = 1 and state = 'removed'));
create index comment_held on comment (id) where held = 1;
alter table profile add column premoderated integer not null default 0 check (premoderated in (0, 1));
alter table moderation_settings add column rules text not null default '{"links":null,"words":[],"rate":null}';
