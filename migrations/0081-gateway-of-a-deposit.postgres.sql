-- The gateway of a deposit is one of its terms: its capture, its cancel and its notifications go to no other.

drop trigger deposit_terms on deposit;
create trigger deposit_terms before update of id, customer_id, payment_method_id, gateway, amount, currency on deposit
  for each row execute function refuse_change('the terms of a deposit do not change');
