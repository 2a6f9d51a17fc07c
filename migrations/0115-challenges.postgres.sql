-- 3-D Secure: a deposit may wait in CHALLENGE until the customer has answered the card's issuer. It is undecided, as
-- AUTHORISING is.
alter table deposit drop constraint deposit_state_check, drop constraint deposit_check,
  add constraint deposit_state_check check (state in
    ('AUTHORISING', 'CHALLENGE', 'AUTHORISED', 'CAPTURED', 'DECLINED', 'VOIDING', 'VOIDED', 'REVIEW')),
  add constraint deposit_check check ((state in ('AUTHORISING', 'CHALLENGE')) = (decided_at is null));
drop index deposit_in_flight;
create unique index deposit_in_flight on deposit (customer_id) where state in ('AUTHORISING', 'CHALLENGE');
drop index deposit_lease;
create index deposit_lease on deposit (lease_until) where state in ('AUTHORISING', 'CHALLENGE');

drop trigger deposit_moves on deposit;
create trigger deposit_moves before update of state on deposit for each row
  when (old.state || '>' || new.state not in (
    'AUTHORISING>CHALLENGE', 'AUTHORISING>AUTHORISED', 'AUTHORISING>DECLINED', 'AUTHORISING>VOIDING',
    'CHALLENGE>AUTHORISED', 'CHALLENGE>DECLINED', 'CHALLENGE>VOIDING', 'AUTHORISED>CAPTURED', 'AUTHORISED>REVIEW',
    'CAPTURED>REVIEW', 'VOIDING>VOIDED', 'VOIDING>REVIEW', 'VOIDED>REVIEW', 'REVIEW>CAPTURED', 'REVIEW>VOIDED'))
  execute function refuse_change('a deposit cannot move so');

-- Where the customer is sent, only while the deposit waits for them.
create table deposit_challenge (
  deposit_id text primary key references deposit (id),
  url text not null,
  method text not null check (method in ('GET', 'POST')),
  data text not null,
  return_url text not null
);
create function end_challenge() returns trigger language plpgsql as $$
begin
  delete from deposit_challenge where deposit_id = old.id;
  return null;
end $$;
create trigger deposit_challenge_over after update of state on deposit for each row when (old.state = 'CHALLENGE')
  execute function end_challenge();

drop trigger deposit_changed on deposit_event;
create trigger deposit_changed after insert on deposit_event for each row
  when (new.event in ('challenged', 'authorised', 'captured', 'declined', 'voided', 'resolved') or new.event like 'review: %')
  execute function report_deposit();

-- Where an application's customers may be sent back to, a JSON array of addresses.
alter table application add column return_addresses text not null default '[]';
