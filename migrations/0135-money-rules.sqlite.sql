-- Money goes back to the card that paid it in: claims of deposits, withdrawals in parts, disputes as steps, decisions of two
-- persons, notifications with an outcome. SQLite changes the checks of a table only with a new table; rows that refer to it are
-- checked at the end of the transaction.
pragma defer_foreign_keys = on;

-- ---- Accounts

create table account_before as select * from account order by id;
drop table account;
create table account (
  id integer primary key autoincrement,
  kind text not null check (kind in
    ('customer', 'debt', 'psp_uncaptured', 'psp_captured', 'sportsbook', 'adjustments', 'payout_pending', 'payout_funds',
      'outside_funds', 'house_losses')),
  customer_id bigint references customer (id),
  currency text not null,
  balance bigint,
  lines bigint not null default 0,
  moved_at bigint not null default 0,
  check ((kind in ('customer', 'debt')) = (customer_id is not null)),
  check ((kind in ('customer', 'debt')) = (balance is not null)),
  check (kind <> 'customer' or balance >= 0),
  check (kind <> 'debt' or balance <= 0),
  unique (id, currency)
);
insert into account (id, kind, customer_id, currency, balance, lines, moved_at)
  select id, kind, customer_id, currency, balance, lines, moved_at from account_before order by id;
drop table account_before;
create unique index account_customer on account (customer_id, currency, kind) where customer_id is not null;
create unique index account_system on account (kind, currency) where customer_id is null;
create index account_debt on account (customer_id) where kind = 'debt';
insert into account (kind, currency)
  select k.kind, c.currency from (select distinct currency from account) c
    cross join (select 'payout_funds' as kind union select 'outside_funds' union select 'house_losses') k
  order by c.currency, k.kind;

-- ---- Customers and cards

-- The name on record, which the holder of a card is compared with.
alter table customer add column first_name text;
alter table customer add column last_name text;
-- An account has one currency for ever: the first deposit, limit, movement or withdrawal fixes it.
create trigger customer_currency before update of currency on customer
when new.currency <> old.currency and (exists (select 1 from account where customer_id = old.id)
  or exists (select 1 from deposit where customer_id = old.id) or exists (select 1 from customer_limit where customer_id = old.id))
begin select raise(abort, 'the currency of a customer with money does not change'); end;

-- first_name, last_name: of the holder. changed_at: registered, reopened or changed; payouts wait from then on.
-- account_closed_at: the account behind the card is closed, so that its claims are freed.
alter table payment_method add column first_name text;
alter table payment_method add column last_name text;
alter table payment_method add column changed_at bigint not null default 0;
alter table payment_method add column account_closed_at bigint;
alter table payment_method add column account_closed_note text;
create trigger payment_method_card before update of token, card_number on payment_method
when (new.token <> old.token or new.card_number <> old.card_number) and new.token <> ''
  and (old.closed_at is not null or exists (select 1 from deposit where payment_method_id = old.id)
    or exists (select 1 from withdrawal where payment_method_id = old.id))
begin select raise(abort, 'a card with a history keeps its token and its number'); end;

create index movement_adjustments on movement (customer_id, at) where kind = 'adjustment' and amount > 0;

-- ---- Deposits

-- captured: what the gateway took, which may be less than the amount. captured_at orders the claims. request_hash: of what was
-- requested with the Idempotency-Key. return_refused: the gateway refuses refunds of this deposit for good.
alter table deposit add column captured bigint not null default 0 check (captured >= 0 and captured <= amount);
alter table deposit add column captured_at bigint;
alter table deposit add column request_hash text;
alter table deposit add column return_refused integer not null default 0 check (return_refused in (0, 1));
-- Money that the gateway said it could not keep is no longer captured: credited, and kept back until the review is resolved.
insert into transfer (deposit_id, kind, debit_account_id, credit_account_id, amount, currency, at)
  select d.id, 'uncapture', t.credit_account_id, t.debit_account_id, d.amount, d.currency, d.review_at
  from deposit d join transfer t on t.deposit_id = d.id and t.kind = 'capture'
  where d.state = 'REVIEW' and d.review = 'capture-failed' order by d.number;
update deposit set review = 'capture-unresolved' where state = 'REVIEW' and review in ('capture-failed', 'capture-refused');
update deposit set captured = amount, captured_at = coalesce(
  (select max(e.at) from deposit_event e where e.deposit_id = deposit.id and e.event in ('captured', 'resolved')), decided_at)
  where state = 'CAPTURED';
