// The changes of a withdrawal's state. Each writes the state, the ledger, the job and the events in the transaction that it is
// given. Whoever calls them has locked the customer and then the withdrawal, and gives the row as it was locked.

import { eventList, logEvents, newEvent } from '../event-log/store.ts'
import type { Database } from '../platform/database/database.ts'
import { formatMoney } from '../platform/runtime/money.ts'
import { deletePayoutJob, insertPayoutJob } from './job-store.ts'
import { transfer } from './ledger.ts'
import type { TransferKind } from './ledger-store.ts'
import type { WithdrawalReview, WithdrawalRow } from './withdrawal-store.ts'
import * as sql from './withdrawal-store.ts'

export function ledgerTerms(withdrawal: WithdrawalRow) {
  const { id, customer_id: customerId, currency, amount } = withdrawal
  return { source: { withdrawal_id: id }, customerId, currency, amount: BigInt(amount) }
}

/** Where the money is, by the ledger. */
export type Place = 'on its way' | 'paid' | 'returned'

export function placeOf({ state, review }: Pick<WithdrawalRow, 'state' | 'review'>): Place {
  if (state === 'PAID' || (state === 'REVIEW' && review === 'returned-after-paid')) return 'paid'
  if (state === 'RETURNED' || state === 'REFUSED') return 'returned'
  return state === 'REVIEW' && review === 'paid-after-return' ? 'returned' : 'on its way'
}

/** Each kind happens at most once for a withdrawal: one that came back after it was paid is never paid again. */
const MOVES: Readonly<Record<string, readonly TransferKind[]>> = {
  'on its way>paid': ['payout'],
  'on its way>returned': ['withdrawal_returned'],
  'paid>returned': ['payout_reversed'],
  'returned>paid': ['withdrawal_resumed', 'payout'],
}

async function moveMoney(tx: Database, withdrawal: WithdrawalRow, to: Place, now: number): Promise<void> {
  const kinds = MOVES[`${placeOf(withdrawal)}>${to}`] ?? []
  if (kinds.length === 0) return
  await transfer(
    tx,
    kinds.map((kind) => ({ ...ledgerTerms(withdrawal), kind })),
    now,
  )
}

// ---- Approval

export async function approveByRule(tx: Database, { id }: WithdrawalRow, now: number): Promise<WithdrawalRow> {
  return approved(tx, (await tx.one(sql.approveByRule, { id, now })) as WithdrawalRow, 'by the rule', now)
}

/** Its job pays it out. */
export async function approved(
  tx: Database,
  withdrawal: WithdrawalRow,
  detail: string,
  now: number,
): Promise<WithdrawalRow> {
  await tx.run(insertPayoutJob, { withdrawalId: withdrawal.id, now })
  await reportWithdrawal(tx, withdrawal, { event: 'approved', detail }, now)
  return withdrawal
}

/** By an operator, before it is sent: the money is credited back, and the customer reads the reason. undefined: it is too late. */
export async function refuse(
  tx: Database,
  withdrawal: WithdrawalRow,
  { reason, by }: { reason: string; by: string },
  now: number,
): Promise<WithdrawalRow | undefined> {
  const refused = await tx.one(sql.refuseWithdrawal, { id: withdrawal.id, reason, now })
  if (refused === undefined) return undefined
  await moveMoney(tx, withdrawal, 'returned', now)
  return ended(tx, refused, { event: 'refused', detail: by }, now)
}

// ---- The gateway

/** Committed before the gateway is called. undefined: it is not approved, or decided already. */
export async function beginSending(tx: Database, id: number, now: number): Promise<WithdrawalRow | undefined> {
  const sending = await tx.one(sql.beginSending, { id, now })
  if (sending !== undefined) await reportWithdrawal(tx, sending, { event: 'sending', detail: '' }, now)
  return sending
}

type Said = { readonly gatewayReference: string | null; readonly reason: string }

export async function pay(tx: Database, withdrawal: WithdrawalRow, said: Said, now: number): Promise<void> {
  const paid = await tx.one(sql.payWithdrawal, { id: withdrawal.id, gatewayReference: said.gatewayReference, now })
  if (paid === undefined) return
  await moveMoney(tx, withdrawal, 'paid', now)
  await ended(tx, paid, { event: 'paid', detail: said.reason }, now)
}

/** The customer does not have the money: it is credited back, once. */
export async function giveBack(tx: Database, withdrawal: WithdrawalRow, reason: string, now: number): Promise<void> {
  const returned = await tx.one(sql.returnWithdrawal, { id: withdrawal.id, from: withdrawal.state, now })
  if (returned === undefined) return
  await moveMoney(tx, withdrawal, 'returned', now)
  await ended(tx, returned, { event: 'returned', detail: reason }, now)
}

/** An operator decides it (withdrawal-decisions.ts); nothing moves. */
export async function sendToReview(
  tx: Database,
  { id, state }: WithdrawalRow,
  { review, reason }: { review: WithdrawalReview; reason: string },
  now: number,
): Promise<void> {
  const reviewed = await tx.one(sql.reviewWithdrawal, { id, review, from: state, now })
  if (reviewed !== undefined) await ended(tx, reviewed, { event: 'review', detail: `${review}: ${reason}` }, now)
}

/** Nothing more is to be sent. */
async function ended(
  tx: Database,
  withdrawal: WithdrawalRow,
  { event, detail }: Report,
  now: number,
): Promise<WithdrawalRow> {
  await tx.run(deletePayoutJob, { withdrawalId: withdrawal.id })
  await reportWithdrawal(tx, withdrawal, { event, detail }, now)
  return withdrawal
}

type Report = {
  readonly event:
    | 'requested'
    | 'held'
    | 'released'
    | 'approved'
    | 'sending'
    | 'paid'
    | 'returned'
    | 'refused'
    | 'review'
  readonly detail: string
}

/** In its own trail and in the log of events. */
export async function reportWithdrawal(
  tx: Database,
  withdrawal: WithdrawalRow,
  { event, detail }: Report,
  now: number,
): Promise<void> {
  const { id, customer_id, amount, currency, state } = withdrawal
  await tx.run(sql.insertWithdrawalEvent, { id, now, event, detail })
  const data = { withdrawalId: `${id}`, amount: formatMoney(BigInt(amount)), currency, state }
  const logged = newEvent(`withdrawal.${event}`, { type: 'customer', id: customer_id }, data, now)
  await tx.run(logEvents, { rows: eventList.of([{ ...logged, customer_id }]) })
}
