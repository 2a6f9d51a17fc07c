// A person has looked a part of a withdrawal up at the gateway. paid: the customer has the money; returned: they do not, and it is credited
// again.

import type { Actor } from '../../identity/operators/person.ts'
import type { Database } from '../../platform/database/database.ts'
import { Refused } from '../../platform/runtime/refused.ts'
import type { WalletsContext } from '../context.ts'
import { type Proposal, readProposal } from '../proposals.ts'
import { openOf, reportPaid, reportReturned } from '../refunds/outgoing.ts'
import type { TimedReport } from '../refunds/transitions.ts'
import { holdWhileDebt, withMoneyGone } from '../withdrawals/money-gone.ts'
import { partsOf, type StoredPart } from '../withdrawals/part-store.ts'
import { applyReport, confirmPaid, dismissReview, outgoingOf, type Part, subjectOfPart } from '../withdrawals/parts.ts'
import type { ListedWithdrawalRow, WithdrawalRow } from '../withdrawals/store.ts'
import { lockWithdrawal, withdrawalById } from '../withdrawals/store.ts'
import { decideResolution } from './resolutions.ts'

type Resolution = {
  readonly outcome: 'paid' | 'returned'
  readonly note: string
  readonly by: Actor
  /** null: the one that is in review; with several it must be named. */
  readonly partId: number | null
}

/** The withdrawal as stored afterwards, and the proposal that waits for a second person. */
export type ResolvedWithdrawal = { readonly withdrawal: ListedWithdrawalRow; readonly proposal: Proposal | null }

export async function resolveWithdrawal(
  context: WalletsContext,
  id: number,
  resolution: Resolution,
): Promise<ResolvedWithdrawal> {
  return context.database.transaction(async (tx) => {
    const withdrawal = await tx.one(lockWithdrawal, { id })
    if (withdrawal === undefined) throw new Refused('unknown', 'There is no such withdrawal.')
    const part = await reviewedPart(tx, withdrawal, resolution.partId)
    const now = context.now()
    const { outcome, note, by } = resolution
    const subject = subjectOfPart(part)
    const of = { subject, customerId: part.customer_id, amount: BigInt(part.amount), currency: part.currency }
    const names = await decideResolution(tx, context, { ...of, outcome, note, by }, now)
    if (names === null) return { withdrawal: await readWithdrawal(tx, id), proposal: await readProposal(tx, subject) }
    await resolve(tx, { withdrawal, part }, outcome, { gatewayReference: null, reason: `${names}: ${note}`, now })
    return { withdrawal: await readWithdrawal(tx, id), proposal: null }
  })
}

async function readWithdrawal(tx: Database, id: number): Promise<ListedWithdrawalRow> {
  return (await tx.one(withdrawalById, { id })) as ListedWithdrawalRow
}

async function reviewedPart(tx: Database, { id, state }: WithdrawalRow, partId: number | null): Promise<StoredPart> {
  const parts = (await tx.query(partsOf, { withdrawalId: id })).filter((part) => part.state === 'REVIEW')
  const named = partId === null ? parts : parts.filter((part) => part.id === partId)
  const [one, other] = named
  if (one === undefined) {
    throw new Refused('conflict', `The withdrawal is ${state}: only a part in state REVIEW can be decided.`)
  }
  if (other !== undefined) throw new Refused('conflict', 'Several parts are in review: name one with partId.')
  return one
}

async function resolve(tx: Database, of: Part, outcome: Resolution['outcome'], report: TimedReport): Promise<void> {
  const { part } = of
  const sums = { ...outgoingOf(part), keptBack: 0n }
  if (part.review === 'paid-after-return' && outcome === 'paid') {
    return debitPaid(tx, of, report)
  }
  const rest = openOf(sums)
  const amount = outcome === 'returned' && part.review === 'another-amount' ? rest + sums.paid : rest
  if (amount === 0n) return dismissReview(tx, of, report)
  const reported = outcome === 'paid' ? reportPaid(sums, amount) : reportReturned(sums, amount)
  if (reported.outcome !== 'applied') throw new Error(`part ${part.id}: nothing is open`)
  await applyReport(tx, of, reported, report)
}

/** What waits of the same deposit comes back first: no more can go back than was paid in. */
async function debitPaid(tx: Database, of: Part, report: TimedReport): Promise<void> {
  const { deposit_id: id, customer_id, currency } = of.part
  if (id !== null) return withMoneyGone(tx, { id, customer_id, currency }, report, () => confirmPaid(tx, of, report))
  await confirmPaid(tx, of, report)
  await holdWhileDebt(tx, of.part, report.now)
}
