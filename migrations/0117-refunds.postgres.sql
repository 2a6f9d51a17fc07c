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

create trigger refund_no_delete before delete on refund
  for each row execute function refuse_change('refunds are kept');
create trigger refund_no_truncate before truncate on refund
  for each statement execute function refuse_change('refunds are kept');
create trigger refund_terms before update of id, reference, deposit_id, customer_id, origin, amount, currency, requested_by, needs_approval on refund
  for each row execute function refuse_change('the terms of a refund do not change');
create trigger refund_moves before update of state on refund for each row
  when (old.state || '>' || new.state not in (
    'REQUESTED>SENT', 'REQUESTED>DONE', 'REQUESTED>FAILED', 'REQUESTED>REVIEW', 'SENT>DONE', 'SENT>FAILED', 'DONE>FAILED',
    'REVIEW>SENT', 'REVIEW>DONE', 'REVIEW>FAILED'))
  execute function refuse_change('a refund cannot move so');
create trigger refund_approval before update of state on refund for each row
  when (old.needs_approval = 1 and old.approved_by is null and new.state <> 'FAILED')
  execute function refuse_change('the refund is not approved');

create trigger dispute_no_delete before delete on dispute
  for each row execute function refuse_change('disputes are kept');
create trigger dispute_no_truncate before truncate on dispute
  for each statement execute function refuse_change('disputes are kept');
create trigger dispute_terms before update of id, deposit_id, gateway_reference, customer_id, currency on dispute
  for each row execute function refuse_change('the terms of a dispute do not change');
create trigger dispute_moves before update of state on dispute for each row
  when (old.state <> new.state and old.state || '>' || new.state not in (
    'TOLD>CHARGED_BACK', 'TOLD>REVERSED', 'TOLD>CHARGED_BACK_AGAIN', 'TOLD>LOST', 'TOLD>WON',
    'CHARGED_BACK>REVERSED', 'CHARGED_BACK>CHARGED_BACK_AGAIN', 'CHARGED_BACK>LOST', 'CHARGED_BACK>WON',
    'REVERSED>CHARGED_BACK_AGAIN', 'REVERSED>LOST', 'REVERSED>WON', 'CHARGED_BACK_AGAIN>LOST', 'CHARGED_BACK_AGAIN>WON',
    'LOST>WON'))
  execute function refuse_change('a dispute cannot move so');
create trigger dispute_event_no_change before update or delete on dispute_event
  for each row execute function refuse_change('dispute events are append-only');
create trigger dispute_event_no_truncate before truncate on dispute_event
  for each statement execute function refuse_change('dispute events are append-only');

alter table transfer add column refund_id bigint references refund (id),
  add column dispute_event_id bigint references dispute_event (id);
create unique index transfer_refund on transfer (refund_id, kind) where refund_id is not null;
create unique index transfer_dispute_event on transfer (dispute_event_id, kind) where dispute_event_id is not null;
drop trigger transfer_source on transfer;
create trigger transfer_source before insert on transfer for each row
  when (num_nonnulls(new.deposit_id, new.movement_id, new.refund_id, new.dispute_event_id) <> 1 or not (
    (new.deposit_id is not null and new.kind in ('credit', 'capture', 'uncapture', 'reversal', 'debt_payment'))
    or (new.movement_id is not null
      and new.kind in ('stake', 'winnings', 'void', 'adjustment', 'adjustment_debit', 'debt_payment'))
    or (new.refund_id is not null and new.kind in ('refund', 'refund_debt', 'refund_failed', 'debt_payment'))
    or (new.dispute_event_id is not null
      and new.kind in ('chargeback', 'chargeback_debt', 'chargeback_reversed', 'debt_payment'))))
  execute function refuse_change('a transfer has one source, which has such transfers');

-- A job is of a deposit or of a refund.
alter table job alter column deposit_id drop not null,
  add column refund_id bigint references refund (id),
  drop constraint job_kind_check,
  add constraint job_kind_check check (kind in ('capture', 'cancel', 'settle', 'refund', 'payout')),
  add constraint job_deposit check ((deposit_id is not null) = (kind in ('capture', 'cancel', 'settle'))),
  add constraint job_refund check ((refund_id is not null) = (kind = 'refund')),
  add constraint job_refund_kind unique (refund_id, kind);
