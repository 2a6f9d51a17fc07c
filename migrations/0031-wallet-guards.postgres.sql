-- What is written of money stays written, and a deposit moves only along the states of docs/deposits.md.

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '%', tg_argv[0];
end $$;

create trigger transfer_no_change before update or delete on transfer
  for each row execute function refuse_change('transfers are append-only');
create trigger transfer_no_truncate before truncate on transfer
  for each statement execute function refuse_change('transfers are append-only');
create trigger deposit_event_no_change before update or delete on deposit_event
  for each row execute function refuse_change('deposit events are append-only');
create trigger deposit_event_no_truncate before truncate on deposit_event
  for each statement execute function refuse_change('deposit events are append-only');
create trigger deposit_no_delete before delete on deposit
  for each row execute function refuse_change('deposits are kept');
create trigger deposit_no_truncate before truncate on deposit
  for each statement execute function refuse_change('deposits are kept');
create trigger deposit_terms before update of id, customer_id, payment_method_id, amount, currency on deposit
  for each row execute function refuse_change('the terms of a deposit do not change');
create trigger deposit_moves before update of state on deposit
  for each row when (old.state || '>' || new.state not in (
    'AUTHORISING>AUTHORISED', 'AUTHORISING>DECLINED', 'AUTHORISING>VOIDING', 'AUTHORISED>CAPTURED', 'AUTHORISED>REVIEW',
    'CAPTURED>REVIEW', 'VOIDING>VOIDED', 'VOIDING>REVIEW', 'VOIDED>REVIEW', 'REVIEW>CAPTURED', 'REVIEW>VOIDED'))
  execute function refuse_change('a deposit cannot move so');
