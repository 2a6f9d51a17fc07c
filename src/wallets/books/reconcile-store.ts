// The SQL of reconciliation.

import { reading } from '../../platform/database/database.ts'
import type { PartState } from '../withdrawals/part-store.ts'

type Page = { after: number; until: number; limit: number }
type Stored = { id: string; gateway: string; number: number }

/** Captured deposits by number, after one and until another. */
export const capturedBetween = reading<Page, Stored>('capturedBetween')`
  select id, gateway, number from deposit where number > :after and number <= :until and state = 'CAPTURED' order by number limit :limit`

/**
 * Payouts that were paid, by id, after one and until another, with their references in the gateway's reports. A payout of an earlier
 * version is one for all its parts.
 */
export const paidBetween = reading<Page, Stored>('paidBetween')`
  select p.reference as id, p.gateway, p.id as number from withdrawal_part p join withdrawal w on w.id = p.withdrawal_id
  where p.id > :after and p.id <= :until and p.kind = 'payout' and p.paid > 0 and (w.before_parts = 0 or p.reference = w.reference)
  order by p.id limit :limit`

export type ReportedPartRow = {
  id: number
  gateway: string
  amount: string
  /** Where the money is now: with the customer's bank, or with us again. */
  paid: string
  returned: string
  /** What had been paid, and came back. */
  came_back: string
  currency: string
  state: PartState
}

/** Of one part, or of all of a payout of an earlier version. */
const sumOf = (column: string) =>
  `cast((select sum(s.${column}) from withdrawal_part s where s.withdrawal_id = p.withdrawal_id and s.currency = p.currency
    and (s.id = p.id or w.before_parts = 1)) as text)`

const BACK = `('payout_back', 'return_back', 'payout_reversed')`

/** By our reference. */
export const partByReference = reading<{ reference: string }, ReportedPartRow>('partByReference')`
  select p.id, p.gateway, ${sumOf('amount')} as amount, ${sumOf('paid')} as paid, ${sumOf('returned')} as returned, p.currency, p.state,
    cast(coalesce((select sum(t.amount) from withdrawal_part s join transfer t on t.part_id = s.id where s.withdrawal_id = p.withdrawal_id
        and (s.id = p.id or w.before_parts = 1) and t.currency = p.currency and t.kind in ${BACK}), 0)
      + coalesce((select sum(t.amount) from transfer t where t.withdrawal_id = p.withdrawal_id and w.before_parts = 1
        and t.currency = p.currency and t.kind in ${BACK}), 0) as text) as came_back
  from withdrawal_part p join withdrawal w on w.id = p.withdrawal_id where p.reference = :reference and p.kind = 'payout'`
