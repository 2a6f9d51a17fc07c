-- What the sportsbook offers and which bets exist, as told by the operator. Ids are the operator's own.

create table sport (
  id {{key}},
  name text not null,
  communities integer not null check (communities in (0, 1))
);

create table event (
  id {{key}},
  sport_id bigint not null references sport (id),
  name text not null,
  start_time bigint not null,
  status text not null check (status in ('active', 'suspended'))
);

create table market (
  id {{key}},
  event_id bigint not null references event (id),
  name text not null,
  status text not null check (status in ('active', 'suspended')),
  settled_at bigint
);
create index market_event on market (event_id);

-- A result once given is only ever replaced by another: what is settled stays settled.
create table outcome (
  id {{key}},
  market_id bigint not null references market (id),
  name text not null,
  status text not null check (status in ('active', 'suspended')),
  starting_price integer not null check (starting_price in (0, 1)),
  price_num bigint check (price_num > 0),
  price_den bigint check (price_den > 0),
  result text check (result in ('win', 'lose', 'void')),
  check ((price_num is null) = (price_den is null))
);
create index outcome_market on outcome (market_id);

create table bet (
  id {{key}},
  customer_id bigint not null references customer (id),
  placed_at bigint not null
);
create index bet_customer on bet (customer_id);

create table bet_outcome (
  bet_id bigint not null references bet (id),
  outcome_id bigint not null references outcome (id),
  primary key (bet_id, outcome_id)
);
