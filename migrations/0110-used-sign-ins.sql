-- Attempts to sign in to the console that were completed: each can be completed once.
create table used_sign_in (
  attempt_hash text primary key,
  used_at bigint not null
);
create index used_sign_in_time on used_sign_in (used_at);