create index deposit_claims on deposit (customer_id, captured_at desc, number desc) where state = 'CAPTURED';
create index deposit_uncaptured on deposit (customer_id) where state in ('AUTHORISED', 'REVIEW');
drop trigger deposit_moves;
create trigger deposit_moves before update of state on deposit
when old.state || '>' || new.state not in (
  'AUTHORISED>CAPTURED', 'AUTHORISED>REVIEW', 'AUTHORISING>AUTHORISED', 'AUTHORISING>CHALLENGE', 'AUTHORISING>DECLINED',
  'AUTHORISING>VOIDING', 'CAPTURED>REVIEW', 'CHALLENGE>AUTHORISED', 'CHALLENGE>DECLINED', 'CHALLENGE>VOIDING', 'DECLINED>REVIEW',
  'REVIEW>CAPTURED', 'REVIEW>REVIEW', 'REVIEW>VOIDED', 'VOIDED>REVIEW', 'VOIDING>REVIEW', 'VOIDING>VOIDED')
begin select raise(abort, 'illegal state transition of a deposit'); end;

-- ---- Persons

-- Who has decided first about what still waits for a second person; dropped below. Tokens count as their owner, those without one as
-- the one person "token". Whatever is decided keeps its names.
create table person_before (name text primary key, person text not null);
insert into person_before (name, person)
  select n.name, case when n.name = 'bootstrap' or exists (select 1 from operator_token t where t.name = n.name)
    then coalesce((select max(replace(lower(t.owner), ' ', '')) from operator_token t where t.name = n.name), 'token')
    else replace(lower(case when n.name like 'openid:%' then substr(n.name, 8) else n.name end), ' ', '') end
  from (select approved_by as name from withdrawal where state = 'REQUESTED'
    union select requested_by from refund where state = 'REQUESTED' and needs_approval = 1 and approved_by is null) n
  where n.name is not null;

-- ---- Withdrawals

create table withdrawal_before as select * from withdrawal order by id;
drop table withdrawal;
-- approvals: how many persons must approve it; 0: the rule has. hold: why it waits for persons although it was approved, or who
-- holds it; hold_reason: the customer reads it. before_parts: sent as one payout by an earlier version. parts_due: its parts are still
-- to be written (the replay of an upgrade).
create table withdrawal (
  id {{identity}},
  reference text not null unique,
  customer_id bigint not null references customer (id),
  api_key text,
  idempotency_key text,
  request_hash text,
  payment_method_id bigint references payment_method (id),
  gateway text not null,
  amount bigint not null check (amount > 0),
  currency text not null,
  state text not null check (state in ('REQUESTED', 'APPROVED', 'SENDING', 'PAID', 'RETURNED', 'REFUSED', 'REVIEW')),
  approvals integer not null check (approvals in (0, 2)),
  requested_by text,
  requested_person text,
  approved_by text,
  approved_person text,
  approved_again_by text,
  approved_again_person text check (approved_again_person <> approved_person),
  hold text check (hold in ('operator', 'card', 'debt')),
  hold_reason text,
  held_by text,
  before_parts integer not null default 0 check (before_parts in (0, 1)),
  parts_due integer not null default 0 check (parts_due in (0, 1)),
  created_at bigint not null,
  changed_at bigint not null,
  check ((api_key is null) = (requested_by is not null)),
  check ((requested_by is null) = (requested_person is null)),
  check ((approved_by is null) = (approved_person is null)),
  check ((approved_again_by is null) = (approved_again_person is null)),
  check (state <> 'REFUSED' or hold_reason is not null)
);
insert into withdrawal (id, reference, customer_id, api_key, idempotency_key, payment_method_id, gateway, amount, currency, state, approvals,
    requested_by, requested_person, approved_by, approved_person, approved_again_by, approved_again_person, hold, hold_reason, held_by,
    before_parts, parts_due, created_at, changed_at)
  select id, reference, customer_id, api_key, idempotency_key, payment_method_id, gateway, amount, currency, state, approvals,
    requested_by,
    coalesce((select person from person_before where name = requested_by and state = 'REQUESTED'), lower(requested_by)), approved_by,
    coalesce((select person from person_before where name = approved_by and state = 'REQUESTED'), lower(approved_by)), approved_again_by, lower(approved_again_by),
    case when held_by is not null then 'operator' end, hold_reason, held_by,
    case when state in ('REQUESTED', 'APPROVED') then 0 else 1 end, 1, created_at, changed_at
  from withdrawal_before order by id;

