-- The operator's own words, as JSON arrays; one row, whose version tells every process to read it again.
create table word_lists (
  id integer primary key check (id = 1),
  version bigint not null,
  blocked text not null,
  allowed text not null
);
insert into word_lists (id, version, blocked, allowed) values (1, 0, '[]', '[]');
