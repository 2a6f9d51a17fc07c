-- 3-D Secure: a deposit may wait in CHALLENGE until the customer has answered the card's issuer. It is undecided, as
-- AUTHORISING is. SQLite changes the checks of a table only with a new table. Rows that refer to deposits are checked at the
-- end of the transaction, after the deposits have been inserted again.
pragma defer_foreign_keys = on;
create table deposit_before_challenges as select * from deposit order by number;
drop table deposit;
create table deposit (
  number integer primary key autoincrement,
  id text not null unique,
  customer_id bigint not null references customer (id),
  api_key text not null,
  idempotency_key text,
  payment_method_id bigint not null references payment_method (id),
  gateway text not null,
  amount bigint not null check (amount > 0),
  currency text not null,
  day integer not null,
  state text not null check (state in
    ('AUTHORISING', 'CHALLENGE', 'AUTHORISED', 'CAPTURED', 'DECLINED', 'VOIDING', 'VOIDED', 'REVIEW')),
  fault text,
  review text check (review in
    ('capture-refused', 'capture-unresolved', 'capture-failed', 'cancel-says-captured', 'cancel-unresolved')),
  gateway_reference text,
  lease_until bigint not null,
  created_at bigint not null,
  decided_at bigint,
  review_at bigint,
  limit_period text check (limit_period in ('day', 'week', 'month')),
  check ((state in ('AUTHORISING', 'CHALLENGE')) = (decided_at is null)),
  check (state not in ('DECLINED', 'VOIDING') or fault is not null),
  check (state <> 'REVIEW' or review is not null)
);
insert into deposit (number, id, customer_id, api_key, idempotency_key, payment_method_id, gateway, amount, currency, day,
    state, fault, review, gateway_reference, lease_until, created_at, decided_at, review_at, limit_period)
  select number, id, customer_id, api_key, idempotency_key, payment_method_id, gateway, amount, currency, day,
    state, fault, review, gateway_reference, lease_until, created_at, decided_at, review_at, limit_period
  from deposit_before_challenges order by number;
drop table deposit_before_challenges;

create unique index deposit_in_flight on deposit (customer_id) where state in ('AUTHORISING', 'CHALLENGE');
create unique index deposit_idempotency on deposit (customer_id, api_key, idempotency_key)
  where idempotency_key is not null;
create index deposit_lease on deposit (lease_until) where state in ('AUTHORISING', 'CHALLENGE');
create index deposit_amount on deposit (amount, number desc);
create index deposit_customer on deposit (customer_id, number desc);
create index deposit_day on deposit (customer_id, day, state, amount);
create index deposit_fault on deposit (fault, number) where fault is not null;
create index deposit_gateway_reference on deposit (gateway_reference, number desc) where gateway_reference is not null;
create index deposit_method on deposit (payment_method_id, number desc);
create index deposit_review on deposit (review_at, number) where state = 'REVIEW';
create index deposit_review_reason on deposit (review, number) where review is not null;
create index deposit_state on deposit (state, number);
create index deposit_time on deposit (created_at, number);

create trigger deposit_no_delete before delete on deposit begin select raise(abort, 'deposits are kept'); end;
create trigger deposit_terms before update of id, customer_id, payment_method_id, gateway, amount, currency on deposit
begin select raise(abort, 'the terms of a deposit do not change'); end;
create trigger deposit_moves before update of state on deposit
when old.state || '>' || new.state not in (
  'AUTHORISING>CHALLENGE', 'AUTHORISING>AUTHORISED', 'AUTHORISING>DECLINED', 'AUTHORISING>VOIDING',
  'CHALLENGE>AUTHORISED', 'CHALLENGE>DECLINED', 'CHALLENGE>VOIDING', 'AUTHORISED>CAPTURED', 'AUTHORISED>REVIEW',
  'CAPTURED>REVIEW', 'VOIDING>VOIDED', 'VOIDING>REVIEW', 'VOIDED>REVIEW', 'REVIEW>CAPTURED', 'REVIEW>VOIDED')
begin select raise(abort, 'a deposit cannot move so'); end;

-- Where the customer is sent, only while the deposit waits for them.
create table deposit_challenge (
  deposit_id text primary key references deposit (id),
  url text not null,
  method text not null check (method in ('GET', 'POST')),
  data text not null,
  return_url text not null
);
create trigger deposit_challenge_over after update of state on deposit when old.state = 'CHALLENGE'
begin delete from deposit_challenge where deposit_id = old.id; end;

drop trigger deposit_changed;
create trigger deposit_changed after insert on deposit_event
  when new.event in ('challenged', 'authorised', 'captured', 'declined', 'voided', 'resolved') or new.event like 'review: %'
begin
  insert into event_log (kind, subject_type, subject_id, customer_id, at, data)
  select case when new.event like 'review: %' then 'deposit.review' else 'deposit.' || new.event end,
    'deposit', d.id, d.customer_id, new.at,
    json_object('amount', format('%d.%02d', d.amount / 100, d.amount % 100), 'currency', d.currency, 'state', d.state,
      'review', d.review, 'limitPeriod', d.limit_period)
  from deposit d where d.id = new.deposit_id;
end;

-- Where an application's customers may be sent back to, a JSON array of addresses.
alter table application add column return_addresses text not null default '[]';
