// Compares a gateway's report with the deposits and withdrawals stored with that gateway, by merchant reference. A *break* is a
// difference that a person must explain. After an asynchronous failover of PostgreSQL these are payments whose deposit was lost.

import type { Database } from '../../platform/database/database.ts'
import { formatMoney, parseMoney } from '../../platform/runtime/money.ts'
import { type DepositRow, depositById } from '../deposits/store.ts'
import { disputeEvents, disputesOfDeposit } from '../disputes/store.ts'
import type { GatewayName, ReportedPayment, ReportedPayout } from '../gateways/gateway.ts'
import { refundsOfDeposit } from '../refunds/store.ts'
import type { ReturnLine } from './reconcile-lines.ts'
import { notReported, type Reported, refundsNotReported, Span, stepsNotReported } from './reconcile-missing.ts'
import { compareReturnLines } from './reconcile-returns.ts'
import { capturedBetween, type Page, paidBetween, partByReference, type ReportedPartRow } from './reconcile-store.ts'

type Reconciliation = { payments: number; breaks: string[] }

type PayoutLine = ReportedPayment & { readonly state: ReportedPayout }

type Comparison = {
  readonly database: Database
  readonly gateway: GatewayName
  readonly breaks: string[]
  readonly deposits: Reported
  readonly payouts: Reported
  /** Money that went back, by deposit, and payouts, by reference: compared when the whole report was read. */
  readonly returns: Map<string, ReturnLine[]>
  readonly paidOut: Map<string, PayoutLine[]>
  /** Refunds and steps of disputes that are in the report. */
  readonly refunds: Set<number>
  readonly steps: Set<number>
  /** When the payments of the report, and what went back, began. */
  readonly settledIn: Span
  readonly returnedIn: Span
}

export async function reconcile(
  database: Database,
  gateway: GatewayName,
  report: AsyncIterable<ReportedPayment>,
): Promise<Reconciliation> {
  const comparison: Comparison = {
    database,
    gateway,
    breaks: [],
    deposits: new Map(),
    payouts: new Map(),
    returns: new Map(),
    paidOut: new Map(),
    refunds: new Set(),
    steps: new Set(),
    settledIn: new Span(),
    returnedIn: new Span(),
  }
  const { breaks, deposits, payouts, returns, paidOut, settledIn, returnedIn } = comparison
  let payments = 0
  for await (const payment of report) {
    payments++
    const { state } = payment
    if (state === 'settled' || state === 'held') await compareDeposit(comparison, payment)
    else if (state === 'paid out' || state === 'payout reversed') add(paidOut, { ...payment, state })
    else add(returns, { ...payment, state })
  }
  for (const [reference, lines] of returns) {
    breaks.push(...(await compareReturns(comparison, reference, lines)).map((text) => `${reference}: ${text}`))
  }
  for (const [reference, lines] of paidOut) {
    breaks.push(...(await comparePayout(comparison, reference, lines)).map((text) => `${reference}: ${text}`))
  }
  const captured = (page: Page) => database.query(capturedBetween, page)
  for await (const id of notReported(deposits, gateway, captured)) breaks.push(`${id}: captured, but not settled`)
  const period = settledIn.isEmpty ? returnedIn : settledIn
  for await (const text of refundsNotReported(database, { gateway, period, reported: comparison.refunds }))
    breaks.push(text)
  for await (const text of stepsNotReported(database, { gateway, period, reported: comparison.steps }))
    breaks.push(text)
  const paid = (page: Page) => database.query(paidBetween, page)
  for await (const id of notReported(payouts, gateway, paid)) breaks.push(`${id}: paid, but not in the report`)
  return { payments, breaks }
}

function add<Line extends ReportedPayment>(lines: Map<string, Line[]>, line: Line): void {
  lines.set(line.reference, [...(lines.get(line.reference) ?? []), line])
}

// ---- Deposits

async function compareDeposit(comparison: Comparison, payment: ReportedPayment): Promise<void> {
  const { database, gateway, deposits, breaks } = comparison
  const { reference } = payment
  const deposit = await database.one(depositById, { id: reference })
  if (deposits.has(reference)) breaks.push(`${reference}: reported twice`)
  deposits.set(reference, deposit?.gateway === gateway ? deposit.number : null)
  const difference = differenceOf(deposit, gateway, payment)
  if (difference !== null) breaks.push(`${reference}: ${difference}`)
  if (deposit?.gateway === gateway) comparison.settledIn.add(deposit.created_at)
}

