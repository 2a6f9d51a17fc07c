-- When the personal data of a customer was erased: nothing personal is written until an admin reinstates the customer.
alter table customer add column erased_at bigint;
