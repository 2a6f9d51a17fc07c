-- The rows of profile_count, comment_count and outcome_count follow the rows that they count, whoever inserts or deletes
-- these. Later changes of a follow or a comment (shown, state, status) are counted by the statements that make them.

create trigger profile_counted after insert on profile
begin
  insert into profile_count (profile_id) values (new.id);
end;

create trigger follow_counted after insert on follow when new.shown = 1
begin
  update profile_count set num_followings = num_followings + 1 where profile_id = new.follower_id;
  update profile_count set num_followers = num_followers + 1 where profile_id = new.followee_id;
end;
create trigger follow_uncounted after delete on follow when old.shown = 1
begin
  update profile_count set num_followings = num_followings - 1 where profile_id = old.follower_id;
  update profile_count set num_followers = num_followers - 1 where profile_id = old.followee_id;
end;

-- A comment is inserted while its author is active (createTip).
create trigger comment_counted after insert on comment
begin
  insert into comment_count (comment_id, author_id, outcome_id, sport_id, listed)
  values (new.id, new.author_id, new.outcome_id, new.sport_id, new.listed);
end;
create trigger live_comment_counted after insert on comment when new.listed = 'A'
begin
  update profile_count set num_live = num_live + 1 where profile_id = new.author_id;
  insert into outcome_count (outcome_id, num_live) values (new.outcome_id, 1)
  on conflict (outcome_id) do update set num_live = num_live + 1 where settled = 0;
end;

-- A comment is liked and unliked while its author is active (insertLike, deleteLike).
create trigger like_counted after insert on comment_like
begin
  update comment_count set likes = likes + 1 where comment_id = new.comment_id;
  update outcome_count set likes = likes + 1
  where outcome_id = (select outcome_id from comment_count where comment_id = new.comment_id and listed = 'A')
    and settled = 0;
end;
create trigger like_uncounted after delete on comment_like
begin
  update comment_count set likes = likes - 1 where comment_id = old.comment_id;
  update outcome_count set likes = likes - 1
  where outcome_id = (select outcome_id from comment_count where comment_id = old.comment_id and listed = 'A')
    and settled = 0;
end;
