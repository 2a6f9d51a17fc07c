-- A settlement changes the counts of profiles first, and the lists of their comments afterwards
-- (src/communities/tip-status.ts). In between, a comment is counted under the status in this table; without a row, under
-- comment.status. No foreign key: comments are never deleted, and checking each row cost a fifth of the counting.
create table counted_status (
  comment_id {{key}},
  status text not null check (status in ('A', 'W', 'L', 'V'))
);

-- Comments up to count_position are counted under the result of their outcome; null: all are.
alter table comment_work add column count_position bigint;
update comment_work set count_position = 0;

-- Room in each page for new versions of its rows: an update of num_live then writes no index. Counting 100,000 tips costs
-- a fifth less.
alter table profile_count set (fillfactor = 80);
cluster profile_count using profile_count_pkey;
