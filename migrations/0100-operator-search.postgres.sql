-- What operators search by (src/search/operator-store.ts).
create index customer_username_prefix on customer (lower(username) collate "C") where username is not null;
create index deposit_gateway_reference on deposit (gateway_reference, number desc) where gateway_reference is not null;
create index deposit_amount on deposit (amount, number desc);
create index deposit_method on deposit (payment_method_id, number desc);
