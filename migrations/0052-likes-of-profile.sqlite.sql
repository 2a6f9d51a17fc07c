-- A list asks for each of its comments whether the viewer likes it. By profile first, all of those stand side by side; by
-- comment first, each stood on a page of its own. Nothing asks for the likes of a comment: comment_count has them.
create table comment_like_of_profile_first (
  profile_id bigint not null references profile (id),
  comment_id bigint not null references comment (id),
  created_at bigint not null,
  primary key (profile_id, comment_id)
) without rowid;
insert into comment_like_of_profile_first (profile_id, comment_id, created_at)
  select profile_id, comment_id, created_at from comment_like order by profile_id, comment_id;
drop table comment_like;
alter table comment_like_of_profile_first rename to comment_like;
create index comment_like_by_day on comment_like (created_at);
