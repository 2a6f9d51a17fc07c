// The changes of a part: its sums, its state, the ledger and, for a return, its refund. The withdrawal follows (transitions.ts).

import type { NewEvent } from '../../event-log/store.ts'
import type { Database } from '../../platform/database/database.ts'
import { formatMoney } from '../../platform/runtime/money.ts'
import { debit, type NewTransfer, transfer } from '../account/ledger.ts'
import type { TransferKind } from '../account/ledger-store.ts'
import { deletePartJob, insertPartJobs, newPartJob, partJobs } from '../jobs/store.ts'
import { changed, nextState } from '../machine.ts'
import { dropProposal, type Subject } from '../proposals.ts'
import { type Outgoing, type OutgoingReview, openOf, type Reported, reviewAfter } from '../refunds/outgoing.ts'
import { eventOf, type TimedReport } from '../refunds/transitions.ts'
import { PART_MACHINE, type PartEvent } from './machine.ts'
import type { PartKind, PartRow, StoredPart } from './part-store.ts'
import * as sql from './part-store.ts'
import { mirrorRefund } from './returns.ts'
import { endHold, type WithdrawalRow } from './store.ts'
import { logAll, refreshState, reportWithdrawal } from './transitions.ts'

export type Part = {
  readonly withdrawal: WithdrawalRow
  readonly part: StoredPart
  /** The other parts of the withdrawal, if they have been read under the same lock. */
  readonly others?: readonly PartRow[] | undefined
}

export function outgoingOf({ amount, paid, returned, kept_back }: PartRow): Outgoing {
  return { amount: BigInt(amount), paid: BigInt(paid), returned: BigInt(returned), keptBack: BigInt(kept_back) }
}

/** Where the money goes, and comes back from. Payouts of earlier versions were paid by the gateway itself. */
const KINDS: Readonly<Record<PartKind | 'old payout', { readonly paid: TransferKind; readonly back: TransferKind }>> = {
  return: { paid: 'return_paid', back: 'return_back' },
  payout: { paid: 'payout_paid', back: 'payout_back' },
  outside: { paid: 'outside_paid', back: 'outside_back' },
  'old payout': { paid: 'return_paid', back: 'return_back' },
}

const kindsOf = ({ withdrawal, part }: Part) => KINDS[withdrawal.before_parts === 1 ? 'old payout' : part.kind]

function ledgerTerms(part: PartRow): Omit<NewTransfer, 'kind' | 'amount'> {
  return { source: { part_id: part.id, step: part.moves }, customerId: part.customer_id, currency: part.currency }
}

type Change = {
  readonly event: PartEvent
  readonly sums: Outgoing
  readonly review?: OutgoingReview
}

/** `logged`: the events of its refund, which the log is to have. */
type Changed = { readonly stored: PartRow; readonly logged: readonly NewEvent[] }

async function change(
  tx: Database,
  part: StoredPart,
  { event, sums, review }: Change,
  report: TimedReport,
): Promise<Changed> {
  const to = nextState(PART_MACHINE, part.state, event)
  const stored = changed(
    await tx.one(sql.changePart, {
      id: part.id,
      from: part.state,
      to,
      review: review ?? null,
      paid: sums.paid,
      returned: sums.returned,
      keptBack: sums.keptBack,
      gatewayReference: report.gatewayReference,
      reason: report.reason,
      now: report.now,
    }),
    `part ${part.id}`,
  )
  // A proposal concerned the state that the part leaves.
  if (part.state === 'REVIEW') await dropProposal(tx, subjectOfPart(part))
  const logged = await mirrorRefund(tx, stored, part, { sums, reason: report.reason, now: report.now })
  return { stored, logged }
}

/** Names the part with its withdrawal, as decisions do. */
export function subjectOfPart({ id, withdrawal_id }: Pick<PartRow, 'id' | 'withdrawal_id'>): Subject {
  return `part ${withdrawal_id}/${id}`
}

const EVENT_OF = { sent: 'partly booked', paid: 'paid', returned: 'returned' } as const

/** What the gateway, a notification or a person reports of a part whose call began. It stays in review while something is kept back. */
export async function applyReport(
  tx: Database,
  { withdrawal, part, others }: Part,
  reported: Extract<Reported, { outcome: 'applied' }>,
  report: TimedReport,
): Promise<void> {
  const { paid, returned, keptBack } = reported
  const sums = { amount: BigInt(part.amount), paid, returned, keptBack }
  const review = reviewAfter(part.review, sums)
  const move = review === null ? { event: EVENT_OF[eventOf(sums)] } : ({ event: 'contradicted', review } as const)
  const { stored, logged } = await change(tx, part, { ...move, sums }, report)
  if (openOf(sums) === 0n) await tx.run(deletePartJob, { partId: part.id })
  else if (part.state === 'REVIEW' && review === null) await requestAgain(tx, part, report.now)
  const kinds = kindsOf({ withdrawal, part })
  const moves = [
    { kind: kinds.paid, amount: reported.newlyPaid },
    { kind: 'part_back' as const, amount: reported.unpaid },
    { kind: kinds.back, amount: reported.back },
  ].filter(({ amount }) => amount > 0n)
  await transfer(
    tx,
    moves.map((move) => ({ ...ledgerTerms(stored), ...move })),
    report.now,
  )
  const back = reported.unpaid + reported.back
  await reportPart(tx, { withdrawal, stored, logged, others }, back, report)
}

