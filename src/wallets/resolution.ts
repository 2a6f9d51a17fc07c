import type { Context } from '../platform/context.ts'
import type { Database } from '../platform/database/database.ts'
import { lockDepositWithFacts } from './deposit-facts-store.ts'
import { type BrokenRule, creditFault } from './deposit-rules.ts'
import { transferOf } from './deposit-transitions.ts'
import { settleDisputes } from './disputes.ts'
import { expectedTransfers } from './expected-transfers.ts'
import { balanceOf, transfer } from './ledger.ts'
import type { TransferKind } from './ledger-store.ts'
import { settleRefunds } from './refund-notifications.ts'
import { debitedOf } from './refund-store.ts'
import { lastProposal } from './reports-store.ts'
import { type DepositRow, insertDepositEvent, resolveDeposit } from './store.ts'

type Resolution = { outcome: 'captured' | 'voided'; by: string; note: string }
type Resolved =
  | 'resolved'
  | 'proposed'
  | 'proposed by the same operator'
  | 'no such deposit'
  | 'not in review'
  | 'already spent'
  | 'returned'
  | BrokenRule

type Proposal = Resolution & { at: number }

const PROPOSED = 'resolution proposed'

/**
 * An operator has looked the payment up at the gateway. captured: it took the money; voided: it did not, or returned
 * it. The transfers that are missing for that outcome are written. `fault`: a credit is missing, and the rules no longer
 * allow it. 'returned': refunds or disputes were debited, so that reversing the credit would debit the customer twice.
 * 'proposed': the amount needs a second operator, who decides the same; until then nothing moves.
 */
export async function resolveReview(context: Context, id: string, resolution: Resolution) {
  return context.database.transaction(async (tx): Promise<Resolved> => {
    const deposit = await tx.one(lockDepositWithFacts, { id })
    const now = context.now()
    if (deposit === undefined) return 'no such deposit'
    if (deposit.state !== 'REVIEW') return 'not in review'
    const kinds = resolution.outcome === 'captured' ? transfersToCapture(deposit) : transfersToVoid(deposit)
    const broken = kinds.includes('credit') ? await creditFault(context, tx, deposit) : null
    if (broken !== null) return broken
    if (kinds.includes('reversal')) {
      if (BigInt((await tx.one(debitedOf, { depositId: id }))?.debited ?? '0') > 0n) return 'returned'
      const balance = await balanceOf(tx, deposit.customer_id, deposit.currency)
      if (balance < BigInt(deposit.amount)) return 'already spent'
    }
    if (BigInt(deposit.amount) > context.config.wallets.resolutionFourEyesAbove) {
      const proposal = await readProposal(tx, id)
      if (proposal?.outcome !== resolution.outcome) return propose(tx, id, resolution, now)
      if (proposal.by === resolution.by) return 'proposed by the same operator'
    }
    const transfers = kinds.map((kind) => transferOf(kind, deposit))
    await transfer(tx, transfers, now)
    await tx.run(resolveDeposit, { id, state: resolution.outcome === 'captured' ? 'CAPTURED' : 'VOIDED' })
    if (resolution.outcome === 'captured') {
      const captured = { ...deposit, state: 'CAPTURED' } as const
      await settleDisputes(tx, captured, now)
      await settleRefunds(tx, captured, now)
    }
    const detail = JSON.stringify({ outcome: resolution.outcome, note: resolution.note, by: resolution.by })
    await tx.run(insertDepositEvent, { depositId: id, now, event: 'resolved', detail }, 'last')
    return 'resolved'
  })
}

/** What an operator has decided about a deposit in review, for another operator to confirm. */
export async function readProposal(database: Database, depositId: string): Promise<Proposal | null> {
  const last = await database.one(lastProposal, { depositId })
  return last?.event === PROPOSED ? { ...(JSON.parse(last.detail) as Resolution), at: last.at } : null
}

/** One of somebody else with another outcome no longer counts. */
async function propose(tx: Database, depositId: string, resolution: Resolution, now: number): Promise<'proposed'> {
  const { outcome, note, by } = resolution
  await tx.run(insertDepositEvent, { depositId, now, event: PROPOSED, detail: JSON.stringify({ outcome, note, by }) })
  return 'proposed'
}

function transfersToCapture({ state, review }: DepositRow): TransferKind[] {
  const { credits, captures } = expectedTransfers(state, review)
  return [...(credits === 0 ? (['credit'] as const) : []), ...(captures === 0 ? (['capture'] as const) : [])]
}

function transfersToVoid({ state, review }: DepositRow): TransferKind[] {
  const { credits, captures } = expectedTransfers(state, review)
  return [...(captures === 1 ? (['uncapture'] as const) : []), ...(credits === 1 ? (['reversal'] as const) : [])]
}
