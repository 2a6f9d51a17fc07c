-- Withdrawals from a day on, or up to it.
create index withdrawal_time on withdrawal (created_at, id);
