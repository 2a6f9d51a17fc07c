-- Money goes back to the card that paid it in: claims of deposits, withdrawals in parts, disputes as steps, decisions of two
-- persons, notifications with an outcome.

-- ---- Accounts

alter table account drop constraint account_kind_check,
  add constraint account_kind_check check (kind in
    ('customer', 'debt', 'psp_uncaptured', 'psp_captured', 'sportsbook', 'adjustments', 'payout_pending', 'payout_funds',
      'outside_funds', 'house_losses'));
insert into account (kind, currency)
  select k.kind, c.currency from (select distinct currency from account) c
    cross join (values ('payout_funds'), ('outside_funds'), ('house_losses')) as k (kind)
  order by c.currency, k.kind;

-- ---- Customers and cards

-- The name on record, which the holder of a card is compared with.
alter table customer add column first_name text, add column last_name text;
-- An account has one currency for ever: the first deposit, limit, movement or withdrawal fixes it.
create function refuse_other_currency() returns trigger language plpgsql as $$
begin
  if exists (select 1 from account where customer_id = old.id) or exists (select 1 from deposit where customer_id = old.id)
    or exists (select 1 from customer_limit where customer_id = old.id) then
    raise exception 'the currency of a customer with money does not change';
  end if;
  return new;
end $$;
create trigger customer_currency before update of currency on customer for each row
  when (new.currency <> old.currency) execute function refuse_other_currency();

-- first_name, last_name: of the holder. changed_at: registered, reopened or changed; payouts wait from then on.
-- account_closed_at: the account behind the card is closed, so that its claims are freed.
alter table payment_method add column first_name text, add column last_name text, add column changed_at bigint not null default 0,
  add column account_closed_at bigint, add column account_closed_note text;
create function refuse_other_card() returns trigger language plpgsql as $$
begin
  if old.closed_at is not null or exists (select 1 from deposit where payment_method_id = old.id)
    or exists (select 1 from withdrawal where payment_method_id = old.id) then
    raise exception 'a card with a history keeps its token and its number';
  end if;
  return new;
end $$;
create trigger payment_method_card before update of token, card_number on payment_method for each row
  when ((new.token <> old.token or new.card_number <> old.card_number) and new.token <> '') execute function refuse_other_card();

create index movement_adjustments on movement (customer_id, at) where kind = 'adjustment' and amount > 0;

-- ---- Deposits

-- captured: what the gateway took, which may be less than the amount. captured_at orders the claims. request_hash: of what was
-- requested with the Idempotency-Key. return_refused: the gateway refuses refunds of this deposit for good.
alter table deposit add column captured bigint not null default 0, add column captured_at bigint, add column request_hash text,
  add column return_refused integer not null default 0,
  add constraint deposit_captured check (captured >= 0 and captured <= amount),
  add constraint deposit_return_refused check (return_refused in (0, 1));
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
drop trigger deposit_moves on deposit;
create trigger deposit_moves before update of state on deposit for each row
  when (old.state || '>' || new.state not in (
    'AUTHORISED>CAPTURED', 'AUTHORISED>REVIEW', 'AUTHORISING>AUTHORISED', 'AUTHORISING>CHALLENGE', 'AUTHORISING>DECLINED',
    'AUTHORISING>VOIDING', 'CAPTURED>REVIEW', 'CHALLENGE>AUTHORISED', 'CHALLENGE>DECLINED', 'CHALLENGE>VOIDING', 'DECLINED>REVIEW',
    'REVIEW>CAPTURED', 'REVIEW>REVIEW', 'REVIEW>VOIDED', 'VOIDED>REVIEW', 'VOIDING>REVIEW', 'VOIDING>VOIDED'))
  execute function refuse_change('illegal state transition of a deposit');

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

-- The old payout's own fields, for the replay that writes the parts.
create table payout_before_parts (withdrawal_id bigint primary key, review text, gateway_reference text);
insert into payout_before_parts (withdrawal_id, review, gateway_reference)
  select id, review, gateway_reference from withdrawal order by id;
drop trigger withdrawal_terms on withdrawal;
drop trigger withdrawal_moves on withdrawal;
drop trigger withdrawal_approval on withdrawal;
-- approvals: how many persons must approve it; 0: the rule has. hold: why it waits for persons although it was approved, or who
-- holds it; hold_reason: the customer reads it. before_parts: sent as one payout by an earlier version. parts_due: its parts are still
-- to be written (the replay of an upgrade).
alter table withdrawal alter column payment_method_id drop not null,
  drop constraint withdrawal_check,
  drop column review, drop column gateway_reference, drop column paid,
  add column request_hash text, add column requested_person text, add column approved_person text, add column approved_again_person text,
  add column hold text, add column before_parts integer not null default 0, add column parts_due integer not null default 0;
