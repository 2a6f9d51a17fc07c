-- Which item each open tab of the console shows (src/console-stream), so that people see who else looks at it. Rows that
-- were not renewed for 30 seconds do not count.
create table presence (
  tab text primary key,
  operator text not null,
  kind text not null check (kind in ('profile', 'comment', 'deposit')),
  item_id text not null,
  seen_at bigint not null
);

-- For the newest subjects of a queue.
create index review_by_time on review (kind, flagged_at desc);
