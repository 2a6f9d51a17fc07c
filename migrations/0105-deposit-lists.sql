-- Since when a deposit needs manual review: the inbox begins with the one that waits longest.
alter table deposit add column review_at bigint;
update deposit set review_at = coalesce(
    (select max(e.at) from deposit_event e where e.deposit_id = deposit.id and e.event like 'review: %'), created_at)
where state = 'REVIEW';
create index deposit_review on deposit (review_at, number) where state = 'REVIEW';

-- Lists by state, by the reason of a refusal, of a review, and of a period; the counts of a day use the last one too. All go
-- the same way, so that both columns are one position.
drop index deposit_state;
create index deposit_state on deposit (state, number);
create index deposit_fault on deposit (fault, number) where fault is not null;
create index deposit_review_reason on deposit (review, number) where review is not null;
drop index deposit_by_day;
create index deposit_time on deposit (created_at, number);

-- Cards by their last four digits. Erased cards all have the same ones.
create index payment_method_last_four on payment_method (substr(card_number, length(card_number) - 3), customer_id)
  where card_number <> '000000******0000';
