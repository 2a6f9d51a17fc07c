-- The transfers between a customer and their cards, for net deposits: few beside those of bets.
create index transfer_cash on transfer (customer_account_id, credit_account_id, amount)
  where customer_account_id is not null and movement_id is null and kind <> 'debt_payment';