update withdrawal set requested_person = coalesce((select person from person_before where name = requested_by and state = 'REQUESTED'), lower(requested_by)),
  approved_person = coalesce((select person from person_before where name = approved_by and state = 'REQUESTED'), lower(approved_by)), approved_again_person = lower(approved_again_by),
  hold = case when held_by is not null then 'operator' end, before_parts = case when state in ('REQUESTED', 'APPROVED') then 0 else 1 end, parts_due = 1;
alter table withdrawal add constraint withdrawal_hold check (hold in ('operator', 'card', 'debt')),
  add constraint withdrawal_persons check (approved_again_person <> approved_person),
  add constraint withdrawal_requested_person check ((requested_by is null) = (requested_person is null)),
  add constraint withdrawal_approved_person check ((approved_by is null) = (approved_person is null)),
  add constraint withdrawal_approved_again_person check ((approved_again_by is null) = (approved_again_person is null)),
  add constraint withdrawal_before_parts check (before_parts in (0, 1)), add constraint withdrawal_parts_due check (parts_due in (0, 1));
create index withdrawal_parts_due on withdrawal (customer_id, created_at, id) where parts_due = 1;
create index withdrawal_method on withdrawal (payment_method_id);
create trigger withdrawal_terms before update of id, reference, customer_id, payment_method_id, gateway, amount, currency, requested_by, requested_person on withdrawal
  for each row execute function refuse_change('the terms of a withdrawal do not change');
create trigger withdrawal_moves before update of state on withdrawal for each row
  when (old.state <> new.state and old.state || '>' || new.state not in (
    'APPROVED>REFUSED', 'APPROVED>REQUESTED', 'APPROVED>RETURNED', 'APPROVED>SENDING', 'PAID>RETURNED', 'PAID>REVIEW',
    'REQUESTED>APPROVED', 'REQUESTED>PAID', 'REQUESTED>REFUSED', 'REQUESTED>RETURNED', 'RETURNED>REVIEW', 'REVIEW>PAID', 'REVIEW>RETURNED',
    'REVIEW>SENDING', 'SENDING>PAID', 'SENDING>RETURNED', 'SENDING>REVIEW'))
  execute function refuse_change('illegal state transition of a withdrawal');

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
create trigger withdrawal_part_no_delete before delete on withdrawal_part
  for each row execute function refuse_change('parts of withdrawals are kept');
create trigger withdrawal_part_no_truncate before truncate on withdrawal_part
  for each statement execute function refuse_change('parts of withdrawals are kept');
create trigger withdrawal_part_terms before update of id, withdrawal_id, customer_id, kind, deposit_id, freed, amount, currency, reference, gateway on withdrawal_part
  for each row execute function refuse_change('the terms of a part do not change');
create trigger withdrawal_part_moves before update of state on withdrawal_part for each row
  when (old.state <> new.state and old.state || '>' || new.state not in (
    'PAID>RETURNED', 'PAID>REVIEW', 'RETURNED>REVIEW', 'REVIEW>PAID', 'REVIEW>RETURNED', 'REVIEW>SENDING', 'SENDING>PAID', 'SENDING>RETURNED',
    'SENDING>REVIEW', 'WAITING>PAID', 'WAITING>RETURNED', 'WAITING>SENDING'))
  execute function refuse_change('illegal state transition of a part');
-- What two persons approved is what is paid.
create function refuse_unapproved_part() returns trigger language plpgsql as $$
begin
  if exists (select 1 from withdrawal w where w.id = new.withdrawal_id
      and (w.hold is not null or (w.approvals = 2 and (w.approved_by is null or w.approved_again_by is null)))) then
    raise exception 'the withdrawal is not approved by two persons, or is held';
  end if;
  return new;
end $$;
create trigger withdrawal_part_approval before update of state on withdrawal_part for each row
  when (old.state = 'WAITING' and new.state in ('SENDING', 'PAID')) execute function refuse_unapproved_part();

-- ---- Refunds

drop index refund_in_flight;
drop trigger refund_terms on refund;
drop trigger refund_moves on refund;
drop trigger refund_approval on refund;
-- origin: an operator requested it, somebody made it at the gateway, or it is the return of a withdrawal's part. debited: what the
-- customer was debited for it and not credited again. paid, returned, kept_back, begun_at, moves: as for parts; the call
-- of one that waited for its job may have begun.
alter table refund drop constraint refund_check, drop constraint refund_check1, drop constraint refund_origin_check,
  add column part_id bigint unique references withdrawal_part (id), add column requested_person text, add column approved_person text,
  add column idempotency_key text, add column request_hash text, add column review text,
  add column paid bigint not null default 0, add column returned bigint not null default 0, add column kept_back bigint not null default 0,
  add column begun_at bigint, add column moves integer not null default 0;
