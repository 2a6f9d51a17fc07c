-- What the gateway says of a part or refund that has not been sent, or that it has paid twice, is looked up by a person: two more names of
-- reviews, and the moves to and from them.

drop trigger withdrawal_moves;
create trigger withdrawal_moves before update of state on withdrawal
when old.state <> new.state and old.state || '>' || new.state not in (
  'APPROVED>PAID', 'APPROVED>REFUSED', 'APPROVED>REQUESTED', 'APPROVED>RETURNED', 'APPROVED>REVIEW', 'APPROVED>SENDING',
  'PAID>RETURNED', 'PAID>REVIEW', 'REFUSED>REVIEW', 'REQUESTED>APPROVED', 'REQUESTED>PAID', 'REQUESTED>REFUSED', 'REQUESTED>RETURNED',
  'REQUESTED>REVIEW', 'RETURNED>REVIEW', 'REVIEW>APPROVED', 'REVIEW>PAID', 'REVIEW>REQUESTED', 'REVIEW>RETURNED', 'REVIEW>SENDING',
  'SENDING>PAID', 'SENDING>RETURNED', 'SENDING>REVIEW')
begin select raise(abort, 'illegal state transition of a withdrawal'); end;

create table withdrawal_part_before as select * from withdrawal_part order by id;
drop table withdrawal_part;
create table withdrawal_part (
  id {{identity}},
  withdrawal_id bigint not null references withdrawal (id),
  customer_id bigint not null references customer (id),
  kind text not null check (kind in ('return', 'payout', 'outside')),
  deposit_id text references deposit (id),
  freed integer not null default 0 check (freed in (0, 1)),
  amount bigint not null check (amount > 0),
  currency text not null,
  paid bigint not null default 0 check (paid >= 0),
  returned bigint not null default 0 check (returned >= 0),
  kept_back bigint not null default 0 check (kept_back >= 0),
  state text not null check (state in ('WAITING', 'SENDING', 'PAID', 'RETURNED', 'REVIEW')),
  review text check (review in ('unresolved', 'paid-after-return', 'paid-twice', 'another-amount', 'never-sent')),
  reference text not null unique,
  gateway text not null,
  gateway_reference text,
  reason text not null default '',
  begun_at bigint,
  moves integer not null default 0,
  created_at bigint not null,
  changed_at bigint not null,
  check (paid + returned <= amount),
  check (state not in ('PAID', 'RETURNED') or paid + returned = amount),
  check (state not in ('WAITING') or (paid = 0 and returned = 0 and begun_at is null)),
  check (state <> 'REVIEW' or review is not null),
  check (kept_back = 0 or state = 'REVIEW'),
  check (kind <> 'return' or deposit_id is not null),
  check (freed = 0 or deposit_id is not null)
);
insert into withdrawal_part (id, withdrawal_id, customer_id, kind, deposit_id, freed, amount, currency, paid, returned, kept_back, state, review, reference, gateway, gateway_reference, reason, begun_at, moves, created_at, changed_at)
  select id, withdrawal_id, customer_id, kind, deposit_id, freed, amount, currency, paid, returned, kept_back, state, review, reference, gateway, gateway_reference, reason, begun_at, moves, created_at, changed_at
  from withdrawal_part_before order by id;
drop table withdrawal_part_before;
create index withdrawal_part_withdrawal on withdrawal_part (withdrawal_id, id);
create index withdrawal_part_deposit on withdrawal_part (deposit_id) where deposit_id is not null;
create index withdrawal_part_customer on withdrawal_part (customer_id, state);
create index withdrawal_part_gateway_reference on withdrawal_part (gateway_reference) where gateway_reference is not null;
create trigger withdrawal_part_no_delete before delete on withdrawal_part begin select raise(abort, 'parts of withdrawals are kept'); end;
create trigger withdrawal_part_terms before update of id, withdrawal_id, customer_id, kind, deposit_id, freed, amount, currency, reference, gateway on withdrawal_part
begin select raise(abort, 'the terms of a part do not change'); end;
create trigger withdrawal_part_moves before update of state on withdrawal_part
when old.state <> new.state and old.state || '>' || new.state not in (
  'PAID>RETURNED', 'PAID>REVIEW', 'RETURNED>REVIEW', 'REVIEW>PAID', 'REVIEW>RETURNED', 'REVIEW>SENDING', 'SENDING>PAID',
  'SENDING>RETURNED', 'SENDING>REVIEW', 'WAITING>PAID', 'WAITING>RETURNED', 'WAITING>REVIEW', 'WAITING>SENDING')
