-- The ledger beyond deposits. SQLite changes the checks of a table only with a new table; both are written again.
pragma defer_foreign_keys = on;
create table transfer_before as select * from transfer order by id;
create table account_before as select * from account order by id;
drop table transfer;
drop table account;

-- A customer has an account of each currency, and from the first debt on one for what they owe, with a negative balance.
-- System accounts keep no balance, so that no row is hot. lines and moved_at: how many transfers concern a customer's
-- account, and the time of the last; they are the lines of the statement.
create table account (
  id integer primary key autoincrement,
  kind text not null check (kind in
    ('customer', 'debt', 'psp_uncaptured', 'psp_captured', 'sportsbook', 'adjustments', 'payout_pending')),
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
insert into account (id, kind, customer_id, currency, balance)
  select id, kind, customer_id, currency, balance from account_before order by id;
drop table account_before;
create unique index account_customer on account (customer_id, currency, kind) where customer_id is not null;
create unique index account_system on account (kind, currency) where customer_id is null;
-- Whoever opens a customer's account opens the system accounts of its currency.
insert into account (kind, currency)
  select k.kind, c.currency from (select distinct currency from account) c
    cross join (select 'psp_uncaptured' as kind union select 'psp_captured' union select 'sportsbook' union select 'adjustments'
      union select 'payout_pending') k
  where not exists (select 1 from account a where a.kind = k.kind and a.currency = c.currency and a.customer_id is null)
  order by c.currency, k.kind;

-- What the sportsbook has reported of a customer's bets. The amount of an adjustment may be negative. Append-only.
create table movement (
  id integer primary key autoincrement,
  reference text not null unique,
  customer_id bigint not null references customer (id),
  kind text not null check (kind in ('stake', 'winnings', 'void', 'adjustment')),
  amount bigint not null check (amount > 0 or (amount < 0 and kind = 'adjustment')),
  currency text not null,
  bet_id bigint,
  at bigint not null
);
create trigger movement_no_update before update on movement begin select raise(abort, 'movements are append-only'); end;
create trigger movement_no_delete before delete on movement begin select raise(abort, 'movements are append-only'); end;

-- One row is one balanced movement between two accounts of one currency, with one source (trigger transfer_source).
-- Where one is a customer's: its number among the lines of that account, and the balance after it. Append-only.
create table transfer (
  id integer primary key autoincrement,
  deposit_id text references deposit (id),
  movement_id bigint references movement (id),
  kind text not null,
  debit_account_id bigint not null,
  credit_account_id bigint not null,
  amount bigint not null check (amount > 0),
  currency text not null,
  at bigint not null,
  customer_account_id bigint check (customer_account_id in (debit_account_id, credit_account_id)),
  line bigint check (line > 0),
  balance_after bigint,
  debt_account_id bigint check (debt_account_id in (debit_account_id, credit_account_id)),
  check (debit_account_id <> credit_account_id),
  check ((customer_account_id is null) = (line is null) and (line is null) = (balance_after is null)),
  foreign key (debit_account_id, currency) references account (id, currency),
  foreign key (credit_account_id, currency) references account (id, currency)
);
insert into transfer (id, deposit_id, kind, debit_account_id, credit_account_id, amount, currency, at,
    customer_account_id, line, balance_after)
  select id, deposit_id, kind, debit_account_id, credit_account_id, amount, currency, at, customer_account_id,
    case when customer_account_id is not null then row_number() over numbered end,
    case when customer_account_id is not null
      then sum(case kind when 'credit' then amount else -amount end) over numbered end
  from (select *, case kind when 'credit' then credit_account_id when 'reversal' then debit_account_id end
          as customer_account_id from transfer_before)
  window numbered as (partition by customer_account_id order by at, id rows unbounded preceding)
  order by id;
drop table transfer_before;
create unique index transfer_deposit on transfer (deposit_id, kind) where deposit_id is not null;
create unique index transfer_movement on transfer (movement_id, kind) where movement_id is not null;
create unique index transfer_line on transfer (customer_account_id, line) where customer_account_id is not null;
create index transfer_time on transfer (customer_account_id, at, line) where customer_account_id is not null;
create index transfer_debt on transfer (debt_account_id) where debt_account_id is not null;
create trigger transfer_no_update before update on transfer begin select raise(abort, 'transfers are append-only'); end;
create trigger transfer_no_delete before delete on transfer begin select raise(abort, 'transfers are append-only'); end;
create trigger transfer_source before insert on transfer
when not (
  (new.deposit_id is not null and new.movement_id is null
    and new.kind in ('credit', 'capture', 'uncapture', 'reversal', 'debt_payment'))
  or (new.movement_id is not null and new.deposit_id is null
    and new.kind in ('stake', 'winnings', 'void', 'adjustment', 'adjustment_debit', 'debt_payment')))
begin select raise(abort, 'a transfer has one source, which has such transfers'); end;

update account set lines = n.lines, moved_at = n.moved_at
  from (select customer_account_id, max(line) as lines, max(at) as moved_at from transfer
        where customer_account_id is not null group by customer_account_id) n
  where n.customer_account_id = account.id;
