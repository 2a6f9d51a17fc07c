-- Who calls: applications, customers and their sessions; who operates: tokens and the audit trail.

create table application (
  api_key text primary key,
  name text not null,
  secret_hash text not null,
  previous_secret_hash text,
  previous_secret_until bigint,
  rate_per_second integer,
  rate_per_minute integer,
  created_at bigint not null,
  revoked_at bigint
);

create table customer (
  id {{key}},
  username text unique,
  password_hash text,
  status text not null check (status in ('active', 'suspended', 'closed', 'self-excluded')),
  verified integer not null check (verified in (0, 1)),
  currency text not null,
  daily_deposit_limit bigint check (daily_deposit_limit >= 0),
  funds_statement_version integer not null,
  created_at bigint not null
);

-- A ticket is stored only as its hash. idle_ms is null for extended sessions, which have no idle expiry.
create table session (
  ticket_hash text primary key,
  customer_id bigint not null references customer (id),
  created_at bigint not null,
  used_at bigint not null,
  expires_at bigint not null,
  idle_ms bigint
);
create index session_expiry on session (expires_at);
create index session_customer on session (customer_id);

create table operator_token (
  id {{identity}},
  name text not null,
  role text not null check (role in ('admin', 'feed', 'moderator', 'auditor')),
  token_hash text not null unique,
  created_at bigint not null,
  revoked_at bigint
);

create table audit (
  id {{identity}},
  at bigint not null,
  actor text not null,
  role text not null,
  action text not null,
  subject text not null,
  detail text not null
);

-- A lock with a name, for the few decisions that must not run beside each other.
create table turnstile (
  name text primary key
);