create unique index withdrawal_idempotency on withdrawal (customer_id, api_key, idempotency_key)
  where idempotency_key is not null;
create index withdrawal_customer on withdrawal (customer_id, id desc);
create index withdrawal_state on withdrawal (state, id);
create index withdrawal_time on withdrawal (created_at, id);
create index withdrawal_parts_due on withdrawal (customer_id, created_at, id) where parts_due = 1;
create index withdrawal_method on withdrawal (payment_method_id);
create trigger withdrawal_no_delete before delete on withdrawal begin select raise(abort, 'withdrawals are kept'); end;
create trigger withdrawal_terms before update of id, reference, customer_id, payment_method_id, gateway, amount, currency, requested_by, requested_person on withdrawal
begin select raise(abort, 'the terms of a withdrawal do not change'); end;
create trigger withdrawal_moves before update of state on withdrawal
when old.state <> new.state and old.state || '>' || new.state not in (
  'APPROVED>REFUSED', 'APPROVED>REQUESTED', 'APPROVED>RETURNED', 'APPROVED>SENDING', 'PAID>RETURNED', 'PAID>REVIEW',
  'REQUESTED>APPROVED', 'REQUESTED>PAID', 'REQUESTED>REFUSED', 'REQUESTED>RETURNED', 'RETURNED>REVIEW', 'REVIEW>PAID', 'REVIEW>RETURNED',
  'REVIEW>SENDING', 'SENDING>PAID', 'SENDING>RETURNED', 'SENDING>REVIEW')
begin select raise(abort, 'illegal state transition of a withdrawal'); end;

-- One of a withdrawal's parts: of one deposit's claim, or of winnings. freed: the claim is another card's, or this card's that takes
-- payouts only. paid, returned: what has arrived, and what was credited again. kept_back: what a notification says has left although it
-- was credited again. begun_at: the gateway's call. moves: how often its money moved.
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
  review text check (review in ('unresolved', 'paid-after-return', 'another-amount')),
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
create index withdrawal_part_withdrawal on withdrawal_part (withdrawal_id, id);
create index withdrawal_part_deposit on withdrawal_part (deposit_id) where deposit_id is not null;
create index withdrawal_part_customer on withdrawal_part (customer_id, state);
create index withdrawal_part_gateway_reference on withdrawal_part (gateway_reference) where gateway_reference is not null;
create trigger withdrawal_part_no_delete before delete on withdrawal_part begin select raise(abort, 'parts of withdrawals are kept'); end;
create trigger withdrawal_part_terms before update of id, withdrawal_id, customer_id, kind, deposit_id, freed, amount, currency, reference, gateway on withdrawal_part
begin select raise(abort, 'the terms of a part do not change'); end;
create trigger withdrawal_part_moves before update of state on withdrawal_part
when old.state <> new.state and old.state || '>' || new.state not in (
  'PAID>RETURNED', 'PAID>REVIEW', 'RETURNED>REVIEW', 'REVIEW>PAID', 'REVIEW>RETURNED', 'REVIEW>SENDING', 'SENDING>PAID', 'SENDING>RETURNED',
  'SENDING>REVIEW', 'WAITING>PAID', 'WAITING>RETURNED', 'WAITING>SENDING')
begin select raise(abort, 'illegal state transition of a part'); end;
-- What two persons approved is what is paid.
create trigger withdrawal_part_approval before update of state on withdrawal_part
when old.state = 'WAITING' and new.state in ('SENDING', 'PAID') and exists (select 1 from withdrawal w where w.id = new.withdrawal_id
  and (w.hold is not null or (w.approvals = 2 and (w.approved_by is null or w.approved_again_by is null))))
begin select raise(abort, 'the withdrawal is not approved by two persons, or is held'); end;

-- ---- Refunds

