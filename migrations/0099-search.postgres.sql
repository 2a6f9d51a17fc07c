-- Search (src/search). The words of a text, as src/runtime/search-words.ts makes them, each after a space; null: not indexed yet.
-- The indexes have the words of all tips and profiles, shown or not: what is not shown is left out when they are read.

alter table comment add column words text;
alter table profile add column name_words text;
alter table profile add column biography_words text check ((name_words is null) = (biography_words is null));
create index comment_without_words on comment (id) where words is null;
create index profile_without_words on profile (id) where biography_words is null;

create function search_vector(words text) returns tsvector language sql immutable parallel safe
return array_to_tsvector(string_to_array(ltrim(words), ' '));

-- New words wait in a list until there are 256 kB of them, and are then added together: a tip costs less, and a search reads
-- a short list besides the index.
create index comment_words on comment using gin (search_vector(words))
  with (gin_pending_list_limit = 256) where words is not null;
create index profile_name_words on profile using gin (search_vector(name_words))
  with (gin_pending_list_limit = 256) where name_words is not null;
create index profile_words on profile using gin (search_vector(name_words || biography_words))
  with (gin_pending_list_limit = 256) where biography_words is not null;

-- The same names and columns as the tables of SQLite's index. "+ 0" keeps the planner from walking all ids in order, "rows" from
-- reading all profiles or tips to join them.
create function comment_search(query text) returns table (rowid bigint) language sql stable rows 10 as $$
  select id + 0 from comment where words is not null and search_vector(words) @@ cast(query as tsquery)
$$;
create function profile_name_search(query text) returns table (rowid bigint) language sql stable rows 10 as $$
  select id + 0 from profile where name_words is not null and search_vector(name_words) @@ cast(query as tsquery)
$$;
create function profile_search(query text) returns table (rowid bigint) language sql stable rows 10 as $$
  select id + 0 from profile
  where biography_words is not null and search_vector(name_words || biography_words) @@ cast(query as tsquery)
$$;
