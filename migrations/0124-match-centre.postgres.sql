-- What a page for an event shows: score and clock as the sportsbook has told them, when the last of its markets was settled (null: one is
-- open, or there is none), and the history of prices.
alter table event add column score text;
alter table event add column clock text;
alter table event add column settled_at bigint;
update event set settled_at = (select max(m.settled_at) from market m where m.event_id = event.id)
where exists (select 1 from market m where m.event_id = event.id)
  and not exists (select 1 from market m where m.event_id = event.id and m.settled_at is null);
create index event_open on event (start_time, id) where settled_at is null;
create index event_open_of_sport on event (sport_id, start_time, id) where settled_at is null;
create index event_settled on event (start_time, id) where settled_at is not null;
create index event_settled_of_sport on event (sport_id, start_time, id) where settled_at is not null;

-- The last price of each minute in which it has changed (null: it was withdrawn). `minute`: since 1970. Without a foreign key, because
-- each price would look for its outcome once more.
create table price_point (
  outcome_id bigint not null,
  minute bigint not null,
  price_num bigint,
  price_den bigint,
  primary key (outcome_id, minute)
);
create index price_point_by_minute on price_point (minute);
