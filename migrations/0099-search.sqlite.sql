-- Search (src/search). The words of a text, as src/runtime/search-words.ts makes them, each after a space; null: not indexed yet.
-- The indexes have the words of all tips and profiles, shown or not: what is not shown is left out when they are read.

alter table comment add column words text;
alter table profile add column name_words text;
alter table profile add column biography_words text check ((name_words is null) = (biography_words is null));
create index comment_without_words on comment (id) where words is null;
create index profile_without_words on profile (id) where biography_words is null;

-- The ascii tokenizer splits at spaces, and leaves letters that are not ASCII as they are. The index has neither the texts nor the
-- positions of words.
create virtual table comment_search using fts5(words, content='', columnsize=0, detail=none, tokenize='ascii');
create virtual table profile_name_search using fts5(words, content='', columnsize=0, detail=none, tokenize='ascii');
create virtual table profile_search using fts5(words, content='', columnsize=0, detail=none, tokenize='ascii');
-- What is deleted is removed from the pages of the index too.
insert into comment_search (comment_search, rank) values ('secure-delete', 1);
insert into profile_name_search (profile_name_search, rank) values ('secure-delete', 1);
insert into profile_search (profile_search, rank) values ('secure-delete', 1);

-- Tips up to this id are in comment_search. The index takes new ones in batches (src/search/indexer.ts): one at a time would cost
-- a tip a third more. Until then a search finds them by their words, which are written with them.
create table comment_search_position (
  id integer primary key check (id = 1),
  position bigint not null
);
insert into comment_search_position (id, position) values (1, 0);
create trigger comment_search_advanced after update of position on comment_search_position
begin
  insert into comment_search (rowid, words)
  select id, words from comment where id > old.position and id <= new.position and words is not null order by id;
end;
create trigger comment_words_changed after update of words on comment
  when new.words is not old.words and old.id <= (select position from comment_search_position)
begin
  insert into comment_search (comment_search, rowid, words) select 'delete', old.id, old.words where old.words is not null;
  insert into comment_search (rowid, words) select new.id, new.words where new.words is not null;
end;
create trigger comment_words_deleted after delete on comment
  when old.words is not null and old.id <= (select position from comment_search_position)
begin
  insert into comment_search (comment_search, rowid, words) values ('delete', old.id, old.words);
end;

create trigger profile_words_added after insert on profile when new.biography_words is not null
begin
  insert into profile_name_search (rowid, words) values (new.id, new.name_words);
  insert into profile_search (rowid, words) values (new.id, new.name_words || new.biography_words);
end;
create trigger profile_words_changed after update of name_words, biography_words on profile
  when new.name_words is not old.name_words or new.biography_words is not old.biography_words
begin
  insert into profile_name_search (profile_name_search, rowid, words)
  select 'delete', old.id, old.name_words where old.biography_words is not null;
  insert into profile_search (profile_search, rowid, words)
  select 'delete', old.id, old.name_words || old.biography_words where old.biography_words is not null;
  insert into profile_name_search (rowid, words) select new.id, new.name_words where new.biography_words is not null;
  insert into profile_search (rowid, words)
  select new.id, new.name_words || new.biography_words where new.biography_words is not null;
end;
create trigger profile_words_deleted after delete on profile when old.biography_words is not null
begin
  insert into profile_name_search (profile_name_search, rowid, words) values ('delete', old.id, old.name_words);
  insert into profile_search (profile_search, rowid, words)
  values ('delete', old.id, old.name_words || old.biography_words);
end;
