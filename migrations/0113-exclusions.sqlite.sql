-- Time-outs and self-exclusions by the customer. Nobody plays before play_from: the end of the time-out; while excluded
-- 9007199254740991, until the customer asks to return, then 24 hours after that. It is a column of the customer, so that
-- whoever waits for the customer's lock sees it.
alter table customer add column play_from bigint not null default 0;
alter table customer add column timed_out_until bigint;
alter table customer add column excluded_at bigint;
alter table customer add column excluded_until bigint;

-- Nothing shortens them. Asking to return, after the end, sets the time 24 hours later.
create trigger customer_exclusion before update of play_from, timed_out_until, excluded_at, excluded_until on customer
  when (new.play_from < old.play_from
      and not (old.play_from = 9007199254740991 and new.play_from >= old.excluded_until + 86400000))
    or new.play_from < coalesce(new.timed_out_until, 0)
    or new.play_from < coalesce(new.excluded_until, 0)
    or (old.timed_out_until is not null and new.timed_out_until is null)
    or (old.excluded_until is not null and coalesce(new.excluded_until, 0) < old.excluded_until)
begin select raise(abort, 'nothing shortens a time-out or self-exclusion'); end;
