-- Refunds and disputes.

-- Money that goes back to a card. reference: our UUID, the gateway's idempotency key; of a refund that was made at the gateway,
-- its reference there. debited: what the customer's accounts were debited for it and is not credited back.
create table refund (
  id {{identity}},
  reference text not null unique,
  deposit_id text not null references deposit (id),
  customer_id bigint not null references customer (id),
  origin text not null check (origin in ('operator', 'gateway')),
  amount bigint not null check (amount > 0),
  currency text not null,
  reason text not null,
  requested_by text not null,
  needs_approval integer not null check (needs_approval in (0, 1)),
  approved_by text check (approved_by <> requested_by),
  state text not null check (state in ('REQUESTED', 'SENT', 'DONE', 'FAILED', 'REVIEW')),
  gateway_reference text,
  debited bigint not null default 0 check (debited = 0 or debited = amount),
  created_at bigint not null,
  changed_at bigint not null
);
-- A second click finds the first refund on its way.
create unique index refund_in_flight on refund (deposit_id) where state = 'REQUESTED';
create index refund_deposit on refund (deposit_id, id);
create index refund_customer on refund (customer_id, id);
create index refund_state on refund (state, id);
create index refund_gateway_reference on refund (gateway_reference) where gateway_reference is not null;

-- What the bank of a card says about a payment, under the gateway's reference of the dispute. amount: of the event that gave it its state.
-- debited: as for refunds. answer_by: until when evidence may be given.
create table dispute (
  id {{identity}},
  deposit_id text not null references deposit (id),
  gateway_reference text not null,
  customer_id bigint not null references customer (id),
  currency text not null,
  state text not null check (state in ('TOLD', 'CHARGED_BACK', 'REVERSED', 'CHARGED_BACK_AGAIN', 'LOST', 'WON')),
  amount bigint not null check (amount > 0),
  debited bigint not null default 0 check (debited >= 0),
  evidence text not null default 'open' check (evidence in ('open', 'supplied', 'over')),
  answer_by bigint,
  last_event text,
  created_at bigint not null,
  changed_at bigint not null,
  unique (deposit_id, gateway_reference)
);
create index dispute_customer on dispute (customer_id, id);
create index dispute_state on dispute (state, id);
create index dispute_due on dispute (answer_by, id)
  where answer_by is not null and evidence = 'open' and state in ('TOLD', 'CHARGED_BACK', 'CHARGED_BACK_AGAIN');

-- Each notification of a dispute, applied once. Append-only.
create table dispute_event (
  id {{identity}},
  dispute_id bigint not null references dispute (id),
  event text not null,
  amount bigint not null check (amount > 0),
  at bigint not null,
  unique (dispute_id, event)
);

create trigger refund_no_delete before delete on refund begin select raise(abort, 'refunds are kept'); end;
create trigger refund_terms before update of id, reference, deposit_id, customer_id, origin, amount, currency, requested_by, needs_approval on refund
begin select raise(abort, 'the terms of a refund do not change'); end;
create trigger refund_moves before update of state on refund
when old.state || '>' || new.state not in (
  'REQUESTED>SENT', 'REQUESTED>DONE', 'REQUESTED>FAILED', 'REQUESTED>REVIEW', 'SENT>DONE', 'SENT>FAILED', 'DONE>FAILED',
  'REVIEW>SENT', 'REVIEW>DONE', 'REVIEW>FAILED')
begin select raise(abort, 'a refund cannot move so'); end;
create trigger refund_approval before update of state on refund
when old.needs_approval = 1 and old.approved_by is null and new.state <> 'FAILED'
begin select raise(abort, 'the refund is not approved'); end;

create trigger dispute_no_delete before delete on dispute begin select raise(abort, 'disputes are kept'); end;
create trigger dispute_terms before update of id, deposit_id, gateway_reference, customer_id, currency on dispute
begin select raise(abort, 'the terms of a dispute do not change'); end;
create trigger dispute_moves before update of state on dispute
when old.state <> new.state and old.state || '>' || new.state not in (
  'TOLD>CHARGED_BACK', 'TOLD>REVERSED', 'TOLD>CHARGED_BACK_AGAIN', 'TOLD>LOST', 'TOLD>WON',
  'CHARGED_BACK>REVERSED', 'CHARGED_BACK>CHARGED_BACK_AGAIN', 'CHARGED_BACK>LOST', 'CHARGED_BACK>WON',
  'REVERSED>CHARGED_BACK_AGAIN', 'REVERSED>LOST', 'REVERSED>WON', 'CHARGED_BACK_AGAIN>LOST', 'CHARGED_BACK_AGAIN>WON',
  'LOST>WON')
begin select raise(abort, 'a dispute cannot move so'); end;
create trigger dispute_event_no_update before update on dispute_event
begin select raise(abort, 'dispute events are append-only'); end;
create trigger dispute_event_no_delete before delete on dispute_event
begin select raise(abort, 'dispute events are append-only'); end;

alter table transfer add column refund_id bigint references refund (id);
alter table transfer add column dispute_event_id bigint references dispute_event (id);
create unique index transfer_refund on transfer (refund_id, kind) where refund_id is not null;
create unique index transfer_dispute_event on transfer (dispute_event_id, kind) where dispute_event_id is not null;
drop trigger transfer_source;
create trigger transfer_source before insert on transfer
when (new.deposit_id is not null) + (new.movement_id is not null) + (new.refund_id is not null) + (new.dispute_event_id is not null) <> 1
  or not (
    (new.deposit_id is not null and new.kind in ('credit', 'capture', 'uncapture', 'reversal', 'debt_payment'))
    or (new.movement_id is not null
      and new.kind in ('stake', 'winnings', 'void', 'adjustment', 'adjustment_debit', 'debt_payment'))
    or (new.refund_id is not null and new.kind in ('refund', 'refund_debt', 'refund_failed', 'debt_payment'))
    or (new.dispute_event_id is not null
      and new.kind in ('chargeback', 'chargeback_debt', 'chargeback_reversed', 'debt_payment')))
begin select raise(abort, 'a transfer has one source, which has such transfers'); end;

-- A job is of a deposit or of a refund. SQLite changes the checks of a table only with a new table.
create table job_before as select * from job;
drop table job;
create table job (
  id {{identity}},
  deposit_id text references deposit (id),
  refund_id bigint references refund (id),
  kind text not null check (kind in ('capture', 'cancel', 'settle', 'refund', 'payout')),
  attempts integer not null default 0,
  run_at bigint not null,
  created_at bigint not null,
  check ((deposit_id is not null) = (kind in ('capture', 'cancel', 'settle'))),
  check ((refund_id is not null) = (kind = 'refund')),
  unique (deposit_id, kind),
  unique (refund_id, kind)
);
insert into job (id, deposit_id, kind, attempts, run_at, created_at)
  select id, deposit_id, kind, attempts, run_at, created_at from job_before order by id;
drop table job_before;
create index job_due on job (run_at);
