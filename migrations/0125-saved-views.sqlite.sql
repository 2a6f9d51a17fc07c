-- Named addresses of the console's pages, with their filters: an operator's own, or shared with all.
create table saved_view (
  id integer primary key autoincrement,
  owner text not null,
  name text not null,
  address text not null,
  shared integer not null check (shared in (0, 1)),
  created_at bigint not null,
  unique (owner, name)
);
