// A *dispute*: the bank of a card takes money back, and the operator may defend. It is a list of steps (charged 20, reversed 5, charged
// again 5), each applied once, in any order; only the sum is bounded. What it has charged is debited to the customer, first the balance,
// then the debt; what goes beyond the deposit is the house's loss.

import { eventList, logEvents, newEvent } from '../../event-log/store.ts'
import type { Database } from '../../platform/database/database.ts'
import { isoTimeOrNull } from '../../platform/runtime/iso-time.ts'
import { formatMoney } from '../../platform/runtime/money.ts'
import { debit, transfer } from '../account/ledger.ts'
import { type DepositRow, insertDepositEvent } from '../deposits/store.ts'
import type { GatewayNotification } from '../gateways/gateway.ts'
import { insertJob } from '../jobs/store.ts'
import { canMove, mustChange, nextState } from '../machine.ts'
import { ALREADY_APPLIED, APPLIED, contradiction, type Outcome } from '../outcome.ts'
import { dropProposal } from '../proposals.ts'
import { disputeKinds } from './event-kinds.ts'
import { DISPUTE_EVENTS, type DisputeEvent, EVIDENCE, laterOf } from './events.ts'
import { DISPUTE_MACHINE } from './machine.ts'
import type { DisputeRow } from './store.ts'
import * as sql from './store.ts'

type Step = GatewayNotification & { readonly event: DisputeEvent }

/** Customer and deposit are locked, and waiting parts of the deposit taken back. */
export async function applyDispute(tx: Database, deposit: DepositRow, step: Step, now: number): Promise<Outcome> {
  const { event, gatewayReference, key } = step
  const amount = step.amount ?? BigInt(deposit.amount)
  const dispute = (await tx.one(sql.disputeOf, { depositId: deposit.id, gatewayReference })) ?? (await open())
  const applied = await tx.one(sql.insertDisputeEvent, { disputeId: dispute.id, key, event, amount, now })
  if (applied === undefined) return ALREADY_APPLIED
  const changed = withStep(dispute, { ...step, amount }, now)
  const rows = await tx.run(sql.changeDispute, { ...changed, id: dispute.id, event, now })
  mustChange(rows, `dispute ${dispute.id}`)
  // A proposal to end the dispute was made before this news.
  if (dispute.last_event !== null) await dropProposal(tx, `dispute ${dispute.id}`)
  if (deposit.state === 'CAPTURED') await bookDisputes(tx, deposit, applied.id, now)
  else await tx.run(insertJob, { depositId: deposit.id, kind: 'book', now })
  await record(tx, dispute.id, { event, isNew: dispute.last_event === null }, now)
  return outcomeOf(tx, deposit, dispute.id)

  async function open(): Promise<DisputeRow> {
    const { id: deposit_id, customer_id, currency } = deposit
    const row = { deposit_id, gateway_reference: gatewayReference, customer_id, currency, amount, now }
    return (await tx.one(sql.insertDispute, row)) as DisputeRow
  }
}

/** The same whatever the order: of state and evidence the furthest counts, of what is charged the sum. News opens it again. */
function withStep(
  dispute: DisputeRow,
  { event, amount, answerBy, endsDispute }: Step & { amount: bigint },
  now: number,
) {
  const effect = DISPUTE_EVENTS[event]
  // A late event changes no state.
  const moves = canMove(DISPUTE_MACHINE, dispute.state, event)
  const state = moves ? nextState(DISPUTE_MACHINE, dispute.state, event) : dispute.state
  const isDeciding = state !== dispute.state || (state === effect.state && amount > BigInt(dispute.amount))
  const ends = effect.ends || endsDispute
  return {
    state,
    amount: isDeciding ? amount : BigInt(dispute.amount),
    charged: BigInt(dispute.charged) + BigInt(effect.charges) * amount,
    evidence: laterOf(EVIDENCE, dispute.evidence, effect.evidence),
    answerBy: answerBy !== null && answerBy > (dispute.answer_by ?? 0) ? answerBy : dispute.answer_by,
    endedAt: ends ? now : null,
    endReason: ends ? event : null,
  }
}

