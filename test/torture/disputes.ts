// Disputes: the bank of the sandbox reports their steps in any order, repeated, late, and before the capture. What they charge is a sum.

import { randomInt } from 'node:crypto'
import { type Notified, notify } from './bank-notifications.ts'
import type { Deposit } from './invariants.ts'
import { formatUnits, type PaymentPicker, pickOf } from './payments.ts'
import { sleep } from './processes.ts'
import { units } from './statements.ts'

/** A step that was reported: `reference` is the bank's own of the dispute. `amount`: in hundredths. */
export type DisputeStep = { readonly reference: string; readonly event: string; readonly amount: bigint }
export type ListedDispute = {
  id: string
  paymentId: string
  customerId: string
  gatewayReference: string
  charged: string
  debited: string
  house: string
  endedAt: string | null
}

export type Bank = {
  readonly notified: Notified
  /** By payment. */
  readonly steps: Map<string, DisputeStep[]>
  /** A payment is picked once by those who dispute, and by those who report captures: what both say would contradict each other. */
  readonly pick: PaymentPicker
}

const CHARGES = ['CHARGEBACK', 'SECOND_CHARGEBACK']
const RETURNS = ['CHARGEBACK_REVERSED']
const OTHERS = ['NOTIFICATION_OF_CHARGEBACK', 'INFORMATION_SUPPLIED', 'ISSUER_COMMENTS']
const ENDS = ['PREARBITRATION_WON', 'PREARBITRATION_LOST', 'DISPUTE_DEFENSE_PERIOD_ENDED']
const LATEST_MS = 4_000

async function tellStep(bank: Bank, { paymentId, customerId }: Deposit, step: DisputeStep): Promise<void> {
  await sleep(randomInt(3) === 0 ? randomInt(LATEST_MS) : randomInt(200))
  const { event, reference: gatewayReference } = step
  const news = { paymentId, event, amount: formatUnits(step.amount), gatewayReference }
  await notify(bank.notified, { name: paymentId, customerId }, news)
}

/** Of a part of the deposit, of all of it, and sometimes of more. */
function amountOf(deposit: Deposit): bigint {
  const all = units(deposit.amount)
  const what = randomInt(8)
  return what === 0 ? all + 500n : what < 3 ? 100n : what < 5 ? all / 2n : all
}

function plan(deposit: Deposit): DisputeStep[] {
  const disputes = randomInt(4) === 0 ? 2 : 1
  return Array.from({ length: disputes }, (_, index) => {
    const names = [...CHARGES, ...CHARGES, ...RETURNS, ...OTHERS, ...(randomInt(2) === 0 ? ENDS : [])]
    const reference = `dispute-${index + 1}-${deposit.paymentId}`
    return Array.from({ length: randomInt(1, 5) }, () => ({
      reference,
      event: pickOf(names),
      amount: amountOf(deposit),
    }))
  }).flat()
}

async function dispute(bank: Bank, deposit: Deposit): Promise<void> {
  const steps = plan(deposit)
  bank.steps.set(deposit.paymentId, steps)
  const repeated = steps.filter(() => randomInt(3) === 0)
  // All at the same time, each with a delay of its own: in any order.
  await Promise.all([...steps, ...repeated].map((step) => tellStep(bank, deposit, step)))
}

export async function disputeUntil(bank: Bank, isStopping: () => boolean): Promise<void> {
  while (!isStopping()) {
    // The newest may not be captured yet: then the job book does it later.
    const deposit = await bank.pick(pickOf(['', '&state=AUTHORISED', '&state=CAPTURED', '&state=CAPTURED']))
    if (deposit !== undefined) await dispute(bank, deposit)
    await sleep(randomInt(800))
  }
}

/** What the steps of each dispute of a payment add up to, by its reference. The same step twice is one. */
function sumsOf(steps: readonly DisputeStep[]): Map<string, bigint> {
  const sums = new Map<string, bigint>()
  const once = new Map(steps.map((step) => [`${step.reference} ${step.event} ${step.amount}`, step]))
  for (const { reference, event, amount } of once.values()) {
    const sign = CHARGES.includes(event) ? 1n : RETURNS.includes(event) ? -1n : 0n
    sums.set(reference, (sums.get(reference) ?? 0n) + sign * amount)
  }
  return sums
}

const positive = (amount: bigint) => (amount > 0n ? amount : 0n)

/** What the customer pays: at most the deposit, and nothing of one that was never captured. The house pays the rest. */
export function disputeCost(
  steps: readonly DisputeStep[],
  captured: bigint | undefined,
): { due: bigint; house: bigint } {
  if (captured === undefined) return { due: 0n, house: 0n }
  const charged = [...sumsOf(steps).values()].reduce((sum, one) => sum + positive(one), 0n)
  const due = charged < captured ? charged : captured
  return { due, house: charged - due }
}

type Evidence = {
  readonly steps: ReadonlyMap<string, readonly DisputeStep[]>
  readonly disputes: readonly ListedDispute[]
  /** Of the deposits that are captured, their amounts. */
  readonly captured: ReadonlyMap<string, bigint>
  /** What was reported of a payment that failed was kept as a contradiction. */
  readonly failed: ReadonlySet<string>
}

export function disputeViolations({ steps, disputes, captured, failed }: Evidence): string[] {
  const found: string[] = []
  const listed = Map.groupBy(disputes, ({ paymentId }) => paymentId)
  for (const [paymentId, own] of steps) {
    if (failed.has(paymentId)) continue
    const sums = sumsOf(own)
    const rows = listed.get(paymentId) ?? []
    if (rows.length !== sums.size) found.push(`${paymentId}: has ${rows.length} disputes, not ${sums.size}`)
    for (const { gatewayReference, charged } of rows) {
      const sum = sums.get(gatewayReference)
      if (sum !== units(charged))
        found.push(`${paymentId}: ${gatewayReference} has charged ${charged}, its steps ${sum}`)
    }
    const { due, house } = disputeCost(own, captured.get(paymentId))
    const total = (column: 'debited' | 'house') => rows.reduce((sum, row) => sum + units(row[column]), 0n)
    if (total('debited') !== due) found.push(`${paymentId}: ${total('debited')} debited for its disputes, not ${due}`)
    if (total('house') !== house) found.push(`${paymentId}: the house paid ${total('house')}, not ${house}`)
  }
  for (const paymentId of listed.keys()) if (!steps.has(paymentId)) found.push(`${paymentId}: disputed by nobody`)
  return found
}
