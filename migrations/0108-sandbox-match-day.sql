-- Which afternoon the sandbox plays (src/sandbox/afternoon/): one row. `claim` is of the process that plays it, until `claimed_until`;
-- `events` is what it shows, as JSON.
create table sandbox_match_day (
  id integer primary key check (id = 1),
  round integer not null,
  state text not null check (state in ('idle', 'playing', 'finished')),
  claim text not null,
  claimed_until bigint not null,
  started_at bigint not null,
  events text not null
);
insert into sandbox_match_day (id, round, state, claim, claimed_until, started_at, events) values (1, 0, 'idle', '', 0, 0, '[]');
