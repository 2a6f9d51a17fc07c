-- A list asks for each of its comments whether the viewer likes it. By profile first, all of those stand side by side; by
-- comment first, each stood on a page of its own. Nothing asks for the likes of a comment: comment_count has them.
drop index comment_like_of_profile;
alter table comment_like drop constraint comment_like_pkey, add primary key (profile_id, comment_id);
