-- What an endpoint answered to each attempt of a delivery. Head and body are the beginning of the answer, without secrets and
-- card numbers.
create table webhook_attempt (
  delivery_id bigint not null references webhook_delivery (id) on delete cascade,
  number integer not null,
  at bigint not null,
  status integer,
  duration_ms integer not null,
  error text,
  head text,
  body text,
  primary key (delivery_id, number)
);

-- When an operator had it sent again, as another delivery.
alter table webhook_delivery add column resent_at bigint;

-- By time, for lists and ranges: in place of the index by id.
drop index webhook_delivery_endpoint;
create index webhook_delivery_created on webhook_delivery (endpoint_id, created_at, id);