/** What is outside of 0 and the deposit is a contradiction for that rest; it closes by itself when the sum is in bounds again. */
async function outcomeOf(tx: Database, deposit: DepositRow, disputeId: number): Promise<Outcome> {
  const disputes = await tx.query(sql.disputesOfDeposit, { depositId: deposit.id })
  const dispute = disputes.find(({ id }) => id === disputeId) as DisputeRow
  if (BigInt(dispute.charged) < 0n) return contradiction('reversed-beyond-charge', `dispute ${disputeId}`)
  const charged = disputes.reduce((sum, one) => sum + positive(one.charged), 0n)
  return charged > mostOf(deposit) ? contradiction('charged-beyond-deposit', `dispute ${disputeId}`) : APPLIED
}

/** Nobody loses more by a deposit than was taken of it. */
const mostOf = ({ state, amount, captured }: DepositRow) => BigInt(state === 'CAPTURED' ? captured : amount)

const positive = (amount: string) => (BigInt(amount) > 0n ? BigInt(amount) : 0n)

/**
 * Debits or credits the difference to what all disputes of the deposit have charged: the customer at most the deposit, in the order of
 * the disputes, the house the rest.
 */
async function bookDisputes(tx: Database, deposit: DepositRow, eventId: number, now: number): Promise<void> {
  let left = mostOf(deposit)
  for (const dispute of await tx.query(sql.disputesOfDeposit, { depositId: deposit.id })) {
    const charged = positive(dispute.charged)
    const debited = charged < left ? charged : left
    left -= debited
    await book(tx, dispute, { eventId, debited, house: charged - debited }, now)
  }
}

type Booked = { readonly eventId: number; readonly debited: bigint; readonly house: bigint }

/** How much the customer pays from now on, and how much the house. */
async function book(tx: Database, dispute: DisputeRow, { eventId, ...due }: Booked, now: number): Promise<void> {
  const more = { debited: due.debited - BigInt(dispute.debited), house: due.house - BigInt(dispute.house) }
  if (more.debited === 0n && more.house === 0n) return
  await move(tx, dispute, { eventId, ...more }, now)
  mustChange(await tx.run(sql.setDisputeBooked, { id: dispute.id, ...due }), `dispute ${dispute.id}`)
}

async function move(
  tx: Database,
  dispute: DisputeRow,
  { eventId, debited, house }: Booked,
  now: number,
): Promise<void> {
  const { id, customer_id: customerId, currency } = dispute
  // Two disputes of one deposit may move with one step: the dispute is the step of the cause.
  const terms = { source: { dispute_event_id: eventId, step: id }, customerId, currency }
  if (debited < 0n) await transfer(tx, [{ ...terms, kind: 'chargeback_reversed', amount: -debited }], now)
  if (house < 0n) await transfer(tx, [{ ...terms, kind: 'chargeback_house_reversed', amount: -house }], now)
  if (house > 0n) await transfer(tx, [{ ...terms, kind: 'chargeback_house', amount: house }], now)
  if (debited > 0n) {
    await debit(tx, { ...terms, amount: debited }, { balance: 'chargeback', debt: 'chargeback_debt' }, now)
  }
}

/** Records the event in the trail of the deposit and in the log of events. */
async function record(
  tx: Database,
  id: number,
  { event, isNew }: { event: string; isNew: boolean },
  now: number,
): Promise<void> {
  const dispute = (await tx.one(sql.disputeById, { id })) as DisputeRow
  const { deposit_id: depositId, customer_id, currency, state, answer_by } = dispute
  await tx.run(insertDepositEvent, { depositId, now, event: `dispute ${id}: ${state.toLowerCase()}`, detail: event })
  const data = {
    disputeId: `${id}`,
    event,
    state,
    amount: formatMoney(BigInt(dispute.amount)),
    currency,
    debited: formatMoney(BigInt(dispute.debited)),
    answerBy: isoTimeOrNull(answer_by),
  }
  const kind = isNew ? 'dispute.opened' : 'dispute.changed'
  const logged = newEvent(disputeKinds, kind, { id: depositId, customerId: customer_id, data, now })
  await tx.run(logEvents, { rows: eventList.of([logged]) })
}

