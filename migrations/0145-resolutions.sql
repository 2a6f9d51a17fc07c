-- What persons have decided of reviews, by customer and time: the sum of a day decides whether the next one needs two persons.
create table resolution (
  id {{identity}},
  customer_id bigint not null references customer (id),
  subject text not null,
  amount bigint not null check (amount > 0),
  currency text not null,
  at bigint not null
);
create index resolution_customer on resolution (customer_id, at);