update refund set
  requested_person = coalesce((select person from person_before where name = requested_by and state = 'REQUESTED' and needs_approval = 1 and approved_by is null), lower(requested_by)),
  approved_person = lower(approved_by),
  review = case state when 'REVIEW' then 'unresolved' end, paid = case state when 'DONE' then amount else 0 end,
  returned = case state when 'FAILED' then amount else 0 end, begun_at = case when state in ('SENT', 'DONE', 'REVIEW') or (state = 'REQUESTED' and (needs_approval = 0 or approved_by is not null)) then changed_at end, moves = 1;
alter table refund alter column requested_person set not null,
  add constraint refund_origin_check check (origin in ('operator', 'gateway', 'withdrawal')),
  add constraint refund_persons check (approved_person <> requested_person),
  add constraint refund_review_check check (review in ('unresolved', 'paid-after-return', 'another-amount')),
  add constraint refund_debited check (debited >= 0 and debited <= amount),
  add constraint refund_sums check (paid >= 0 and returned >= 0 and kept_back >= 0 and paid + returned <= amount),
  add constraint refund_ended check (state not in ('DONE', 'FAILED') or paid + returned = amount),
  add constraint refund_reviewed check (state <> 'REVIEW' or review is not null),
  add constraint refund_kept_back check (kept_back = 0 or state = 'REVIEW'),
  add constraint refund_part check ((origin = 'withdrawal') = (part_id is not null)),
  add constraint refund_approved_person check ((approved_by is null) = (approved_person is null));
create unique index refund_idempotency on refund (requested_by, idempotency_key) where idempotency_key is not null;
create trigger refund_terms before update of id, reference, deposit_id, customer_id, origin, part_id, amount, currency, requested_by, requested_person, needs_approval on refund
  for each row execute function refuse_change('the terms of a refund do not change');
create trigger refund_moves before update of state on refund for each row
  when (old.state <> new.state and old.state || '>' || new.state not in (
    'DONE>FAILED', 'DONE>REVIEW', 'FAILED>REVIEW', 'REQUESTED>DONE', 'REQUESTED>FAILED', 'REQUESTED>REVIEW', 'REQUESTED>SENT',
    'REVIEW>DONE', 'REVIEW>FAILED', 'REVIEW>SENT', 'SENT>DONE', 'SENT>FAILED', 'SENT>REVIEW'))
  execute function refuse_change('illegal state transition of a refund');
create trigger refund_approval before update of state, begun_at on refund for each row
  when (old.needs_approval = 1 and old.approved_by is null and (new.state not in ('REQUESTED', 'FAILED') or new.begun_at is not null))
  execute function refuse_change('the refund is not approved by two persons');

-- ---- Disputes

drop trigger dispute_moves on dispute;
drop index dispute_due;
-- charged: what its steps add up to, below 0 where a reversal came first. debited, house: what of it the customer and the house have
-- paid. ended_at: no more news is expected; later news opens it again.
-- Earlier versions credited all of a chargeback when a part of it was reversed: the rest is charged again (job book, below).
alter table dispute drop constraint dispute_state_check,
  add column charged bigint not null default 0, add column house bigint not null default 0, add column ended_at bigint, add column end_reason text;
update dispute set state = case state when 'TOLD' then 'OPENED' else state end,
  charged = case when state in ('CHARGED_BACK', 'CHARGED_BACK_AGAIN', 'LOST') then amount
    when state = 'REVERSED' then coalesce((select sum(case e.event when 'CHARGEBACK_REVERSED' then -e.amount
        when 'CHARGEBACK' then e.amount when 'SECOND_CHARGEBACK' then e.amount else 0 end) from dispute_event e where e.dispute_id = dispute.id), 0)
    else 0 end,
  ended_at = case when last_event in ('ISSUER_RESPONSE_TIMEFRAME_EXPIRED', 'DISPUTE_DEFENSE_PERIOD_ENDED', 'SECOND_CHARGEBACK', 'PREARBITRATION_LOST', 'PREARBITRATION_WON') then changed_at end,
  end_reason = case when last_event in ('ISSUER_RESPONSE_TIMEFRAME_EXPIRED', 'DISPUTE_DEFENSE_PERIOD_ENDED', 'SECOND_CHARGEBACK', 'PREARBITRATION_LOST', 'PREARBITRATION_WON') then last_event end;
alter table dispute add constraint dispute_state_check check (state in ('OPENED', 'CHARGED_BACK', 'REVERSED', 'CHARGED_BACK_AGAIN', 'LOST', 'WON')),
  add constraint dispute_house check (house >= 0);
create index dispute_deposit on dispute (deposit_id, id);
create index dispute_open on dispute (changed_at, id) where ended_at is null;
create index dispute_due on dispute (answer_by, id)
  where answer_by is not null and evidence = 'open' and state in ('OPENED', 'CHARGED_BACK', 'CHARGED_BACK_AGAIN');
