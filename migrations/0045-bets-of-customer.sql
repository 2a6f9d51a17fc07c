-- A customer's bets are read in the order of their ids (customers/personal-data.ts), however many there are.
create index bet_of_customer on bet (customer_id, id);
drop index bet_customer;
