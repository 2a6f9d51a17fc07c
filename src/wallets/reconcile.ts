// Compares a gateway's report with the deposits and withdrawals stored with that gateway, by merchant reference. A *break* is a
// difference that somebody must explain. After an asynchronous failover of PostgreSQL these are payments whose deposit was lost.

import type { Database } from '../platform/database/database.ts'
import { formatMoney, parseMoney } from '../platform/runtime/money.ts'
import type { DisputeState } from './dispute-events.ts'
import { disputesOfDeposit } from './dispute-store.ts'
import type { GatewayName, ReportedPayment, ReportedPayout, ReportedReturn } from './gateways/gateway.ts'
import { type RefundState, refundsOfDeposit } from './refund-store.ts'
import { capturedBetween, paidBetween } from './reports-store.ts'
import { type DepositRow, depositById } from './store.ts'
import { withdrawalByReference } from './withdrawal-store.ts'

type Reconciliation = { payments: number; breaks: string[] }

const PAGE = 500

/** The number of each deposit or withdrawal in the report, by its reference; null where the gateway has no such. */
type Reported = Map<string, number | null>

type Comparison = {
  readonly database: Database
  readonly gateway: GatewayName
  readonly breaks: string[]
  readonly deposits: Reported
  readonly withdrawals: Reported
}

export async function reconcile(
  database: Database,
  gateway: GatewayName,
  report: AsyncIterable<ReportedPayment>,
): Promise<Reconciliation> {
  const comparison: Comparison = { database, gateway, breaks: [], deposits: new Map(), withdrawals: new Map() }
  const { breaks, deposits, withdrawals } = comparison
  let payments = 0
  for await (const payment of report) {
    payments++
    const { reference, state } = payment
    const difference =
      state === 'paid out' || state === 'payout reversed'
        ? await comparePayout(comparison, { ...payment, state })
        : await comparePayment(comparison, { ...payment, state })
    if (difference !== null) breaks.push(`${reference}: ${difference}`)
  }
  const captured = (page: Page) => database.query(capturedBetween, page)
  for await (const id of notReported(deposits, gateway, captured)) breaks.push(`${id}: captured, but not settled`)
  const paid = (page: Page) => database.query(paidBetween, page)
  for await (const id of notReported(withdrawals, gateway, paid)) breaks.push(`${id}: paid, but not in the report`)
  return { payments, breaks }
}

/** Notes that the report has it. */
function note({ breaks }: Comparison, reported: Reported, reference: string, number: number | null): void {
  if (reported.has(reference)) breaks.push(`${reference}: reported twice`)
  reported.set(reference, number)
}

async function comparePayment(
  comparison: Comparison,
  payment: ReportedPayment & { readonly state: 'settled' | 'held' | ReportedReturn },
): Promise<string | null> {
  const { database, gateway, deposits } = comparison
  const { reference, state } = payment
  const deposit = await database.one(depositById, { id: reference })
  if (state !== 'settled' && state !== 'held') {
    return returnDifference(database, { deposit, gateway }, { ...payment, state })
  }
  note(comparison, deposits, reference, deposit?.gateway === gateway ? deposit.number : null)
  return differenceOf(deposit, gateway, payment)
}

/** A payout that came back was paid before. */
async function comparePayout(
  comparison: Comparison,
  { reference, amount, currency, state }: ReportedPayment & { readonly state: ReportedPayout },
): Promise<string | null> {
  const { database, gateway, withdrawals } = comparison
  const withdrawal = await database.one(withdrawalByReference, { reference })
  if (state === 'paid out') {
    note(comparison, withdrawals, reference, withdrawal?.gateway === gateway ? withdrawal.id : null)
  }
  if (withdrawal === undefined) return `${state}, but there is no such withdrawal`
  if (withdrawal.gateway !== gateway) return `${state}, but the withdrawal was made with ${withdrawal.gateway}`
  const ours = BigInt(withdrawal.amount)
  if (parseMoney(amount) !== ours || currency !== withdrawal.currency) {
    return `${state} ${amount} ${currency}, but the withdrawal is ${formatMoney(ours)} ${withdrawal.currency}`
  }
  const isKnown = state === 'paid out' ? withdrawal.paid === 1 : withdrawal.state === 'RETURNED'
  return isKnown ? null : `${state}, but the withdrawal is ${withdrawal.state}`
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
  const ours = BigInt(deposit.amount)
  if (parseMoney(amount) === ours && currency === deposit.currency) return null
  return `settled ${amount} ${currency}, but the deposit is ${formatMoney(ours)} ${deposit.currency}`
}

type Compared = { readonly deposit: DepositRow | undefined; readonly gateway: GatewayName }

/** Each return must be a refund or a dispute of the deposit with this amount, which has gone as far as the report says. */
async function returnDifference(
  database: Database,
  { deposit, gateway }: Compared,
  { amount, currency, state }: ReportedPayment & { readonly state: ReportedReturn },
): Promise<string | null> {
  if (deposit === undefined) return `${state}, but there is no such deposit`
  if (deposit.gateway !== gateway) return `${state}, but the deposit was made with ${deposit.gateway}`
  const depositId = deposit.id
  const ours =
    state === 'refunded' || state === 'refund reversed'
      ? await database.query(refundsOfDeposit, { depositId })
      : await database.query(disputesOfDeposit, { depositId })
  const minorUnits = parseMoney(amount)
  const isKnown = ours.some(
    (one) => BigInt(one.amount) === minorUnits && one.currency === currency && STATES[state].includes(one.state),
  )
  if (isKnown) return null
  const what = state.startsWith('refund') ? 'refund' : 'dispute'
  return `${state} ${amount} ${currency}, but the deposit has no such ${what}`
}

/** A refund that came back was done before; a dispute that went on was charged back before. */
const STATES: Readonly<Record<ReportedReturn, readonly (RefundState | DisputeState)[]>> = {
  refunded: ['DONE', 'FAILED'],
  'refund reversed': ['FAILED'],
  'charged back': ['CHARGED_BACK', 'REVERSED', 'CHARGED_BACK_AGAIN', 'LOST', 'WON'],
  'chargeback reversed': ['REVERSED', 'CHARGED_BACK_AGAIN', 'LOST', 'WON'],
}

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
