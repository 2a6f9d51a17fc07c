// A *dispute*: the bank of a card takes money back, and the operator may defend. It is what the gateway's notifications say,
// each applied once, in any order: state and amount are those of the furthest one (dispute-events.ts), and what the customer was
// debited follows from them.

import { eventList, logEvents, newEvent } from '../event-log/store.ts'
import type { Database } from '../platform/database/database.ts'
import { isoTimeOrNull } from '../platform/runtime/iso-time.ts'
import { formatMoney } from '../platform/runtime/money.ts'
import {
  DEBITING,
  DISPUTE_EVENTS,
  DISPUTE_STATES,
  type DisputeEvent,
  EVIDENCE,
  isDisputeEvent,
  laterOf,
} from './dispute-events.ts'
import type { DisputeRow } from './dispute-store.ts'
import * as sql from './dispute-store.ts'
import type { GatewayNotification } from './gateways/gateway.ts'
import { insertJob } from './job-store.ts'
import { transfer } from './ledger.ts'
import { debitReturned, wasCaptured } from './returned-money.ts'
import { type DepositRow, insertDepositEvent } from './store.ts'

/** Customer and deposit are locked. */
export async function applyDispute(
  tx: Database,
  deposit: DepositRow,
  notification: GatewayNotification,
  now: number,
): Promise<void> {
  const { event, gatewayReference } = notification
  if (!isDisputeEvent(event)) return
  const amount = disputedAmount(deposit, notification)
  const dispute = (await tx.one(sql.disputeOf, { depositId: deposit.id, gatewayReference })) ?? (await open())
  const applied = await tx.one(sql.insertDisputeEvent, { disputeId: dispute.id, event, amount, now })
  if (applied === undefined) return
  const isNew = dispute.last_event === null
  const changed = withEvent(dispute, event, { amount, answerBy: notification.answerBy })
  const isCaptured = wasCaptured(deposit)
  if (!isCaptured) await tx.run(insertJob, { depositId: deposit.id, kind: 'settle', now })
  const debited = isCaptured ? await book(tx, changed, applied.id, now) : BigInt(dispute.debited)
  await record(tx, { ...changed, debited: `${debited}` }, { event, isNew }, now)

  async function open(): Promise<DisputeRow> {
    const { id: depositId, customer_id: customerId, currency } = deposit
    const row = { depositId, gatewayReference, customerId, currency, amount, now }
    return (await tx.one(sql.insertDispute, row)) as DisputeRow
  }
}

/** Where the notification has no amount in the deposit's currency, all of the deposit is disputed. */
export function disputedAmount(deposit: DepositRow, { amount, currency }: GatewayNotification): bigint {
  return amount !== null && amount > 0n && currency === deposit.currency ? amount : BigInt(deposit.amount)
}

type Told = { readonly amount: bigint; readonly answerBy: number | null }

/** The same whatever the order: of each field the furthest value counts. */
function withEvent(dispute: DisputeRow, event: DisputeEvent, { amount, answerBy }: Told): DisputeRow {
  const effect = DISPUTE_EVENTS[event]
  const state = laterOf(DISPUTE_STATES, dispute.state, effect.state)
  const known = BigInt(dispute.amount)
  const isDeciding = state !== dispute.state || (state === effect.state && amount > known)
  return {
    ...dispute,
    state,
    amount: isDeciding ? `${amount}` : dispute.amount,
    evidence: laterOf(EVIDENCE, dispute.evidence, effect.evidence),
    answer_by: answerBy !== null && answerBy > (dispute.answer_by ?? 0) ? answerBy : dispute.answer_by,
  }
}

/** Debits or credits the difference to what the state asks for, and returns what is debited now. */
async function book(tx: Database, dispute: DisputeRow, eventId: number, now: number): Promise<bigint> {
  const due = DEBITING.includes(dispute.state) ? BigInt(dispute.amount) : 0n
  const difference = due - BigInt(dispute.debited)
  const terms = {
    source: { dispute_event_id: eventId },
    customerId: dispute.customer_id,
    currency: dispute.currency,
  }
  if (difference > 0n) {
    const kinds = { balance: 'chargeback', debt: 'chargeback_debt' } as const
    await debitReturned(tx, { ...terms, amount: difference }, kinds, now)
  } else if (difference < 0n) {
    await transfer(tx, [{ ...terms, kind: 'chargeback_reversed', amount: -difference }], now)
  }
  return due
}

/** In the dispute, in the trail of the deposit and in the log of events. */
async function record(
  tx: Database,
  dispute: DisputeRow,
  { event, isNew }: { event: string; isNew: boolean },
  now: number,
): Promise<void> {
  const { id, deposit_id: depositId, customer_id, currency, state, evidence, answer_by: answerBy } = dispute
  const [amount, debited] = [BigInt(dispute.amount), BigInt(dispute.debited)]
  await tx.run(sql.changeDispute, { id, state, amount, debited, evidence, answerBy, event, now })
  await tx.run(insertDepositEvent, { depositId, now, event: `dispute ${id}: ${state.toLowerCase()}`, detail: event })
  const data = {
    disputeId: `${id}`,
    event,
    state,
    amount: formatMoney(amount),
    currency,
    debited: formatMoney(debited),
    answerBy: isoTimeOrNull(answerBy),
  }
  const kind = isNew ? 'dispute.opened' : 'dispute.changed'
  const logged = newEvent(kind, { type: 'deposit', id: depositId }, data, now)
  await tx.run(logEvents, { rows: eventList.of([{ ...logged, customer_id }]) })
}

/** Books what was told before the deposit was captured. Customer and deposit are locked. */
export async function settleDisputes(tx: Database, deposit: DepositRow, now: number): Promise<void> {
  for (const dispute of await tx.query(sql.disputesOfDeposit, { depositId: deposit.id })) {
    const events = await tx.query(sql.disputeEvents, { disputeId: dispute.id })
    const deciding = events.findLast(
      ({ event }) => isDisputeEvent(event) && DISPUTE_EVENTS[event].state === dispute.state,
    )
    if (deciding === undefined) continue
    const debited = await book(tx, dispute, deciding.id, now)
    if (debited === BigInt(dispute.debited)) continue
    await record(tx, { ...dispute, debited: `${debited}` }, { event: deciding.event, isNew: false }, now)
  }
}
