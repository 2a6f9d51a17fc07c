// The SQL of movements: many at once, with a few statements for all of them.

import type { CustomerStatus } from '../../identity/customers/status.ts'
import { locking, reading, writing } from '../../platform/database/database.ts'
import { inList, inTextList } from '../../platform/database/row-list-store.ts'
import { bigint, money, orNull, rowList, table, text } from '../../platform/database/table-store.ts'
import type { AccountKind } from './ledger-store.ts'

export const MOVEMENT_KINDS = ['stake', 'winnings', 'void', 'adjustment'] as const
export type MovementKind = (typeof MOVEMENT_KINDS)[number]

export type MovingCustomer = {
  id: number
  currency: string
  status: CustomerStatus
  play_from: number
  erased_at: number | null
}

/** By ascending id, so that two batches cannot deadlock. */
export const lockMovingCustomers = locking<{ ids: string }, MovingCustomer>('lockMovingCustomers')`
  select id, currency, status, play_from, erased_at from customer where id ${inList('ids')} order by id for no key update`

export type MovementRow = {
  reference: string
  customer_id: number
  kind: MovementKind
  amount: string
  bet_id: number | null
}

export const movementsByReference = reading<{ references: string }, MovementRow>('movementsByReference')`
  select reference, customer_id, kind, cast(amount as text) as amount, bet_id
  from movement where reference ${inTextList('references')}`

/** Adjustments that credited these customers since a time, in their currency. */
export const adjustedSince = reading<{ ids: string; since: number }, { customer_id: number; adjusted: string }>(
  'adjustedSince',
)`
  select m.customer_id, cast(sum(m.amount) as text) as adjusted from movement m join customer c on c.id = m.customer_id
  where m.customer_id ${inList('ids')} and m.kind = 'adjustment' and m.amount > 0 and m.at >= :since and m.currency = c.currency
  group by m.customer_id`

export type AccountRow = {
  id: number
  customer_id: number | null
  kind: AccountKind
  currency: string
  balance: string | null
  lines: number
  moved_at: number
}

/** Their rows must be locked. */
export const accountsOfCustomers = reading<{ ids: string }, AccountRow>('accountsOfCustomers')`
  select id, customer_id, kind, currency, cast(balance as text) as balance, lines, moved_at
  from account where customer_id ${inList('ids')}`

export const movementList = table('movement', {
  reference: text,
  customer_id: bigint,
  kind: text,
  amount: money,
  currency: text,
  bet_id: orNull(bigint),
  at: bigint,
})

export const insertMovements = writing<{ rows: string }, { id: number; reference: string }>('insertMovements')`
  ${movementList.insertRows} returning id, reference`

export const balanceList = rowList({ id: bigint, balance: money, lines: bigint, moved_at: bigint })

export const setBalances = writing<{ rows: string }>('setBalances')`
  update account set balance = given.balance, lines = given.lines, moved_at = given.moved_at
  from (${balanceList.select}) as given where account.id = given.id`
