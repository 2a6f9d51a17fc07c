// A person has looked a deposit in review up at the gateway. captured: it took the money; voided: it did not, or returned it.

import type { Actor } from '../../identity/operators/person.ts'
import type { Context } from '../../platform/context.ts'
import type { Database } from '../../platform/database/database.ts'
import { recordCapture, resolveAsVoided } from '../deposits/captures.ts'
import { type LockedDeposit, lockDepositOf } from '../deposits/facts-store.ts'
import { type BrokenRule, creditFault } from '../deposits/rules.ts'
import { bookEarlyDisputes, bookVoidedDisputes } from '../disputes/disputes.ts'
import { bookRefunds } from '../refunds/notified.ts'
import { refundUncredited } from '../refunds/uncredited.ts'
import { withMoneyGone } from '../withdrawals/money-gone.ts'
import { decideResolution } from './resolutions.ts'

export type Resolution = { readonly outcome: 'captured' | 'voided'; readonly by: Actor; readonly note: string }
type Resolved = 'resolved' | 'proposed' | 'no such deposit' | 'not in review' | BrokenRule

/**
 * The transfers that are missing for the outcome are written. `fault`: a credit is missing, and the rules no longer allow it. proposed: the
 * amount needs a second person, who decides the same; until then nothing moves.
 */
export async function resolveDeposit(context: Context, id: string, resolution: Resolution): Promise<Resolved> {
  return context.database.transaction(async (tx): Promise<Resolved> => {
    const deposit = await tx.one(lockDepositOf, { id })
    if (deposit === undefined) return 'no such deposit'
    if (deposit.state !== 'REVIEW') return 'not in review'
    const now = context.now()
    const isUncredited = resolution.outcome === 'captured' && deposit.review?.startsWith('cancel-') === true
    const isExcluded = isUncredited && (deposit.play_from > now || deposit.status === 'self-excluded')
    const broken = isUncredited && !isExcluded ? await creditFault(context, tx, deposit) : null
    if (broken !== null) return broken
    const { outcome, note, by } = resolution
    const of = { customerId: deposit.customer_id, amount: BigInt(deposit.amount), currency: deposit.currency }
    const names = await decideResolution(tx, context, { subject: `deposit ${id}`, ...of, outcome, note, by }, now)
    if (names === null) return 'proposed'
    const detail = { outcome, note, by: names }
    if (isExcluded) await refundUncredited(tx, deposit, { detail: JSON.stringify(detail), by }, now)
    else await resolve(tx, deposit, { outcome, detail: JSON.stringify(detail) }, now)
    return 'resolved'
  })
}

async function resolve(
  tx: Database,
  deposit: LockedDeposit,
  { outcome, detail }: { readonly outcome: Resolution['outcome']; readonly detail: string },
  now: number,
): Promise<void> {
  const reason = 'the deposit was resolved'
  await withMoneyGone(tx, deposit, { reason, now }, async () => {
    if (outcome === 'voided') {
      await resolveAsVoided(tx, deposit, detail, now)
      return bookVoidedDisputes(tx, deposit, now)
    }
    const amount = BigInt(deposit.amount)
    const captured = await recordCapture(tx, deposit, { amount, reason: detail, event: 'resolved' }, now)
    await bookEarlyDisputes(tx, captured, now)
    await bookRefunds(tx, captured, now)
  })
}
