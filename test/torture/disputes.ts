// Disputes: the bank of the sandbox tells what banks tell, in any order, repeated, late, and before the capture.

import { randomInt } from 'node:crypto'
import {
  DEBITING,
  DISPUTE_EVENT_NAMES,
  DISPUTE_EVENTS,
  DISPUTE_STATES,
  type DisputeEvent,
  laterOf,
} from '../../src/wallets/dispute-events.ts'
import type { Ask } from './calls.ts'
import type { Deposit, Payment } from './invariants.ts'
import type { Journal } from './journal.ts'
import { formatUnits, type PaymentPicker, pickOf } from './payments.ts'
import { sleep } from './processes.ts'
import { units } from './statements.ts'

/** What was told of a payment, until it was answered. `amount`: in hundredths. */
export type Told = { readonly customerId: number; readonly amount: bigint; readonly events: DisputeEvent[] }
export type ListedDispute = { paymentId: string; state: string; debited: string }

const MOVING = DISPUTE_EVENT_NAMES.filter((event) => DISPUTE_EVENTS[event].state !== 'TOLD')
const LATEST_MS = 4_000

export type Bank = {
  readonly ask: Ask
  readonly journal: Journal
  /** By payment. */
  readonly told: Map<string, Told>
  readonly violations: string[]
  readonly pick: PaymentPicker
}

async function tell(bank: Bank, deposit: Deposit, event: DisputeEvent, amount: bigint): Promise<void> {
  const { paymentId, customerId } = deposit
  await sleep(randomInt(3) === 0 ? randomInt(LATEST_MS) : randomInt(200))
  const body = { paymentId, event, amount: formatUnits(amount) }
  const { status } = await bank.ask('POST', '/sandbox/disputes', body)
  bank.journal.note('dispute told', customerId, `${paymentId} ${event} ${formatUnits(amount)}: ${status}`)
  if (status !== 200) bank.violations.push(`${paymentId}: ${event} was answered ${status}`)
}

async function dispute(bank: Bank, deposit: Deposit): Promise<void> {
  const amount = randomInt(3) === 0 ? 100n : units(deposit.amount)
  const names = randomInt(4) === 0 ? DISPUTE_EVENT_NAMES : MOVING
  const events = Array.from({ length: randomInt(1, 5) }, () => pickOf(names))
  bank.told.set(deposit.paymentId, { customerId: Number(deposit.customerId), amount, events })
  const repeated = events.filter(() => randomInt(3) === 0)
  // All at the same time, each with a delay of its own: in any order.
  await Promise.all([...events, ...repeated].map((event) => tell(bank, deposit, event, amount)))
}

export async function disputeUntil(bank: Bank, isStopping: () => boolean): Promise<void> {
  while (!isStopping()) {
    // The newest may not be captured yet: then the job settle books what was told.
    const deposit = await bank.pick(pickOf(['', '&state=AUTHORISED', '&state=CAPTURED', '&state=CAPTURED']))
    if (deposit !== undefined) await dispute(bank, deposit)
    await sleep(randomInt(800))
  }
}

/** What a payment's disputes have cost the customer in the end. */
export function disputeCost({ amount, events }: Told, payment: Payment | undefined): bigint {
  return payment?.state === 'captured' && DEBITING.includes(stateOf(events)) ? amount : 0n
}

function stateOf(events: readonly DisputeEvent[]) {
  const states = events.map((event) => DISPUTE_EVENTS[event].state)
  return states.reduce((last, one) => laterOf(DISPUTE_STATES, last, one), 'TOLD')
}

type Evidence = {
  readonly told: ReadonlyMap<string, Told>
  readonly disputes: readonly ListedDispute[]
  readonly payments: ReadonlyMap<string, Payment>
}

export function disputeViolations({ told, disputes, payments }: Evidence): string[] {
  const found: string[] = []
  const listed = Map.groupBy(disputes, ({ paymentId }) => paymentId)
  for (const [paymentId, one] of told) {
    const own = listed.get(paymentId) ?? []
    const [dispute] = own
    const due = disputeCost(one, payments.get(paymentId))
    if (dispute === undefined || own.length > 1) found.push(`${paymentId}: has ${own.length} disputes, not 1`)
    else if (units(dispute.debited) !== due || dispute.state !== stateOf(one.events))
      found.push(`${paymentId}: its dispute is ${dispute.state} with ${dispute.debited} debited, not ${due}`)
  }
  for (const paymentId of listed.keys()) if (!told.has(paymentId)) found.push(`${paymentId}: disputed by nobody`)
  return found
}