/** Ends a locked dispute: no more news is expected, and what is left of the claim can go back to its card. */
export async function endDispute(tx: Database, { id }: DisputeRow, reason: string, now: number): Promise<boolean> {
  if ((await tx.run(sql.endDispute, { id, reason, now })) === 0) return false
  await dropProposal(tx, `dispute ${id}`)
  await record(tx, id, { event: 'ended', isNew: false }, now)
  return true
}

const isBooked = ({ charged, debited, house }: DisputeRow) => positive(charged) === BigInt(debited) + BigInt(house)

export async function hasEarlyDisputes(tx: Database, { id: depositId }: Pick<DepositRow, 'id'>): Promise<boolean> {
  return !(await tx.query(sql.disputesOfDeposit, { depositId })).every(isBooked)
}

/** Books what was reported before the deposit was captured. Customer and deposit are locked. */
export async function bookEarlyDisputes(tx: Database, deposit: DepositRow, now: number): Promise<void> {
  for (const dispute of await tx.query(sql.disputesOfDeposit, { depositId: deposit.id })) {
    const last = await lastEvent(tx, dispute)
    // What the house has paid is the customer's if the deposit was captured after all.
    if (last === undefined || (isBooked(dispute) && BigInt(dispute.house) === 0n)) continue
    await bookDisputes(tx, deposit, last.id, now)
    if (!isBooked(dispute)) await record(tx, dispute.id, { event: last.event, isNew: false }, now)
  }
}

/**
 * Less was captured than before: what is charged beyond it is the house's. A step of each dispute records it, as the cause of what moves.
 * Customer and deposit are locked.
 */
export async function bookSmallerCapture(
  tx: Database,
  deposit: DepositRow,
  { event, key }: Pick<GatewayNotification, 'event' | 'key'>,
  now: number,
): Promise<void> {
  const disputes = await tx.query(sql.disputesOfDeposit, { depositId: deposit.id })
  const amount = BigInt(deposit.captured)
  const [last] = disputes.filter(({ debited }) => BigInt(debited) > 0n).toReversed()
  if (last === undefined || disputes.reduce((sum, { debited }) => sum + BigInt(debited), 0n) <= amount) return
  const step = await tx.one(sql.insertDisputeEvent, { disputeId: last.id, key, event, amount, now })
  if (step === undefined) throw new Error(`dispute ${last.id} has the step ${key} already`)
  await bookDisputes(tx, deposit, step.id, now)
  await record(tx, last.id, { event, isNew: false }, now)
}

async function lastEvent(tx: Database, { id: disputeId }: DisputeRow) {
  return (await tx.query(sql.disputeEvents, { disputeId })).at(-1)
}

/**
 * Nothing was taken after all: the customer pays no more for its disputes than before, and gets back what was reversed. The rest is the
 * house's loss. Customer and deposit are locked.
 */
export async function bookVoidedDisputes(tx: Database, deposit: DepositRow, now: number): Promise<void> {
  for (const dispute of await tx.query(sql.disputesOfDeposit, { depositId: deposit.id })) {
    const last = await lastEvent(tx, dispute)
    if (last === undefined || isBooked(dispute)) continue
    const charged = positive(dispute.charged)
    const paid = BigInt(dispute.debited)
    const debited = charged < paid ? charged : paid
    await book(tx, dispute, { eventId: last.id, debited, house: charged - debited }, now)
    await record(tx, dispute.id, { event: last.event, isNew: false }, now)
  }
}
