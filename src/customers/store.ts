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
  erased_at: number | null
}

export const customerById = statement<[id: number], CustomerRow>(
  'customerById',
  `select id, username, status, verified, currency, cast(daily_deposit_limit as text) as daily_deposit_limit,
     funds_statement_version, created_at, erased_at
   from customer where id = $1`,
)

export type CustomerState = Omit<CustomerRow, 'id' | 'created_at'> & { password_hash: string | null }

/** What operators change. */
export const lockCustomerState = statement<[id: number], CustomerState>(
  'lockCustomerState',
  `select username, password_hash, status, verified, currency, cast(daily_deposit_limit as text) as daily_deposit_limit,
     funds_statement_version, erased_at
   from customer where id = $1 for update`,
)

export type LockedCustomer = { id: number; status: string; erased_at: number | null }

export const lockCustomer = statement<[id: number], LockedCustomer>(
  'lockCustomer',
  'select id, status, erased_at from customer where id = $1 for update',
)

export const activeCustomer = statement<[id: number], { id: number }>(
  'activeCustomer',
  `select id from customer where id = $1 and status = 'active'`,
)

export const passwordHashOf = statement<[id: number], { password_hash: string | null }>(
  'passwordHashOf',
  'select password_hash from customer where id = $1',
)

export const insertCustomer = statement<[id: number, fundsStatementVersion: number, now: number]>(
  'insertCustomer',
  `insert into customer (id, status, verified, currency, funds_statement_version, created_at)
   values ($1, 'active', 1, 'GBP', $2, $3) on conflict (id) do nothing`,
)

/** A null leaves the field as it is; `limitGiven` tells the limit null (the service's own) from none given. */
export const updateCustomer = statement<
  readonly [
    id: number,
    username: string | null,
    passwordHash: string | null,
    status: string | null,
    verified: number | null,
    currency: string | null,
    limitGiven: number,
    dailyDepositLimit: string | null,
    fundsStatementVersion: number | null,
  ]
>(
  'updateCustomer',
  `update customer set
     username = coalesce($2, username), password_hash = coalesce($3, password_hash), status = coalesce($4, status),
     verified = coalesce($5, verified), currency = coalesce($6, currency),
     daily_deposit_limit = case when cast($7 as integer) = 1 then cast($8 as bigint) else daily_deposit_limit end,
     funds_statement_version = coalesce($9, funds_statement_version)
   where id = $1`,
)

export const reinstate = statement<[id: number]>(
  'reinstate',
  `update customer set status = 'active', erased_at = null where id = $1`,
)

/** Closed, so that no ticket opens it, wherever it comes from. */
export const eraseCustomer = statement<[id: number, now: number]>(
  'eraseCustomer',
  `update customer set username = null, password_hash = null, erased_at = coalesce(erased_at, $2),
     status = case when status = 'self-excluded' then status else 'closed' end
   where id = $1`,
)
