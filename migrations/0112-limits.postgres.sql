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
create trigger customer_limit_raised before update of amount on customer_limit for each row
  when (new.amount > old.amount
    and (new.amount is distinct from old.pending_amount or new.changed_at < old.pending_since + 86400000))
  execute function refuse_change('a limit rises only by a confirmation after 24 hours');
create trigger customer_limit_removed before delete on customer_limit for each row
  when (old.pending_since is null or old.pending_amount is not null)
  execute function refuse_change('a limit is removed only by a confirmation');
create trigger customer_limit_no_truncate before truncate on customer_limit
  for each statement execute function refuse_change('a limit is removed only by a confirmation');

create or replace function report_deposit() returns trigger language plpgsql as $$
begin
  insert into new_event (kind, subject_type, subject_id, customer_id, at, data)
  select case when new.event like 'review: %' then 'deposit.review' else 'deposit.' || new.event end,
    'deposit', d.id, d.customer_id, new.at,
    json_build_object('amount', cast(d.amount / 100.00 as numeric(20, 2)) :: text, 'currency', d.currency,
      'state', d.state, 'review', d.review, 'limitPeriod', d.limit_period)
  from deposit d where d.id = new.deposit_id;
  return null;
end $$;