create trigger dispute_moves before update of state on dispute for each row
  when (old.state <> new.state and old.state || '>' || new.state not in (
    'CHARGED_BACK>CHARGED_BACK_AGAIN', 'CHARGED_BACK>LOST', 'CHARGED_BACK>REVERSED', 'CHARGED_BACK>WON', 'CHARGED_BACK_AGAIN>LOST',
    'CHARGED_BACK_AGAIN>WON', 'LOST>WON', 'OPENED>CHARGED_BACK', 'OPENED>CHARGED_BACK_AGAIN', 'OPENED>LOST', 'OPENED>REVERSED', 'OPENED>WON',
    'REVERSED>CHARGED_BACK_AGAIN', 'REVERSED>LOST', 'REVERSED>WON'))
  execute function refuse_change('illegal state transition of a dispute');
-- Each step of a dispute, applied once by the key of its notification. Append-only.
alter table dispute_event add column notification_key text;
drop trigger dispute_event_no_change on dispute_event;
update dispute_event set notification_key = event;
alter table dispute_event alter column notification_key set not null, drop constraint dispute_event_dispute_id_event_key,
  add constraint dispute_event_notification unique (dispute_id, notification_key);
create trigger dispute_event_no_change before update or delete on dispute_event
  for each row execute function refuse_change('dispute events are append-only');

-- ---- Decisions of two persons

-- Who somebody is in decisions that need two persons: of people who sign in the name of their first sign-in, whatever the provider
-- calls them later; of tokens created_by_person, else their owner.
create table operator_person (subject text primary key, person text not null);
alter table operator_token add column created_by text, add column created_by_person text;
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
create trigger debt_write_off_no_change before update or delete on debt_write_off
  for each row execute function refuse_change('write-offs are append-only');
create trigger debt_write_off_no_truncate before truncate on debt_write_off
  for each statement execute function refuse_change('write-offs are append-only');

-- ---- Transfers: a cause is a source and a step of it; each kind happens at most once for a cause.

alter table transfer add column part_id bigint references withdrawal_part (id), add column write_off_id bigint references debt_write_off (id),
  add column step integer not null default 0;
drop index transfer_deposit;
drop index transfer_refund;
drop index transfer_dispute_event;
create unique index transfer_dispute_event on transfer (dispute_event_id, step, kind) where dispute_event_id is not null;
create unique index transfer_deposit on transfer (deposit_id, step, kind) where deposit_id is not null;
create unique index transfer_refund on transfer (refund_id, step, kind) where refund_id is not null;
create unique index transfer_part on transfer (part_id, step, kind) where part_id is not null;
create unique index transfer_write_off on transfer (write_off_id) where write_off_id is not null;
drop trigger transfer_source on transfer;
create trigger transfer_source before insert on transfer for each row
  when (num_nonnulls(new.deposit_id, new.movement_id, new.refund_id, new.dispute_event_id, new.withdrawal_id, new.part_id, new.write_off_id) <> 1 or not (
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
    or (new.write_off_id is not null and new.kind = 'debt_written_off')))
  execute function refuse_change('a transfer has one source, which has such transfers');

-- ---- Jobs

delete from job where kind = 'payout';
alter table job drop column withdrawal_id, drop constraint job_kind_check, drop constraint job_deposit, drop constraint job_refund,
  drop constraint job_refund_kind, add column part_id bigint references withdrawal_part (id);
update job set kind = 'book' where kind = 'settle';
alter table job add constraint job_kind_check check (kind in ('capture', 'cancel', 'book', 'refund', 'part')),
  add constraint job_deposit check ((deposit_id is not null) = (kind in ('capture', 'cancel', 'book'))),
  add constraint job_refund check ((refund_id is not null) = (kind = 'refund')),
  add constraint job_part check ((part_id is not null) = (kind = 'part'));
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
alter table gateway_notification add column content text, add column outcome text not null default 'applied', add column contradiction text,
  add column subject text, add column customer_id bigint, add column attempts integer not null default 0, add column try_at bigint,
  add column settled_at bigint, add column settled_by text, add column settled_note text,
  add constraint gateway_notification_outcome check (outcome in ('applied', 'already-applied', 'not-ours', 'contradiction', 'failed'));
create index gateway_notification_retry on gateway_notification (try_at) where try_at is not null;
create index gateway_notification_unapplied on gateway_notification (id) where outcome in ('contradiction', 'failed') and settled_at is null;
create index gateway_notification_customer on gateway_notification (customer_id)
  where outcome in ('contradiction', 'failed') and settled_at is null;
create index gateway_notification_subject on gateway_notification (subject, contradiction)
  where subject is not null and settled_at is null;
drop table person_before;
