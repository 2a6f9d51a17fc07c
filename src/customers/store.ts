import { statement } from '../database/database.ts'

export type CustomerRow = {
  id: number
  username: string | null
  status: string
  verified: number
  currency: string
  daily_deposit_limit: string | null
  funds_statement_version: number
  created_at: number
}

export const customerById = statement<[id: number], CustomerRow>(
  'customerById',
  `select id, username, status, verified, currency, cast(daily_deposit_limit as text) as daily_deposit_limit,
     funds_statement_version, created_at
   from customer where id = $1`,
)

export const lockCustomer = statement<[id: number], { id: number }>(
  'lockCustomer',
  'select id from customer where id = $1 for update',
)

export const customerExists = statement<[id: number], { id: number }>(
  'customerExists',
  'select id from customer where id = $1',
)

/** PUT: what is not given takes its default, except the log-in, which is kept. */
export const upsertCustomer = statement<
  [
    id: number,
    username: string | null,
    passwordHash: string | null,
    status: string,
    verified: number,
    currency: string,
    dailyDepositLimit: string | null,
    fundsStatementVersion: number,
    now: number,
  ]
>(
  'upsertCustomer',
  `insert into customer
     (id, username, password_hash, status, verified, currency, daily_deposit_limit, funds_statement_version, created_at)
   values ($1, $2, $3, $4, $5, $6, cast($7 as bigint), $8, $9)
   on conflict (id) do update set
     username = coalesce(excluded.username, customer.username),
     password_hash = coalesce(excluded.password_hash, customer.password_hash),
     status = excluded.status, verified = excluded.verified, currency = excluded.currency,
     daily_deposit_limit = excluded.daily_deposit_limit,
     funds_statement_version = excluded.funds_statement_version`,
)

export const forgetLogIn = statement<[id: number]>(
  'forgetLogIn',
  'update customer set username = null, password_hash = null where id = $1',
)
