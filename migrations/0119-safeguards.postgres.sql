-- Limits, time-outs and self-exclusions as customers set them, for as long as the database exists: events are deleted after
-- EVENT_DAYS. `data` is that of the event.
create table safeguard_change (
  id bigint generated always as identity primary key,
  customer_id bigint not null references customer (id),
  kind text not null check (kind in ('limit.changed', 'customer.excluded')),
  at bigint not null,
  data text not null
);
create index safeguard_change_customer on safeguard_change (customer_id, id);
create trigger safeguard_change_no_change before delete or update on safeguard_change
  for each row execute function refuse_change('changes of safeguards are append-only');
create trigger safeguard_change_no_truncate before truncate on safeguard_change
  for each statement execute function refuse_change('changes of safeguards are append-only');

insert into safeguard_change (customer_id, kind, at, data)
select customer_id, kind, at, data from event_log
where kind in ('limit.changed', 'customer.excluded') and customer_id is not null order by position;
