// What is stored about a customer at one moment, and the sums of it. The service's own sums are not used.

import { reading } from '../../src/platform/database/database.ts'
import type { World } from './world.ts'

type Kind = 'customer' | 'card' | 'deposit' | 'refund' | 'dispute' | 'withdrawal' | 'movement'

/**
 * `of`: the card of a deposit or withdrawal, the deposit of a refund or dispute, the kind of a movement. `by`: who requested a refund,
 * or approved a withdrawal first. `held`: who holds a withdrawal; of a refund, that it waits for approval. `at`: when it was
 * made; of a customer, from when on they may play.
 */
export type Row = {
  readonly what: Kind
  readonly id: string
  readonly of: string | null
  readonly key: string | null
  /** At the bank. */
  readonly reference: string | null
  readonly amount: string
  /** What the customer was debited for a refund or dispute. */
  readonly debited: string
  readonly state: string
  readonly review: string | null
  readonly by: string | null
  readonly held: string | null
  readonly at: number
}

const rowsOf = reading<{ customerId: number }, Row>('booksOfSchedule')`
  select 'customer' as what, cast(id as text) as id, null as of, null as key, null as reference, cast(verified as text) as amount, '0' as debited,
    status as state, null as review, null as by, null as held, play_from as at from customer where id = :customerId
  union all select 'card', cast(id as text), null, null, null, '0', '0', '', null, null, null, 0
    from payment_method where customer_id = :customerId
  union all select * from (select 'deposit', id, cast(payment_method_id as text), idempotency_key, id, cast(amount as text), '0', state, review,
    null, null, created_at from deposit where customer_id = :customerId order by number)
  union all select 'refund', cast(id as text), deposit_id, null, reference, cast(amount as text), cast(debited as text), state, null,
    requested_by, case when needs_approval = 1 and approved_by is null then 'waits' end, created_at
    from refund where customer_id = :customerId
  union all select 'dispute', cast(id as text), deposit_id, null, null, cast(amount as text), cast(debited as text), state, null, null, null, 0
    from dispute where customer_id = :customerId
  union all select 'withdrawal', cast(id as text), cast(payment_method_id as text), coalesce(requested_by, '') || '/' || idempotency_key,
    reference, cast(amount as text), '0', state, review, approved_by, held_by, created_at from withdrawal where customer_id = :customerId
  union all select 'movement', reference, kind, null, null, cast(amount as text), '0', '', null, null, null, 0
    from movement where customer_id = :customerId`

export type Books = { readonly now: number; readonly customer: Row; of(what: Kind): Row[] }

/** Deposits in the order in which they were made. */
export async function readBooks({ context }: World, customerId: number, now: number): Promise<Books> {
  const rows = await context.database.query(rowsOf, { customerId })
  const of = (what: Kind) => rows.filter((row) => row.what === what)
  return { now, customer: of('customer')[0] as Row, of }
}

export function sum(rows: readonly Row[], amountOf = ({ amount }: Row) => amount): bigint {
  return rows.reduce((total, row) => total + BigInt(amountOf(row)), 0n)
}

export const isCaptured = ({ state }: Row) => state === 'CAPTURED'

/** In the customer's account, and not certain to be at the gateway. */
export const isUncaptured = ({ state, review }: Row) =>
  state === 'AUTHORISED' || (state === 'REVIEW' && review?.startsWith('capture-') === true)

export const isOut = ({ state }: Row) => state !== 'RETURNED' && state !== 'REFUSED'

/** What the customer has; negative: what they owe. */
export function wealthOf(books: Books): bigint {
  const paidIn = sum(books.of('deposit').filter((row) => isCaptured(row) || isUncaptured(row)))
  const debited = ({ debited }: Row) => debited
  const takenBack = sum(books.of('refund'), debited) + sum(books.of('dispute'), debited)
  const out = sum(books.of('withdrawal').filter((row) => isOut(row) && row.review !== 'paid-after-return'))
  const moved = sum(books.of('movement'), ({ of, amount }) => (of === 'stake' ? `-${amount}` : amount))
  return paidIn - takenBack - out + moved
}

export function balanceOf(books: Books): bigint {
  const wealth = wealthOf(books)
  return wealth > 0n ? wealth : 0n
}

/** What went back to the card of the deposit. */
export function returnedOf(books: Books, deposit: string): bigint {
  const ofDeposit = (row: Row) => row.of === deposit
  const refunds = books.of('refund').filter((row) => ofDeposit(row) && row.state !== 'FAILED')
  return sum(refunds) + sum(books.of('dispute').filter(ofDeposit), ({ debited }) => debited)
}