create table refund_before as select * from refund order by id;
drop table refund;
-- origin: an operator requested it, somebody made it at the gateway, or it is the return of a withdrawal's part. debited: what the
-- customer was debited for it and not credited again. paid, returned, kept_back, begun_at, moves: as for parts; the call
-- of one that waited for its job may have begun.
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
  review text check (review in ('unresolved', 'paid-after-return', 'another-amount')),
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
insert into refund (id, reference, deposit_id, customer_id, origin, amount, currency, reason, requested_by, requested_person, needs_approval,
    approved_by, approved_person, state, review, gateway_reference, debited, paid, returned, begun_at, moves, created_at, changed_at)
  select id, reference, deposit_id, customer_id, origin, amount, currency, reason, requested_by,
    coalesce((select person from person_before where name = requested_by and state = 'REQUESTED' and needs_approval = 1 and approved_by is null), lower(requested_by)), needs_approval,
    approved_by, lower(approved_by), state, case state when 'REVIEW' then 'unresolved' end, gateway_reference, debited,
    case state when 'DONE' then amount else 0 end, case state when 'FAILED' then amount else 0 end,
    case when state in ('SENT', 'DONE', 'REVIEW') or (state = 'REQUESTED' and (needs_approval = 0 or approved_by is not null)) then changed_at end, 1, created_at, changed_at
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
when old.needs_approval = 1 and old.approved_by is null and (new.state not in ('REQUESTED', 'FAILED') or new.begun_at is not null)
begin select raise(abort, 'the refund is not approved by two persons'); end;

-- ---- Disputes

create table dispute_before as select * from dispute order by id;
create table dispute_event_before as select * from dispute_event order by id;
drop table dispute_event;
drop table dispute;
-- charged: what its steps add up to, below 0 where a reversal came first. debited, house: what of it the customer and the house have
-- paid. ended_at: no more news is expected; later news opens it again.
-- Earlier versions credited all of a chargeback when a part of it was reversed: the rest is charged again (job book, below).
create table dispute (
  id {{identity}},
  deposit_id text not null references deposit (id),
  gateway_reference text not null,
  customer_id bigint not null references customer (id),
  currency text not null,
  state text not null check (state in ('OPENED', 'CHARGED_BACK', 'REVERSED', 'CHARGED_BACK_AGAIN', 'LOST', 'WON')),
  amount bigint not null check (amount > 0),
  charged bigint not null default 0,
  debited bigint not null default 0 check (debited >= 0),
  house bigint not null default 0 check (house >= 0),
  evidence text not null default 'open' check (evidence in ('open', 'supplied', 'over')),
  answer_by bigint,
  last_event text,
  ended_at bigint,
  end_reason text,
  created_at bigint not null,
  changed_at bigint not null,
  unique (deposit_id, gateway_reference)
);
insert into dispute (id, deposit_id, gateway_reference, customer_id, currency, state, amount, charged, debited, evidence, answer_by,
    last_event, ended_at, end_reason, created_at, changed_at)
  select id, deposit_id, gateway_reference, customer_id, currency, case state when 'TOLD' then 'OPENED' else state end, amount,
    case when state in ('CHARGED_BACK', 'CHARGED_BACK_AGAIN', 'LOST') then amount
      when state = 'REVERSED' then coalesce((select sum(case e.event when 'CHARGEBACK_REVERSED' then -e.amount
          when 'CHARGEBACK' then e.amount when 'SECOND_CHARGEBACK' then e.amount else 0 end) from dispute_event_before e where e.dispute_id = dispute_before.id), 0)
      else 0 end, debited,
    evidence, answer_by, last_event, case when last_event in ('ISSUER_RESPONSE_TIMEFRAME_EXPIRED', 'DISPUTE_DEFENSE_PERIOD_ENDED', 'SECOND_CHARGEBACK', 'PREARBITRATION_LOST', 'PREARBITRATION_WON') then changed_at end,
    case when last_event in ('ISSUER_RESPONSE_TIMEFRAME_EXPIRED', 'DISPUTE_DEFENSE_PERIOD_ENDED', 'SECOND_CHARGEBACK', 'PREARBITRATION_LOST', 'PREARBITRATION_WON') then last_event end, created_at, changed_at
  from dispute_before order by id;
drop table dispute_before;
create index dispute_customer on dispute (customer_id, id);
create index dispute_deposit on dispute (deposit_id, id);
create index dispute_state on dispute (state, id);
create index dispute_open on dispute (changed_at, id) where ended_at is null;
create index dispute_due on dispute (answer_by, id)
  where answer_by is not null and evidence = 'open' and state in ('OPENED', 'CHARGED_BACK', 'CHARGED_BACK_AGAIN');
