-- Limits that customers set for their own deposits. A row is a limit in force. A change that is asked for and waits for its
-- confirmation: pending_since, with the higher amount, or with null to have no limit.
create table customer_limit (
  customer_id bigint not null references customer (id),
  period text not null check (period in ('day', 'week', 'month')),
  amount bigint not null check (amount >= 0),
  changed_at bigint not null,
  pending_since bigint,
  pending_amount bigint,
  check (pending_amount is null or (pending_since is not null and pending_amount > amount)),
  primary key (customer_id, period)
);

-- When the customer was asked for limits or has set the first one. null: they have none, so that deposits look for none.
alter table customer add column limits_prompted_at bigint;

-- Which of these limits a deposit would have exceeded.
alter table deposit add column limit_period text check (limit_period in ('day', 'week', 'month'));

-- A limit rises, or goes, only as it was asked for a day before.
create trigger customer_limit_raised before update of amount on customer_limit
  when new.amount > old.amount and (new.amount is not old.pending_amount or new.changed_at < old.pending_since + 86400000)
begin select raise(abort, 'a limit rises only by a confirmation after 24 hours'); end;
create trigger customer_limit_removed before delete on customer_limit
  when old.pending_since is null or old.pending_amount is not null
begin select raise(abort, 'a limit is removed only by a confirmation'); end;

drop trigger deposit_changed;
create trigger deposit_changed after insert on deposit_event
  when new.event in ('authorised', 'captured', 'declined', 'voided', 'resolved') or new.event like 'review: %'
begin
  insert into event_log (kind, subject_type, subject_id, customer_id, at, data)
  select case when new.event like 'review: %' then 'deposit.review' else 'deposit.' || new.event end,
    'deposit', d.id, d.customer_id, new.at,
    json_object('amount', format('%d.%02d', d.amount / 100, d.amount % 100), 'currency', d.currency, 'state', d.state,
      'review', d.review, 'limitPeriod', d.limit_period)
  from deposit d where d.id = new.deposit_id;
end;
