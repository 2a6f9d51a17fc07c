-- The migrations after which a version without them may go on, so that such a version knows what a later one did (migrations/list.json).
create table neighbour (
  number integer primary key
);