-- Each step of a dispute, applied once by the key of its notification. Append-only.
create table dispute_event (
  id {{identity}},
  dispute_id bigint not null references dispute (id),
  notification_key text not null,
  event text not null,
  amount bigint not null check (amount > 0),
  at bigint not null,
  unique (dispute_id, notification_key)
);
insert into dispute_event (id, dispute_id, notification_key, event, amount, at)
  select id, dispute_id, event, event, amount, at from dispute_event_before order by id;
drop table dispute_event_before;
create trigger dispute_no_delete before delete on dispute begin select raise(abort, 'disputes are kept'); end;
create trigger dispute_terms before update of id, deposit_id, gateway_reference, customer_id, currency on dispute
begin select raise(abort, 'the terms of a dispute do not change'); end;
create trigger dispute_moves before update of state on dispute
when old.state <> new.state and old.state || '>' || new.state not in (
  'CHARGED_BACK>CHARGED_BACK_AGAIN', 'CHARGED_BACK>LOST', 'CHARGED_BACK>REVERSED', 'CHARGED_BACK>WON', 'CHARGED_BACK_AGAIN>LOST',
  'CHARGED_BACK_AGAIN>WON', 'LOST>WON', 'OPENED>CHARGED_BACK', 'OPENED>CHARGED_BACK_AGAIN', 'OPENED>LOST', 'OPENED>REVERSED', 'OPENED>WON',
  'REVERSED>CHARGED_BACK_AGAIN', 'REVERSED>LOST', 'REVERSED>WON')
begin select raise(abort, 'illegal state transition of a dispute'); end;
create trigger dispute_event_no_update before update on dispute_event
begin select raise(abort, 'dispute events are append-only'); end;
create trigger dispute_event_no_delete before delete on dispute_event
begin select raise(abort, 'dispute events are append-only'); end;

-- ---- Decisions of two persons

-- Who somebody is in decisions that need two persons: of people who sign in the name of their first sign-in, whatever the provider
-- calls them later; of tokens created_by_person, else their owner.
create table operator_person (subject text primary key, person text not null);
alter table operator_token add column created_by text;
alter table operator_token add column created_by_person text;
-- What one person has decided and another must confirm. subject: a kind and an id, such as "refund 5". terms: both must decide the same.
create table money_proposal (
  id {{identity}},
  subject text not null unique,
  customer_id bigint not null references customer (id),
  terms text not null,
  note text not null,
  by_name text not null,
  by_person text not null,
  at bigint not null
);
create index money_proposal_customer on money_proposal (customer_id, id);
create table debt_write_off (
  id {{identity}},
  customer_id bigint not null references customer (id),
  amount bigint not null check (amount > 0),
  currency text not null,
  note text not null,
  decided_by text not null,
  decided_again_by text not null,
  at bigint not null
);
create index debt_write_off_customer on debt_write_off (customer_id, id);
create trigger debt_write_off_no_update before update on debt_write_off begin select raise(abort, 'write-offs are append-only'); end;
create trigger debt_write_off_no_delete before delete on debt_write_off begin select raise(abort, 'write-offs are append-only'); end;

-- ---- Transfers: a cause is a source and a step of it; each kind happens at most once for a cause.

alter table transfer add column part_id bigint references withdrawal_part (id);
alter table transfer add column write_off_id bigint references debt_write_off (id);
alter table transfer add column step integer not null default 0;
drop index transfer_deposit;
drop index transfer_refund;
drop index transfer_dispute_event;
create unique index transfer_dispute_event on transfer (dispute_event_id, step, kind) where dispute_event_id is not null;
create unique index transfer_deposit on transfer (deposit_id, step, kind) where deposit_id is not null;
create unique index transfer_refund on transfer (refund_id, step, kind) where refund_id is not null;
create unique index transfer_part on transfer (part_id, step, kind) where part_id is not null;
create unique index transfer_write_off on transfer (write_off_id) where write_off_id is not null;
drop trigger transfer_source;
create trigger transfer_source before insert on transfer
when (new.deposit_id is not null) + (new.movement_id is not null) + (new.refund_id is not null) + (new.dispute_event_id is not null)
    + (new.withdrawal_id is not null) + (new.part_id is not null) + (new.write_off_id is not null) <> 1
  or not (
    (new.deposit_id is not null and new.kind in
      ('credit', 'capture', 'uncapture', 'reversal', 'reversal_debt', 'capture_short', 'debt_payment', 'erased_credit',
        'erased_debt'))
    or (new.movement_id is not null
      and new.kind in ('stake', 'winnings', 'void', 'adjustment', 'adjustment_debit', 'debt_payment'))
    or (new.refund_id is not null and new.kind in ('refund', 'refund_debt', 'refund_failed', 'debt_payment', 'erased_credit', 'erased_debt'))
    or (new.dispute_event_id is not null
      and new.kind in ('chargeback', 'chargeback_debt', 'chargeback_reversed', 'chargeback_house', 'chargeback_house_reversed', 'debt_payment',
        'erased_credit', 'erased_debt'))
    or (new.withdrawal_id is not null and new.kind in
      ('withdrawal', 'payout', 'withdrawal_returned', 'withdrawal_resumed', 'payout_reversed', 'debt_payment'))
    or (new.part_id is not null and new.kind in
      ('return_paid', 'payout_paid', 'outside_paid', 'part_back', 'return_back', 'payout_back', 'outside_back', 'part_again', 'part_again_debt',
        'debt_payment', 'erased_credit', 'erased_debt'))
    or (new.write_off_id is not null and new.kind = 'debt_written_off'))
