-- Failed log-ins by user name (hashed) and by application: when all are forgotten, and until when none is tried.
create table failed_log_in (
  subject text primary key,
  clear_at bigint not null,
  blocked_until bigint not null
);
create index failed_log_in_clear on failed_log_in (clear_at);
