-- When the name on record was changed, or set while there was money: it decides whose cards take winnings.
alter table customer add column name_changed_at bigint;
