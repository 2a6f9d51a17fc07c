-- One row that every process updates each second (src/database/postgres/write-check.ts). It shows that the primary takes
-- writes; its timeline shows on a replica which primary the replica follows; a number that went back shows that an
-- acknowledged write was lost.
create table heartbeat (
  id integer primary key check (id = 1),
  number bigint not null,
  timeline integer not null,
  -- The number with which the timeline began.
  timeline_start bigint not null
);
insert into heartbeat (id, number, timeline, timeline_start) values (1, 0, 0, 0);
