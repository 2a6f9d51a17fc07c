-- The record of a profile (src/record): every tip that counts, at a price that could be had, with what it won or lost.

-- The terms of each leg of a bet, as the operator tells them.
alter table bet_outcome add column price_num bigint check (price_num > 0);
alter table bet_outcome add column price_den bigint check (price_den > 0);
alter table bet_outcome add column starting_price integer not null default 0 check (starting_price in (0, 1));
alter table bet_outcome add column each_way_num bigint check (each_way_num > 0);
alter table bet_outcome add column each_way_den bigint check (each_way_den > 0);
alter table bet_outcome add column each_way_places integer check (each_way_places > 1);
-- JSON. Shown beside a tip, never part of its figures.
alter table bet add column cash_outs text;

-- What a settlement tells beside the result. Rule 4 is in hundredths.
alter table outcome add column dead_heat_num bigint;
alter table outcome add column dead_heat_den bigint;
alter table outcome add column place_dead_heat_num bigint;
alter table outcome add column place_dead_heat_den bigint;
alter table outcome add column rule4 integer not null default 0 check (rule4 between 0 and 90);
alter table outcome add column sp_num bigint;
alter table outcome add column sp_den bigint;
-- Of its first result; a correction keeps it.
alter table outcome add column settled_at bigint;
-- The last price that was told before the event started.
alter table outcome add column closing_num bigint;
alter table outcome add column closing_den bigint;

-- The terms at which a tip counts, fixed when it is created. It does not count without a price, unless it is at starting price.
alter table comment add column record_num bigint;
alter table comment add column record_den bigint;
alter table comment add column record_sp integer not null default 0;
alter table comment add column each_way_num bigint;
alter table comment add column each_way_den bigint;

-- 1: the tips may have been graded before, with another result.
alter table comment_work add column regrade integer not null default 0;

-- The profiles that are ranked: enough settled tips in the last `days` days (0: all), of one sport (0: all), in one price
-- band (0: all). `low` is the lower end of the yield's interval, in millionths.
create table record_board (
  days integer not null,
  sport_id bigint not null,
  band integer not null,
  profile_id bigint not null references profile (id),
  low bigint not null,
  num_settled integer not null,
  num_won integer not null,
  num_lost integer not null,
  num_void integer not null,
  num_withdrawn integer not null,
  staked bigint not null,
  profit bigint not null,
  odds bigint not null,
  return_squares bigint not null,
  num_closing integer not null,
  closing bigint not null,
  num_beaten integer not null,
  num_days integer not null,
  first_day integer not null,
  last_day integer not null,
  primary key (profile_id, days, sport_id, band)
);
create index record_board_ranking on record_board (days, sport_id, band, low desc, num_settled desc, profile_id);

create table record_board_progress (
  id integer primary key check (id = 1),
  -- Up to which event of the log, and for which UTC day, the board is complete.
  position bigint not null,
  day integer not null,
  -- The day for which it is being written (0: none), and up to which profile it is.
  next_day integer not null default 0,
  next_profile bigint not null default 0
);
insert into record_board_progress (id, position, day) select 1, coalesce(max(position), 0), 0 from event_log;
