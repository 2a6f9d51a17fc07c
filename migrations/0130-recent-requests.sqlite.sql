-- The last requests of each application in the sandbox, for its developer: `data` is the request as it may be shown. In
-- production they are only in memory.
create table recent_request (
  id integer primary key autoincrement,
  application text not null,
  at bigint not null,
  data text not null
);
create index recent_request_application on recent_request (application, id);
create index recent_request_at on recent_request (at);