begin select raise(abort, 'illegal state transition of a part'); end;
-- What two persons approved is what is paid.
create trigger withdrawal_part_approval before update of state on withdrawal_part
when old.state = 'WAITING' and new.state in ('SENDING', 'PAID') and exists (select 1 from withdrawal w where w.id = new.withdrawal_id
  and (w.hold is not null or (w.approvals = 2 and (w.approved_by is null or w.approved_again_by is null))))
begin select raise(abort, 'the withdrawal is not approved by two persons, or is held'); end;

create table refund_before as select * from refund order by id;
drop table refund;
create table refund (
  id {{identity}},
  reference text not null unique,
  deposit_id text not null references deposit (id),
  customer_id bigint not null references customer (id),
  origin text not null check (origin in ('operator', 'gateway', 'withdrawal')),
  part_id bigint unique references withdrawal_part (id),
  amount bigint not null check (amount > 0),
  currency text not null,
  reason text not null,
  requested_by text not null,
  requested_person text not null,
  needs_approval integer not null check (needs_approval in (0, 1)),
  approved_by text,
  approved_person text check (approved_person <> requested_person),
  idempotency_key text,
  request_hash text,
  state text not null check (state in ('REQUESTED', 'SENT', 'DONE', 'FAILED', 'REVIEW')),
  review text check (review in ('unresolved', 'paid-after-return', 'paid-twice', 'another-amount', 'never-sent')),
  gateway_reference text,
  debited bigint not null default 0 check (debited >= 0 and debited <= amount),
  paid bigint not null default 0 check (paid >= 0),
  returned bigint not null default 0 check (returned >= 0),
  kept_back bigint not null default 0 check (kept_back >= 0),
  begun_at bigint,
  moves integer not null default 0,
  created_at bigint not null,
  changed_at bigint not null,
  check (paid + returned <= amount),
  check (state not in ('DONE', 'FAILED') or paid + returned = amount),
  check (state <> 'REVIEW' or review is not null),
  check (kept_back = 0 or state = 'REVIEW'),
  check ((origin = 'withdrawal') = (part_id is not null)),
  check ((approved_by is null) = (approved_person is null))
);
insert into refund (id, reference, deposit_id, customer_id, origin, part_id, amount, currency, reason, requested_by, requested_person, needs_approval, approved_by, approved_person, idempotency_key, request_hash, state, review, gateway_reference, debited, paid, returned, kept_back, begun_at, moves, created_at, changed_at)
  select id, reference, deposit_id, customer_id, origin, part_id, amount, currency, reason, requested_by, requested_person, needs_approval, approved_by, approved_person, idempotency_key, request_hash, state, review, gateway_reference, debited, paid, returned, kept_back, begun_at, moves, created_at, changed_at
  from refund_before order by id;
drop table refund_before;
create index refund_deposit on refund (deposit_id, id);
create index refund_customer on refund (customer_id, id);
create index refund_state on refund (state, id);
create index refund_gateway_reference on refund (gateway_reference) where gateway_reference is not null;
create unique index refund_idempotency on refund (requested_by, idempotency_key) where idempotency_key is not null;
create trigger refund_no_delete before delete on refund begin select raise(abort, 'refunds are kept'); end;
create trigger refund_terms before update of id, reference, deposit_id, customer_id, origin, part_id, amount, currency, requested_by, requested_person, needs_approval on refund
begin select raise(abort, 'the terms of a refund do not change'); end;
create trigger refund_moves before update of state on refund
when old.state <> new.state and old.state || '>' || new.state not in (
  'DONE>FAILED', 'DONE>REVIEW', 'FAILED>REVIEW', 'REQUESTED>DONE', 'REQUESTED>FAILED', 'REQUESTED>REVIEW', 'REQUESTED>SENT',
  'REVIEW>DONE', 'REVIEW>FAILED', 'REVIEW>SENT', 'SENT>DONE', 'SENT>FAILED', 'SENT>REVIEW')
begin select raise(abort, 'illegal state transition of a refund'); end;
create trigger refund_approval before update of state, begun_at on refund
when old.needs_approval = 1 and old.approved_by is null
  and (new.begun_at is not null or (old.state <> 'REVIEW' and new.state not in ('REQUESTED', 'FAILED')
    and not (new.state = 'REVIEW' and (old.state = 'FAILED' or coalesce(new.review, '') = 'never-sent'))))
begin select raise(abort, 'the refund is not approved by two persons'); end;
