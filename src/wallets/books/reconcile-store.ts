// The SQL of reconciliation.

import { reading } from '../../platform/database/database.ts'
import type { PartState } from '../withdrawals/part-store.ts'

export type Page = { readonly after: number; readonly until: number; readonly limit: number }
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

/** The sum of one part, or of all parts of a payout of an earlier version. */
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

// ---- Money that went back, in a time

type InTime = { gateway: string; from: number; until: number; after: number; limit: number }

export type MissingRow = {
  id: number
  deposit_id: string
  reference: string
  what: string
  amount: string
  currency: string
}

/** Refunds, and returns of withdrawals, of which something was paid, by id. */
export const refundsBegunIn = reading<InTime, MissingRow>('refundsBegunIn')`
  select r.id, r.deposit_id, r.reference, 'refund' as what, cast(r.paid as text) as amount, r.currency
  from refund r join deposit d on d.id = r.deposit_id
  where r.id > :after and r.paid > 0 and d.gateway = :gateway and coalesce(r.begun_at, r.created_at) between :from and :until
  order by r.id limit :limit`

/** Steps of disputes that moved money, by id. */
export const stepsReportedIn = reading<InTime, MissingRow>('stepsReportedIn')`
  select e.id, s.deposit_id, s.gateway_reference as reference, e.event as what, cast(e.amount as text) as amount, s.currency
  from dispute_event e join dispute s on s.id = e.dispute_id join deposit d on d.id = s.deposit_id
  where e.id > :after and e.event in ('CHARGEBACK', 'SECOND_CHARGEBACK', 'CHARGEBACK_REVERSED') and d.gateway = :gateway
    and e.at between :from and :until
  order by e.id limit :limit`
