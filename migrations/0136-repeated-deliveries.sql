-- 1: an operator has sent a delivery again. Resending a range leaves these out, so that a second call sends no event once more.
alter table webhook_delivery add column is_repeat integer not null default 0 check (is_repeat in (0, 1));
