// The SQL of movements: many at once, with a few statements for all of them.

import { customers } from '../../identity/customers/store.ts'
import { locking, reading, writing } from '../../platform/database/database.ts'
import { inList, inTextList } from '../../platform/database/row-list-store.ts'
import type { Column, RowOf } from '../../platform/database/table-store.ts'
import { bigint, money, oneOf, orNull, rowList, table, text } from '../../platform/database/table-store.ts'
import type { AccountKind } from './ledger-store.ts'

export const MOVEMENT_KINDS = ['stake', 'winnings', 'void', 'adjustment'] as const
export type MovementKind = (typeof MOVEMENT_KINDS)[number]

const moving = customers.pick('id, currency, status, play_from, erased_at')
export type MovingCustomer = RowOf<typeof moving>

/** By ascending id, so that two batches cannot deadlock. */
export const lockMovingCustomers = locking<{ ids: string }, MovingCustomer>('lockMovingCustomers')`
  select ${moving.columns()} from customer where id ${inList('ids')} order by id for no key update`

export const movements = table('movement', {
  reference: text,
  customer_id: bigint,
  kind: oneOf(MOVEMENT_KINDS),
  amount: money,
  currency: text,
  bet_id: orNull(bigint),
  at: bigint,
})
const stored = movements.omit('currency, at')
export type MovementRow = RowOf<typeof stored>

export const movementsByReference = reading<{ references: string }, MovementRow>('movementsByReference')`
  select ${stored.columns()} from movement where reference ${inTextList('references')}`

/** Adjustments that credited these customers since a time, in their currency. */
export const adjustedSince = reading<{ ids: string; since: number }, { customer_id: number; adjusted: string }>(
  'adjustedSince',
)`
  select m.customer_id, cast(sum(m.amount) as text) as adjusted from movement m join customer c on c.id = m.customer_id
  where m.customer_id ${inList('ids')} and m.kind = 'adjustment' and m.amount > 0 and m.at >= :since and m.currency = c.currency
  group by m.customer_id`

export const accounts = table('account', {
  id: bigint,
  customer_id: orNull(bigint),
  kind: text as Column<AccountKind>,
  currency: text,
  balance: orNull(money),
  lines: bigint,
  moved_at: bigint,
})
export type AccountRow = RowOf<typeof accounts>

/** Their rows must be locked. */
export const accountsOfCustomers = reading<{ ids: string }, AccountRow>('accountsOfCustomers')`
  select ${accounts.columns()} from account where customer_id ${inList('ids')}`

export const insertMovements = writing<{ rows: string }, { id: number; reference: string }>('insertMovements')`
  ${movements.insertRows} returning id, reference`

export const balanceList = rowList({ id: bigint, balance: money, lines: bigint, moved_at: bigint })

export const setBalances = writing<{ rows: string }>('setBalances')`
  update account set balance = given.balance, lines = given.lines, moved_at = given.moved_at
  from (${balanceList.select}) as given where account.id = given.id`
