// The SQL of what limits need of customers and their deposits.

import type { CustomerStatus } from '../../identity/customers/status.ts'
import { locking, reading } from '../../platform/database/database.ts'

export type DepositorRow = {
  id: number
  status: CustomerStatus
  verified: number
  currency: string
  daily_deposit_limit: string | null
  funds_statement_version: number
  /** null: the customer has set no limits (limits.ts). */
  limits_prompted_at: number | null
  /** Not before, by the customer's own time-out or self-exclusion (identity/exclusions/exclusion.ts). */
  play_from: number
  /** The name on record. */
  first_name: string | null
  last_name: string | null
  /** When it was changed, or set beside money; null: never. */
  name_changed_at: number | null
}

/** Everybody who moves a customer's money locks the customer first, and reads what it decides by with the next statement. */
export const lockDepositor = locking<{ customerId: number }, DepositorRow>(
  'lockDepositor',
  `select id, status, verified, currency, cast(daily_deposit_limit as text) as daily_deposit_limit,
     funds_statement_version, limits_prompted_at, play_from, first_name, last_name, name_changed_at
   from customer where id = :customerId for no key update`,
)

/** The deposits that count against limits: every one that has not failed, undecided ones too. */
export const COUNTED_STATES = `'AUTHORISING', 'CHALLENGE', 'AUTHORISED', 'CAPTURED', 'REVIEW'`

/** The amount that counts against the daily limit. */
export const depositedBy = (customer: string, day: string, currency: string) =>
  `select cast(coalesce(sum(amount), 0) as text) as used from deposit
   where customer_id = ${customer} and day = ${day} and currency = ${currency} and state in (${COUNTED_STATES})`

export const depositedOn = reading<{ customerId: number; day: number; currency: string }, { used: string }>(
  'depositedOn',
  depositedBy(':customerId', ':day', ':currency'),
)