/** Its job ended when it needed manual review. The gateway recognises the same key and reports the result of the rest. */
function requestAgain(tx: Database, { id }: PartRow, now: number): Promise<unknown> {
  return tx.run(insertPartJobs, { rows: partJobs.of([newPartJob(id, now)]) })
}

async function reportPart(
  tx: Database,
  { withdrawal, stored, logged, others }: Changed & Omit<Part, 'part'>,
  back: bigint,
  { reason, now, last }: TimedReport,
): Promise<void> {
  const detail = `part ${stored.id}: ${reason}`
  const parts = others && [stored, ...others]
  // What came back is reported after the state.
  const lastOfState = back === 0n ? last : undefined
  const refreshed = await refreshState(tx, withdrawal, { detail, parts, logged, last: lastOfState }, now)
  if (back === 0n || refreshed.state === 'RETURNED') return
  await reportWithdrawal(
    tx,
    refreshed,
    { event: 'part-returned', detail: `${detail}, ${formatMoney(back)}`, amount: back },
    now,
  )
}

/** Parts that wait are credited again, debt first. Returns their sum; the caller brings the withdrawal up to date. */
export async function takeBack(
  tx: Database,
  withdrawal: WithdrawalRow,
  which: (part: PartRow) => boolean,
  report: TimedReport,
): Promise<bigint> {
  let sum = 0n
  for (const part of await tx.query(sql.partsOf, { withdrawalId: withdrawal.id })) {
    if (part.state !== 'WAITING' || !which(part)) continue
    const amount = BigInt(part.amount)
    const { stored, logged } = await change(
      tx,
      part,
      { event: 'taken back', sums: { amount, paid: 0n, returned: amount, keptBack: 0n } },
      report,
    )
    await logAll(tx, logged)
    await tx.run(deletePartJob, { partId: part.id })
    await transfer(tx, [{ ...ledgerTerms(stored), kind: 'part_back', amount }], report.now)
    sum += amount
  }
  return sum
}

/** Takes waiting parts back and reports it to the customer. */
export async function returnWaiting(
  tx: Database,
  withdrawal: WithdrawalRow,
  which: (part: PartRow) => boolean,
  report: TimedReport,
): Promise<void> {
  const amount = await takeBack(tx, withdrawal, which, report)
  if (amount === 0n) return
  await tx.run(endHold, { id: withdrawal.id, now: report.now })
  const refreshed = await refreshState(tx, withdrawal, { detail: report.reason }, report.now)
  if (refreshed.state === 'RETURNED') return
  await reportWithdrawal(tx, refreshed, { event: 'part-returned', detail: report.reason, amount }, report.now)
}

/** A person decides it. Nothing moves. */
export async function sendPartToReview(
  tx: Database,
  { withdrawal, part }: Part,
  { review, keptBack = 0n }: { readonly review: OutgoingReview; readonly keptBack?: bigint },
  report: TimedReport,
): Promise<void> {
  const sums = { ...outgoingOf(part), keptBack }
  const { logged } = await change(tx, part, { event: 'contradicted', sums, review }, report)
  if (part.state === 'WAITING') {
    await tx.run(deletePartJob, { partId: part.id })
    await tx.run(endHold, { id: withdrawal.id, now: report.now })
  }
  const detail = `part ${part.id}: ${review}: ${report.reason}`
  await refreshState(tx, withdrawal, { detail, logged }, report.now)
}

/**
 * It was credited again, and had been paid after all: debited once more, first the balance, then the debt. What was still open has been
 * paid with it.
 */
export async function confirmPaid(tx: Database, { withdrawal, part }: Part, report: TimedReport): Promise<void> {
  const before = outgoingOf(part)
  const { keptBack: amount } = before
  const newlyPaid = openOf(before) + amount
  const sums = {
    amount: before.amount,
    paid: before.paid + newlyPaid,
    returned: before.returned - amount,
    keptBack: 0n,
  }
  const { stored, logged } = await change(tx, part, { event: EVENT_OF[eventOf(sums)], sums }, report)
  const terms = { ...ledgerTerms(stored), amount }
  await debit(tx, terms, { balance: 'part_again', debt: 'part_again_debt' }, report.now)
  await transfer(tx, [{ ...terms, kind: kindsOf({ withdrawal, part }).paid, amount: newlyPaid }], report.now)
  await tx.run(deletePartJob, { partId: part.id })
  await refreshState(tx, withdrawal, { detail: `part ${part.id}: ${report.reason}`, logged }, report.now)
}

/** Nothing moves: the part is again as it was before the contradiction. */
export async function dismissReview(tx: Database, { withdrawal, part }: Part, report: TimedReport): Promise<void> {
  const sums = { ...outgoingOf(part), keptBack: 0n }
  const { logged } = await change(tx, part, { event: EVENT_OF[eventOf(sums)], sums }, report)
  await refreshState(tx, withdrawal, { detail: `part ${part.id}: ${report.reason}`, logged }, report.now)
}

/** A person has paid it, outside of the gateway. */
export async function payOutside(tx: Database, part: PartRow, report: TimedReport): Promise<void> {
  const amount = BigInt(part.amount)
  const { stored } = await change(
    tx,
    { ...part, refund_id: null, refund_state: null },
    { event: 'paid outside', sums: { amount, paid: amount, returned: 0n, keptBack: 0n } },
    report,
  )
  await transfer(tx, [{ ...ledgerTerms(stored), kind: 'outside_paid', amount }], report.now)
}