begin select raise(abort, 'a transfer has one source, which has such transfers'); end;

-- ---- Jobs

create table job_before as select * from job;
drop table job;
create table job (
  id {{identity}},
  deposit_id text references deposit (id),
  refund_id bigint references refund (id),
  part_id bigint references withdrawal_part (id),
  kind text not null check (kind in ('capture', 'cancel', 'book', 'refund', 'part')),
  attempts integer not null default 0,
  run_at bigint not null,
  created_at bigint not null,
  check ((deposit_id is not null) = (kind in ('capture', 'cancel', 'book'))),
  check ((refund_id is not null) = (kind = 'refund')),
  check ((part_id is not null) = (kind = 'part')),
  unique (deposit_id, kind)
);
insert into job (id, deposit_id, refund_id, kind, attempts, run_at, created_at)
  select id, deposit_id, refund_id, case kind when 'settle' then 'book' else kind end, attempts, run_at, created_at
  from job_before where kind <> 'payout' order by id;
drop table job_before;
create index job_due on job (run_at);
create unique index job_of_refund on job (refund_id) where refund_id is not null;
create unique index job_of_part on job (part_id) where part_id is not null;
-- What earlier versions credited although it was not reversed.
insert into job (deposit_id, kind, run_at, created_at)
  select x.deposit_id, 'book', max(x.changed_at), max(x.changed_at) from dispute x join deposit d on d.id = x.deposit_id
  where x.state = 'REVERSED' and x.charged > x.debited and d.state = 'CAPTURED'
    and not exists (select 1 from job j where j.deposit_id = x.deposit_id and j.kind = 'book')
  group by x.deposit_id order by x.deposit_id;

-- ---- Notifications of gateways

-- reference: the gateway's echo of ours. content: JSON, all that it says. outcome: what became of it. contradiction: its name; a subject has
-- it in REVIEW. try_at: it could not be applied, and is tried again. settled_at: a person has looked at it.
alter table gateway_notification rename column deposit_id to reference;
alter table gateway_notification add column content text;
alter table gateway_notification add column outcome text not null default 'applied'
  check (outcome in ('applied', 'already-applied', 'not-ours', 'contradiction', 'failed'));
alter table gateway_notification add column contradiction text;
alter table gateway_notification add column subject text;
alter table gateway_notification add column customer_id bigint;
alter table gateway_notification add column attempts integer not null default 0;
alter table gateway_notification add column try_at bigint;
alter table gateway_notification add column settled_at bigint;
alter table gateway_notification add column settled_by text;
alter table gateway_notification add column settled_note text;
create index gateway_notification_retry on gateway_notification (try_at) where try_at is not null;
create index gateway_notification_unapplied on gateway_notification (id) where outcome in ('contradiction', 'failed') and settled_at is null;
create index gateway_notification_customer on gateway_notification (customer_id)
  where outcome in ('contradiction', 'failed') and settled_at is null;
create index gateway_notification_subject on gateway_notification (subject, contradiction)
  where subject is not null and settled_at is null;

-- The old payout's own fields, for the replay that writes the parts.
create table payout_before_parts (withdrawal_id bigint primary key, review text, gateway_reference text);
insert into payout_before_parts (withdrawal_id, review, gateway_reference)
  select id, review, gateway_reference from withdrawal_before order by id;
drop table withdrawal_before;
drop table person_before;
