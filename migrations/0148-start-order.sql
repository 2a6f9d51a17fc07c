-- The start of the event, negated: lists by start are read in descending order, as the others are.
alter table comment rename column sooner to start_order;
