// The SQL of what limits need of customers and their deposits.

import { customers } from '../../identity/customers/store.ts'
import { locking, reading } from '../../platform/database/database.ts'
import type { RowOf } from '../../platform/database/table-store.ts'

const depositors = customers.pick(
  'id, status, verified, currency, daily_deposit_limit, funds_statement_version, limits_prompted_at, play_from',
  'first_name, last_name, name_changed_at',
)
export type DepositorRow = RowOf<typeof depositors>

/** Everybody who moves a customer's money locks the customer first, and reads what it decides by with the next statement. */
export const lockDepositor = locking<{ customerId: number }, DepositorRow>('lockDepositor')`
  select ${depositors.columns()} from customer where id = :customerId for no key update`

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
