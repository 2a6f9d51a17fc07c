-- The lists of customers by what operators filter, each in the order in which it is read.
create index customer_by_time on customer (created_at, id);
create index customer_by_status on customer (status, created_at, id);
create index customer_unverified on customer (created_at, id) where verified = 0;
create index payment_method_country on payment_method (country, customer_id) where removed_at is null;
-- Not on balances: PostgreSQL would then write every index of an account with each movement of money.
create index account_debt on account (customer_id) where kind = 'debt';
