-- Windows of the most followed that are dear to count: one process counts for all, the others read what it found.
create table ranking_window (
  days integer primary key,
  -- JSON array of profile ids, best first.
  ids text not null,
  follows bigint not null,
  fresh_until bigint not null,
  claimed_until bigint not null
);
