-- People who signed in to the console through an OpenID provider. The cookie is stored only as its hash.

create table console_session (
  id {{identity}},
  cookie_hash text not null unique,
  name text not null,
  role text not null,
  subject text not null,
  created_at bigint not null,
  used_at bigint not null,
  expires_at bigint not null
);
create index console_session_expiry on console_session (expires_at);