function differenceOf(
  deposit: DepositRow | undefined,
  gateway: GatewayName,
  { amount, currency, state }: ReportedPayment,
): string | null {
  if (deposit === undefined) return `${state}, but there is no such deposit`
  if (deposit.gateway !== gateway) return `${state}, but the deposit was made with ${deposit.gateway}`
  // Its capture or cancel is on the way.
  if (state === 'held') return null
  if (deposit.state !== 'CAPTURED') return `settled, but the deposit is ${deposit.state}`
  const ours = BigInt(deposit.captured)
  if (parseMoney(amount) === ours && currency === deposit.currency) return null
  return `settled ${amount} ${currency}, but the deposit is ${formatMoney(ours)} ${deposit.currency}`
}

async function compareReturns(
  { database, gateway, ...comparison }: Comparison,
  reference: string,
  lines: readonly ReturnLine[],
): Promise<string[]> {
  const deposit = await database.one(depositById, { id: reference })
  const states = [...new Set(lines.map(({ state }) => state))].join(', ')
  if (deposit === undefined) return [`${states}, but there is no such deposit`]
  if (deposit.gateway !== gateway) return [`${states}, but the deposit was made with ${deposit.gateway}`]
  const { id: depositId, currency } = deposit
  const refunds = await database.query(refundsOfDeposit, { depositId })
  const steps = []
  for (const dispute of await database.query(disputesOfDeposit, { depositId })) {
    const events = await database.query(disputeEvents, { disputeId: dispute.id })
    steps.push(...events.map((event) => ({ ...event, gatewayReference: dispute.gateway_reference })))
  }
  const compared = compareReturnLines(lines, { currency, refunds, steps })
  for (const refund of compared.refunds) {
    comparison.refunds.add(refund.id)
    comparison.returnedIn.add(refund.begun_at ?? refund.created_at)
  }
  for (const { id, at } of compared.steps) {
    comparison.steps.add(id)
    comparison.returnedIn.add(at)
  }
  return compared.differences
}

// ---- Payouts

async function comparePayout(
  { database, gateway, payouts }: Comparison,
  reference: string,
  lines: readonly PayoutLine[],
): Promise<string[]> {
  const part = await database.one(partByReference, { reference })
  payouts.set(reference, part?.gateway === gateway ? part.id : null)
  const [{ state }] = lines as [PayoutLine]
  if (part === undefined) return [`${state}, but there is no such payout`]
  if (part.gateway !== gateway) return [`${state}, but the payout was made with ${part.gateway}`]
  return payoutDifferences(part, lines)
}

/** One that came back had been paid, and the report has it where it was paid, where it came back, or both. */
function payoutDifferences(part: ReportedPartRow, lines: readonly PayoutLine[]): string[] {
  const { currency, state } = part
  const [amount, paid, cameBack] = [BigInt(part.amount), BigInt(part.paid), BigInt(part.came_back)]
  const isWrong = (line: PayoutLine) => line.currency !== currency || (parseMoney(line.amount) ?? amount + 1n) > amount
  const wrong = lines.filter(isWrong)
  const text = (line: PayoutLine, but: string) => `${line.state} ${line.amount} ${line.currency}, but ${but}`
  if (wrong.length > 0) return wrong.map((line) => text(line, `the payout is ${formatMoney(amount)} ${currency}`))
  const out = lines.filter((line) => line.state === 'paid out')
  const back = lines.filter((line) => line.state === 'payout reversed')
  const sum = (of: readonly PayoutLine[]) => of.reduce((total, line) => total + (parseMoney(line.amount) as bigint), 0n)
  if (sum(out) > amount) return ['reported twice']
  const isOnlyBack = out.length === 0 && sum(back) === cameBack
  const isOut = sum(out) === paid + cameBack && (back.length === 0 || sum(back) === cameBack)
  // Refused after it was booked: the status `booked` was never reported.
  const isBothAtOnce = sum(out) - sum(back) === paid && sum(back) === BigInt(part.returned)
  if (isOnlyBack || isOut || isBothAtOnce) return []
  const ours = `the payout is ${state}, with ${formatMoney(paid)} paid and ${formatMoney(BigInt(part.returned))} returned`
  return lines.map((line) => text(line, ours))
}
