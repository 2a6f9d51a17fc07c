// A person has looked a refund up at the gateway.

import type { Actor } from '../../identity/operators/person.ts'
import type { Context } from '../../platform/context.ts'
import type { Database } from '../../platform/database/database.ts'
import { Refused } from '../../platform/runtime/refused.ts'
import { depositById } from '../deposits/store.ts'
import { type Proposal, readProposal } from '../proposals.ts'
import { openOf } from '../refunds/outgoing.ts'
import { decideRefund } from '../refunds/refund.ts'
import type { RefundRow } from '../refunds/store.ts'
import { bookOpen, confirmPaid, dismissReview, outgoingOf, type TimedReport } from '../refunds/transitions.ts'
import { withMoneyGone } from '../withdrawals/money-gone.ts'
import { decideResolution } from './resolutions.ts'

type Resolution = { readonly outcome: 'done' | 'failed'; readonly note: string; readonly by: Actor }

/** The refund as stored afterwards, and the proposal that waits for a second person. */
export type ResolvedRefund = { readonly refund: RefundRow; readonly proposal: Proposal | null }

export async function resolveRefund(context: Context, id: number, resolution: Resolution): Promise<ResolvedRefund> {
  const { outcome, note, by } = resolution
  const subject = `refund ${id}` as const
  let proposal: Proposal | null = null
  const refund = await decideRefund(context, id, async (tx, refund, now) => {
    proposal = null
    refuseUnlessOpen(refund)
    const of = { subject, customerId: refund.customer_id, amount: BigInt(refund.amount), currency: refund.currency }
    const names = await decideResolution(tx, context, { ...of, outcome, note, by }, now)
    if (names === null) {
      proposal = await readProposal(tx, subject)
      return
    }
    const reason = `${names}: ${note}`
    const report = { gatewayReference: null, reason, now }
    if (refund.review !== 'paid-after-return' || outcome === 'failed') return decideOpen(tx, refund, outcome, report)
    const deposit = await tx.one(depositById, { id: refund.deposit_id })
    if (deposit === undefined) throw new Error(`refund ${id} has no deposit`)
    await withMoneyGone(tx, deposit, { reason, now }, () => confirmPaid(tx, refund, report))
  })
  return { refund, proposal }
}

/** Nothing moves where nothing is open, unless what counts as paid did not arrive. */
async function decideOpen(
  tx: Database,
  refund: RefundRow,
  outcome: Resolution['outcome'],
  report: TimedReport,
): Promise<void> {
  const { paid, ...sums } = outgoingOf(refund)
  const isPaid = outcome === 'failed' && refund.review === 'another-amount' && paid > 0n
  if (openOf({ ...sums, paid }) === 0n && !isPaid) return dismissReview(tx, refund, report)
  await bookOpen(tx, refund, outcome === 'done' ? 'paid' : 'returned', report)
}

function refuseUnlessOpen({ state, origin, begun_at }: RefundRow): void {
  if (origin === 'withdrawal') throw new Refused('conflict', 'The refund is part of a withdrawal: resolve that.')
  if (state === 'REVIEW' || (state === 'SENT' && begun_at !== null)) return
  throw new Refused('conflict', `The refund is ${state}: only one that is SENT or in REVIEW can be decided.`)
}
