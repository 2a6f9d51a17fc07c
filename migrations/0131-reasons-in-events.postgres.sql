-- Events of deposits have the public API's code of the refusal (src/faults.ts).
create or replace function report_deposit() returns trigger language plpgsql as $$
begin
  insert into new_event (kind, subject_type, subject_id, customer_id, at, data)
  select case when new.event like 'review: %' then 'deposit.review' else 'deposit.' || new.event end,
    'deposit', d.id, d.customer_id, new.at,
    json_build_object('amount', cast(d.amount / 100.00 as numeric(20, 2)) :: text, 'currency', d.currency,
      'state', d.state, 'review', d.review, 'limitPeriod', d.limit_period,
      'fault', case d.fault when 'methodInvalid' then '24001' when 'belowMinimum' then '24002' when 'aboveMaximum' then '24003'
        when 'notPermitted' then '24004' when 'authorisationFailed' then '24005' when 'cardNumberInvalid' then '24006'
        when 'insufficientFunds' then '24007' when 'dailyLimitExceeded' then '24008' when 'cv2Invalid' then '24009'
        when 'expiryInvalid' then '24010' when 'stillProcessing' then '24011'
        when 'fundsStatementNotAccepted' then '24015' end)
  from deposit d where d.id = new.deposit_id;
  return null;
end $$;
