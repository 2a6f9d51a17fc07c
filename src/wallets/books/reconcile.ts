// Compares a gateway's report with the deposits and withdrawals stored with that gateway, by merchant reference. A *break* is a
// difference that somebody must explain. After an asynchronous failover of PostgreSQL these are payments whose deposit was lost.

import type { Database } from '../../platform/database/database.ts'
import { formatMoney, parseMoney } from '../../platform/runtime/money.ts'
import { type DepositRow, depositById } from '../deposits/store.ts'
import { disputeEvents, disputesOfDeposit } from '../disputes/store.ts'
import type { GatewayName, ReportedPayment, ReportedPayout } from '../gateways/gateway.ts'
import { refundsOfDeposit } from '../refunds/store.ts'
import { type ReturnLine, returnDifferences } from './reconcile-returns.ts'
import { capturedBetween, paidBetween, partByReference, type ReportedPartRow } from './reconcile-store.ts'

type Reconciliation = { payments: number; breaks: string[] }

const PAGE = 500

/** The number of each deposit or payout in the report, by its reference; null where the gateway has no such. */
type Reported = Map<string, number | null>

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
  }
  const { breaks, deposits, payouts, returns, paidOut } = comparison
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
  { database, gateway }: Comparison,
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
  return returnDifferences(lines, { currency, refunds, steps })
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
  const ours = `the payout is ${state}, with ${formatMoney(paid)} paid and ${formatMoney(BigInt(part.returned))} returned`
  const differences: string[] = []
  const isKnown = sum(out) <= paid + cameBack || sum(out) - sum(back) === paid
  if (sum(out) > amount) differences.push('reported twice')
  else if (!isKnown) differences.push(...out.map((line) => text(line, ours)))
  if (sum(back) > BigInt(part.returned)) differences.push(...back.map((line) => text(line, ours)))
  return differences
}

// ---- What the report lacks

type Page = { readonly after: number; readonly until: number; readonly limit: number }
type Stored = { readonly id: string; readonly gateway: string; readonly number: number }

/** Those between the first and the last of the report that it does not have. */
async function* notReported(
  reported: Reported,
  gateway: GatewayName,
  read: (page: Page) => Promise<readonly Stored[]>,
): AsyncGenerator<string> {
  let first = Number.POSITIVE_INFINITY
  let last = 0
  for (const number of reported.values()) {
    if (number === null) continue
    first = Math.min(first, number)
    last = Math.max(last, number)
  }
  for (let after = first - 1; after < last; ) {
    const page = await read({ after, until: last, limit: PAGE })
    for (const one of page) if (one.gateway === gateway && !reported.has(one.id)) yield one.id
    if (page.length < PAGE) return
    after = (page.at(-1) as Stored).number
  }
}
