-- What is written of money stays written, and a deposit moves only along the states of docs/deposits.md.

create trigger transfer_no_update before update on transfer begin select raise(abort, 'transfers are append-only'); end;
create trigger transfer_no_delete before delete on transfer begin select raise(abort, 'transfers are append-only'); end;
create trigger deposit_event_no_update before update on deposit_event
begin select raise(abort, 'deposit events are append-only'); end;
create trigger deposit_event_no_delete before delete on deposit_event
begin select raise(abort, 'deposit events are append-only'); end;
create trigger deposit_no_delete before delete on deposit begin select raise(abort, 'deposits are kept'); end;
create trigger deposit_terms before update of id, customer_id, payment_method_id, amount, currency on deposit
begin select raise(abort, 'the terms of a deposit do not change'); end;
create trigger deposit_moves before update of state on deposit
when old.state || '>' || new.state not in (
  'AUTHORISING>AUTHORISED', 'AUTHORISING>DECLINED', 'AUTHORISING>VOIDING', 'AUTHORISED>CAPTURED', 'AUTHORISED>REVIEW',
  'CAPTURED>REVIEW', 'VOIDING>VOIDED', 'VOIDING>REVIEW', 'VOIDED>REVIEW', 'REVIEW>CAPTURED', 'REVIEW>VOIDED')
begin select raise(abort, 'a deposit cannot move so'); end;
