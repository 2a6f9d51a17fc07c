-- A card that an operator has closed and another reopened: withdrawals to it need two persons, as to a closed one.
alter table payment_method add column reopened_at bigint;
