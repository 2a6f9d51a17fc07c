// The changes of a withdrawal and its parts. Each writes states, ledger, jobs and events in the transaction that it is given. Whoever calls
// them has locked the customer and then the withdrawal.

import { eventList, logEvents, type NewEvent, newEvent } from '../../event-log/store.ts'
import type { Database, Last } from '../../platform/database/database.ts'
import { formatMoney } from '../../platform/runtime/money.ts'
import { deletePartJob, insertPartJobs, newPartJob, partJobs } from '../jobs/store.ts'
import { changed, IllegalMove, legalMoves } from '../machine.ts'
import { withdrawalKinds } from './event-kinds.ts'
import { WITHDRAWAL_MACHINE } from './machine.ts'
import type { PartRow } from './part-store.ts'
import { partsOf } from './part-store.ts'
import type { Hold, WithdrawalRow, WithdrawalState } from './store.ts'
import * as sql from './store.ts'

type Approvals = Pick<WithdrawalRow, 'approvals' | 'approved_by' | 'approved_again_by'>

/** By persons, or by the rule. */
export function isApproved({ approvals, approved_by, approved_again_by }: Approvals): boolean {
  return approvals === 0 || (approved_by !== null && approved_again_by !== null)
}

const isOpen = ({ state }: PartRow) => state === 'WAITING' || state === 'SENDING'

function stateOf(withdrawal: WithdrawalRow, parts: readonly PartRow[], isRefused: boolean): WithdrawalState {
  if (parts.some(({ state }) => state === 'REVIEW')) return 'REVIEW'
  const hasBegun = parts.some(({ begun_at }) => begun_at !== null)
  if (parts.some(isOpen)) return hasBegun ? 'SENDING' : isApproved(withdrawal) ? 'APPROVED' : 'REQUESTED'
  if (parts.some(({ paid }) => BigInt(paid) > 0n)) return 'PAID'
  return isRefused && !hasBegun ? 'REFUSED' : 'RETURNED'
}

const LEGAL: readonly string[] = legalMoves(WITHDRAWAL_MACHINE)

const EVENTS = {
  REQUESTED: 'held',
  APPROVED: 'approved',
  SENDING: 'sending',
  PAID: 'paid',
  RETURNED: 'returned',
  REFUSED: 'refused',
  REVIEW: 'review',
} as const

type Refresh = {
  readonly detail: string
  readonly isRefused?: boolean
  /** As they are now, where they are known; absent: they are read. */
  readonly parts?: readonly PartRow[] | undefined
  /** What else the log of events is to have, before the change. */
  readonly logged?: readonly NewEvent[]
  /** Nothing follows in the transaction. */
  readonly last?: Last | undefined
}

/** Brings the state of a withdrawal up to that of its parts, and reports the change. Returns it as stored. */
export async function refreshState(
  tx: Database,
  withdrawal: WithdrawalRow,
  { detail, isRefused = false, parts, logged = [], last }: Refresh,
  now: number,
): Promise<WithdrawalRow> {
  const { id, state: from } = withdrawal
  const to = stateOf(withdrawal, parts ?? (await tx.query(partsOf, { withdrawalId: id })), isRefused)
  if (to === from) {
    await logAll(tx, logged)
    return withdrawal
  }
  if (!LEGAL.includes(`${from}>${to}`)) throw new IllegalMove(`withdrawal ${id} cannot go from ${from} to ${to}`)
  const stored = changed(await tx.one(sql.setWithdrawalState, { id, from, to, now }), `withdrawal ${id}`)
  await reportWithdrawal(tx, stored, { event: EVENTS[to], detail, logged, last }, now)
  return stored
}

type Enqueue = {
  /** Payouts to a card that is new wait until then. */
  readonly payoutsFrom: number
  readonly last?: Last
}

/** What was approved is sent: each part has a job. */
export async function enqueueParts(
  tx: Database,
  parts: readonly PartRow[],
  { payoutsFrom, last }: Enqueue,
  now: number,
): Promise<void> {
  const waiting = parts.filter(({ state }) => state === 'WAITING')
  const runAt = ({ kind }: PartRow) => (kind === 'payout' && payoutsFrom > now ? payoutsFrom : now)
  const rows = waiting.map((part) => newPartJob(part.id, runAt(part)))
  await tx.run(insertPartJobs, { rows: partJobs.of(rows) }, last)
}

/** What waits is held for new approvals by persons. The customer reads the reason. */
export async function voidApprovals(
  tx: Database,
  withdrawal: WithdrawalRow,
  { hold, reason }: { readonly hold: Hold; readonly reason: string },
  now: number,
): Promise<void> {
  const { id } = withdrawal
  const held = changed(await tx.one(sql.voidApprovals, { id, hold, reason, now }), `withdrawal ${id}`)
  for (const part of await tx.query(partsOf, { withdrawalId: id })) {
    if (part.state === 'WAITING') await tx.run(deletePartJob, { partId: part.id })
  }
  const refreshed = await refreshState(tx, held, { detail: reason }, now)
  if (refreshed.state === withdrawal.state) await reportWithdrawal(tx, held, { event: 'held', detail: reason }, now)
}

type Report = {
  readonly event: 'requested' | 'held' | 'released' | 'part-returned' | (typeof EVENTS)[WithdrawalState]
  readonly detail: string
  /** The amount of the part that the event is about; absent: the whole. */
  readonly amount?: bigint
} & Pick<Refresh, 'logged' | 'last'>

export async function logAll(tx: Database, events: readonly NewEvent[], last?: Last): Promise<void> {
  if (events.length > 0) await tx.run(logEvents, { rows: eventList.of(events) }, last)
}

/** Records the event in the trail of the withdrawal and in the log of events. */
export async function reportWithdrawal(
  tx: Database,
  withdrawal: WithdrawalRow,
  report: Report,
  now: number,
): Promise<void> {
  await recordEvents(tx, withdrawal.id, [report], now)
  await logAll(tx, [...(report.logged ?? []), loggedEvent(withdrawal, report, now)], report.last)
}

/** What the rule approves is approved with the request: two events, written as one is. */
export async function reportApprovedRequest(
  tx: Database,
  withdrawal: WithdrawalRow,
  detail: string,
  now: number,
): Promise<void> {
  const requested: Report = { event: 'requested', detail }
  const approved: Report = { event: 'approved', detail: 'by the rule' }
  await recordEvents(tx, withdrawal.id, [requested, approved], now)
  const logged = [
    loggedEvent({ ...withdrawal, state: 'REQUESTED' }, requested, now),
    loggedEvent(withdrawal, approved, now),
  ]
  await tx.run(logEvents, { rows: eventList.of(logged) })
}

/** Records events in the trail of the withdrawal alone. */
export async function recordEvents(
  tx: Database,
  id: number,
  events: readonly { readonly event: string; readonly detail: string }[],
  now: number,
): Promise<void> {
  const rows = events.map(({ event, detail }) => ({ withdrawal_id: id, at: now, event, detail }))
  await tx.run(sql.insertWithdrawalEvents, { rows: sql.withdrawalEventList.of(rows) })
}

function loggedEvent(withdrawal: WithdrawalRow, { event, amount }: Report, now: number) {
  const { id, customer_id, currency, state } = withdrawal
  const data = {
    withdrawalId: `${id}`,
    amount: formatMoney(amount ?? BigInt(withdrawal.amount)),
    currency,
    state,
  }
  return newEvent(withdrawalKinds, `withdrawal.${event}`, { id: customer_id, customerId: customer_id, data, now })
}
