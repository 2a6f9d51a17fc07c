-- Withdrawals: money that goes out to a card.

-- reference: our UUID, the gateway's idempotency key. approvals: how many operators must approve it; 0: the rule has. requested_by: the
-- operator who requested it for the customer. hold_reason: the customer reads it; held_by: the operator who holds it.
-- paid: the gateway has said that it was paid, also where it came back.
create table withdrawal (
  id {{identity}},
  reference text not null unique,
  customer_id bigint not null references customer (id),
  api_key text,
  idempotency_key text,
  payment_method_id bigint not null references payment_method (id),
  gateway text not null,
  amount bigint not null check (amount > 0),
  currency text not null,
  state text not null check (state in ('REQUESTED', 'APPROVED', 'SENDING', 'PAID', 'RETURNED', 'REFUSED', 'REVIEW')),
  approvals integer not null check (approvals in (0, 2)),
  requested_by text,
  approved_by text,
  approved_again_by text check (approved_again_by <> approved_by),
  hold_reason text,
  held_by text,
  review text check (review in ('payout-unresolved', 'paid-after-return', 'returned-after-paid')),
  gateway_reference text,
  paid integer not null default 0 check (paid in (0, 1)),
  created_at bigint not null,
  changed_at bigint not null,
  check ((api_key is null) = (requested_by is not null)),
  check (state <> 'REVIEW' or review is not null),
  check (state <> 'REFUSED' or hold_reason is not null)
);
create unique index withdrawal_idempotency on withdrawal (customer_id, api_key, idempotency_key)
  where idempotency_key is not null;
create index withdrawal_customer on withdrawal (customer_id, id desc);
create index withdrawal_state on withdrawal (state, id);

create table withdrawal_event (
  id {{identity}},
  withdrawal_id bigint not null references withdrawal (id),
  at bigint not null,
  event text not null,
  detail text not null
);
create index withdrawal_event_withdrawal on withdrawal_event (withdrawal_id, id);

create trigger withdrawal_no_delete before delete on withdrawal
  for each row execute function refuse_change('withdrawals are kept');
create trigger withdrawal_no_truncate before truncate on withdrawal
  for each statement execute function refuse_change('withdrawals are kept');
create trigger withdrawal_terms before update of id, reference, customer_id, payment_method_id, gateway, amount, currency, approvals, requested_by on withdrawal
  for each row execute function refuse_change('the terms of a withdrawal do not change');
create trigger withdrawal_moves before update of state on withdrawal for each row
  when (old.state || '>' || new.state not in (
    'REQUESTED>APPROVED', 'REQUESTED>REFUSED', 'APPROVED>SENDING', 'APPROVED>REFUSED', 'SENDING>PAID', 'SENDING>RETURNED',
    'SENDING>REVIEW', 'PAID>RETURNED', 'PAID>REVIEW', 'RETURNED>REVIEW', 'REVIEW>PAID', 'REVIEW>RETURNED'))
  execute function refuse_change('a withdrawal cannot move so');
create trigger withdrawal_approval before update of state on withdrawal for each row
  when (new.state = 'APPROVED' and new.approvals = 2
    and (new.approved_by is null or new.approved_again_by is null or new.held_by is not null))
  execute function refuse_change('the withdrawal is not approved by two operators');
create trigger withdrawal_event_no_change before update or delete on withdrawal_event
  for each row execute function refuse_change('withdrawal events are append-only');
create trigger withdrawal_event_no_truncate before truncate on withdrawal_event
  for each statement execute function refuse_change('withdrawal events are append-only');

alter table transfer add column withdrawal_id bigint references withdrawal (id);
create unique index transfer_withdrawal on transfer (withdrawal_id, kind) where withdrawal_id is not null;
drop trigger transfer_source on transfer;
create trigger transfer_source before insert on transfer for each row
  when (num_nonnulls(new.deposit_id, new.movement_id, new.refund_id, new.dispute_event_id, new.withdrawal_id) <> 1 or not (
    (new.deposit_id is not null and new.kind in ('credit', 'capture', 'uncapture', 'reversal', 'debt_payment'))
    or (new.movement_id is not null
      and new.kind in ('stake', 'winnings', 'void', 'adjustment', 'adjustment_debit', 'debt_payment'))
    or (new.refund_id is not null and new.kind in ('refund', 'refund_debt', 'refund_failed', 'debt_payment'))
    or (new.dispute_event_id is not null
      and new.kind in ('chargeback', 'chargeback_debt', 'chargeback_reversed', 'debt_payment'))
    or (new.withdrawal_id is not null and new.kind in
      ('withdrawal', 'payout', 'withdrawal_returned', 'withdrawal_resumed', 'payout_reversed', 'debt_payment'))))
  execute function refuse_change('a transfer has one source, which has such transfers');

alter table job add column withdrawal_id bigint references withdrawal (id),
  add constraint job_withdrawal check ((withdrawal_id is not null) = (kind = 'payout'));
create unique index job_of_withdrawal on job (withdrawal_id) where withdrawal_id is not null;
