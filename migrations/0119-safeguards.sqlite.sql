-- Limits, time-outs and self-exclusions as customers set them, for as long as the database exists: events are deleted after
-- EVENT_DAYS. `data` is that of the event.
create table safeguard_change (
  id integer primary key autoincrement,
  customer_id bigint not null references customer (id),
  kind text not null check (kind in ('limit.changed', 'customer.excluded')),
  at bigint not null,
  data text not null
);
create index safeguard_change_customer on safeguard_change (customer_id, id);
create trigger safeguard_change_no_delete before delete on safeguard_change
begin select raise(abort, 'changes of safeguards are append-only'); end;
create trigger safeguard_change_no_update before update on safeguard_change
begin select raise(abort, 'changes of safeguards are append-only'); end;

insert into safeguard_change (customer_id, kind, at, data)
select customer_id, kind, at, data from event_log
where kind in ('limit.changed', 'customer.excluded') and customer_id is not null order by position;
