-- Endpoints of the operator that events are posted to (src/webhooks), and one row for each event that an endpoint gets.

create table webhook_endpoint (
  id {{identity}},
  url text not null,
  -- Comma-separated; null: all.
  kinds text,
  enabled integer not null check (enabled in (0, 1)),
  -- Why the service disabled it.
  disabled_reason text,
  -- Readable, because they sign.
  secret text not null,
  previous_secret text,
  previous_secret_until bigint,
  -- Events up to here have their deliveries.
  read_position bigint not null,
  -- The first failure since the last success.
  failing_since bigint,
  created_at bigint not null,
  -- Its deliveries are deleted in batches, then the row.
  deleted_at bigint
);

create table webhook_delivery (
  id {{identity}},
  endpoint_id bigint not null references webhook_endpoint (id),
  -- The event; null for a test.
  position bigint,
  kind text not null,
  subject_type text not null,
  subject_id text not null,
  event_at bigint not null,
  created_at bigint not null,
  state text not null default 'waiting' check (state in ('waiting', 'delivered', 'failed')),
  attempts integer not null default 0,
  -- Null while an earlier delivery of the same endpoint and subject waits, and when it has ended. During an attempt the
  -- end of the lease: if the process dies, another one tries again then.
  due_at bigint,
  sending_until bigint,
  finished_at bigint,
  -- Of the last attempt.
  status integer,
  duration_ms integer,
  error text
);
create index webhook_delivery_endpoint on webhook_delivery (endpoint_id, id);
create index webhook_delivery_due on webhook_delivery (endpoint_id, due_at, id) where due_at is not null;
create index webhook_delivery_subject on webhook_delivery (endpoint_id, subject_type, subject_id, id)
  where state = 'waiting';
create index webhook_delivery_sending on webhook_delivery (endpoint_id, sending_until) where sending_until is not null;
create index webhook_delivery_finished on webhook_delivery (finished_at) where finished_at is not null;
