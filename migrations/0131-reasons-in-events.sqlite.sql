-- Events of deposits have the public API's code of the refusal (src/faults.ts).
drop trigger deposit_changed;
create trigger deposit_changed after insert on deposit_event
  when new.event in ('challenged', 'authorised', 'captured', 'declined', 'voided', 'resolved') or new.event like 'review: %'
begin
  insert into event_log (kind, subject_type, subject_id, customer_id, at, data)
  select case when new.event like 'review: %' then 'deposit.review' else 'deposit.' || new.event end,
    'deposit', d.id, d.customer_id, new.at,
    json_object('amount', format('%d.%02d', d.amount / 100, d.amount % 100), 'currency', d.currency, 'state', d.state,
      'review', d.review, 'limitPeriod', d.limit_period,
      'fault', case d.fault when 'methodInvalid' then '24001' when 'belowMinimum' then '24002' when 'aboveMaximum' then '24003'
        when 'notPermitted' then '24004' when 'authorisationFailed' then '24005' when 'cardNumberInvalid' then '24006'
        when 'insufficientFunds' then '24007' when 'dailyLimitExceeded' then '24008' when 'cv2Invalid' then '24009'
        when 'expiryInvalid' then '24010' when 'stillProcessing' then '24011'
        when 'fundsStatementNotAccepted' then '24015' end)
  from deposit d where d.id = new.deposit_id;
end;
