-- The windows over everybody's comments of one sport. Without them a feed of a sport looks through the comments of all
-- sports: for a rare one, or in the order of event times (where one large event may come first), through nearly all.
-- "id > 0" is always so; said here, only a statement that says it too can use these indexes. PostgreSQL would take them
-- for those of one author otherwise, where it believes that few comments share an event's time.
create index comment_newest_of_sport_of_all on comment (listed, sport_id, id desc, author_id)
  where listed is not null and id > 0;
create index comment_soonest_of_sport_of_all on comment (listed, sport_id, sooner desc, id desc, author_id)
  where listed is not null and id > 0;
create index comment_most_liked_of_sport_of_all
  on comment_count (listed, sport_id, likes desc, comment_id desc, author_id)
  where listed is not null and comment_id > 0;

-- Those over all sports need the sport no more; with it, PostgreSQL would take them for the others.
drop index comment_newest_of_all;
create index comment_newest_of_all on comment (listed, id desc, author_id) where listed is not null and id > 0;
drop index comment_soonest_of_all;
create index comment_soonest_of_all on comment (listed, sooner desc, id desc, author_id)
  where listed is not null and id > 0;
drop index comment_most_liked_of_all;
create index comment_most_liked_of_all on comment_count (listed, likes desc, comment_id desc, author_id)
  where listed is not null and comment_id > 0;
