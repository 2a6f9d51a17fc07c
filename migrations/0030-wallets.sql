-- Payment methods, deposits, the jobs they leave behind, and the ledger. Money is whole minor units (pence, cents).

-- The id comes from the operator. A removed method stays, because its deposits name it.
create table payment_method (
  id {{key}},
  customer_id bigint not null references customer (id),
  type text not null,
  token text not null,
  min_deposit bigint not null check (min_deposit >= 0),
  max_deposit bigint not null,
  card_number text not null check (length(card_number) between 12 and 19 and card_number like '%**%'),
  issue_date text check (length(issue_date) = 5),
  expiry_date text not null check (length(expiry_date) = 5),
  country text not null,
  scheme text not null,
  funding text not null check (funding in ('debit', 'credit', 'prepaid', 'unknown')),
  wrong_cv2 integer not null default 0 check (wrong_cv2 >= 0),
  created_at bigint not null,
  removed_at bigint,
  check (max_deposit >= min_deposit)
);
create index payment_method_customer on payment_method (customer_id, id);

-- The id is a UUID: our payment id, the gateway's merchant reference and its idempotency key. number is the order in
-- which deposits were made. review says why a person must look at it.
create table deposit (
  number {{identity}},
  id text not null unique,
  customer_id bigint not null references customer (id),
  api_key text not null,
  idempotency_key text,
  payment_method_id bigint not null references payment_method (id),
  gateway text not null,
  amount bigint not null check (amount > 0),
  currency text not null,
  day integer not null,
  state text not null check (state in
    ('AUTHORISING', 'AUTHORISED', 'CAPTURED', 'DECLINED', 'VOIDING', 'VOIDED', 'REVIEW')),
  fault text,
  review text check (review in
    ('capture-refused', 'capture-unresolved', 'capture-failed', 'cancel-says-captured', 'cancel-unresolved')),
  gateway_reference text,
  lease_until bigint not null,
  created_at bigint not null,
  decided_at bigint,
  check ((state = 'AUTHORISING') = (decided_at is null)),
  check (state not in ('DECLINED', 'VOIDING') or fault is not null),
  check (state <> 'REVIEW' or review is not null)
);
-- At most one deposit of a customer is in flight (24011).
create unique index deposit_in_flight on deposit (customer_id) where state = 'AUTHORISING';
create unique index deposit_idempotency on deposit (customer_id, api_key, idempotency_key)
  where idempotency_key is not null;
create index deposit_lease on deposit (lease_until) where state = 'AUTHORISING';
create index deposit_day on deposit (customer_id, day, state, amount);
create index deposit_customer on deposit (customer_id, number desc);
create index deposit_state on deposit (state, number desc);

-- What happened to a deposit, in order. Append-only.
create table deposit_event (
  id {{identity}},
  deposit_id text not null references deposit (id),
  at bigint not null,
  event text not null,
  detail text not null
);
create index deposit_event_deposit on deposit_event (deposit_id, id);

-- What the gateway must still be told. Written with the state that asks for it, removed with the state that it leads to.
create table job (
  id {{identity}},
  deposit_id text not null references deposit (id),
  kind text not null check (kind in ('capture', 'cancel')),
  attempts integer not null default 0,
  run_at bigint not null,
  created_at bigint not null,
  unique (deposit_id, kind)
);
create index job_due on job (run_at);
create index job_age on job (kind, created_at);

-- System accounts keep no balance, so that no row is hot; a customer's can never be negative.
create table account (
  id {{identity}},
  kind text not null check (kind in ('customer', 'psp_uncaptured', 'psp_captured')),
  customer_id bigint references customer (id),
  currency text not null,
  balance bigint check (balance >= 0),
  check ((kind = 'customer') = (customer_id is not null)),
  check ((kind = 'customer') = (balance is not null)),
  unique (id, currency)
);
create unique index account_customer on account (customer_id, currency) where customer_id is not null;
create unique index account_system on account (kind, currency) where customer_id is null;

-- One row is one balanced movement between two accounts of one currency. Append-only.
create table transfer (
  id {{identity}},
  deposit_id text not null references deposit (id),
  kind text not null check (kind in ('credit', 'capture', 'uncapture', 'reversal')),
  debit_account_id bigint not null,
  credit_account_id bigint not null,
  amount bigint not null check (amount > 0),
  currency text not null,
  at bigint not null,
  check (debit_account_id <> credit_account_id),
  foreign key (debit_account_id, currency) references account (id, currency),
  foreign key (credit_account_id, currency) references account (id, currency),
  unique (deposit_id, kind)
);
create index transfer_debit on transfer (debit_account_id, amount);
create index transfer_credit on transfer (credit_account_id, amount);

-- Notifications of the gateway, each taken once.
create table gateway_notification (
  id {{identity}},
  gateway text not null,
  notification_key text not null,
  event text not null,
  success integer not null check (success in (0, 1)),
  deposit_id text not null,
  received_at bigint not null,
  unique (gateway, notification_key)
);
