-- An Idempotency-Key means one refund, whichever operator or token sends it.

drop index refund_idempotency;
create index refund_key on refund (idempotency_key) where idempotency_key is not null;
