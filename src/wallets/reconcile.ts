// Compares a gateway's report with the deposits stored with that gateway, by merchant reference. A *break* is a difference
// that somebody must explain. After an asynchronous failover of PostgreSQL these are payments whose deposit was lost.

import type { Database } from '../platform/database/database.ts'
import { formatMoney, parseMoney } from '../platform/runtime/money.ts'
import type { DisputeState } from './dispute-events.ts'
import { disputesOfDeposit } from './dispute-store.ts'
import type { GatewayName, ReportedPayment, ReportedReturn } from './gateways/gateway.ts'
import { type RefundState, refundsOfDeposit } from './refund-store.ts'
import { capturedBetween } from './reports-store.ts'
import { type DepositRow, depositById } from './store.ts'

type Reconciliation = { payments: number; breaks: string[] }

const PAGE = 500

/** The number of each deposit in the report, by its reference; null where the gateway has no such deposit. */
type Reported = Map<string, number | null>

export async function reconcile(
  database: Database,
  gateway: GatewayName,
  report: AsyncIterable<ReportedPayment>,
): Promise<Reconciliation> {
  const breaks: string[] = []
  const reported: Reported = new Map()
  let payments = 0
  for await (const payment of report) {
    const { reference, state } = payment
    payments++
    const deposit = await database.one(depositById, { id: reference })
    const isReturn = state !== 'settled' && state !== 'held'
    if (!isReturn) {
      if (reported.has(reference)) breaks.push(`${reference}: reported twice`)
      reported.set(reference, deposit?.gateway === gateway ? deposit.number : null)
    }
    const difference = isReturn
      ? await returnDifference(database, { deposit, gateway }, { ...payment, state })
      : differenceOf(deposit, gateway, payment)
    if (difference !== null) breaks.push(`${reference}: ${difference}`)
  }
  for await (const id of capturedButNotReported(database, gateway, reported)) {
    breaks.push(`${id}: captured, but not settled`)
  }
  return { payments, breaks }
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

/** Between the first and the last deposit of the report. */
async function* capturedButNotReported(
  database: Database,
  gateway: GatewayName,
  reported: Reported,
): AsyncGenerator<string> {
  let first = Number.POSITIVE_INFINITY
  let last = 0
  for (const number of reported.values()) {
    if (number === null) continue
    first = Math.min(first, number)
    last = Math.max(last, number)
  }
  for (let after = first - 1; after < last; ) {
    const page = await database.query(capturedBetween, { after, until: last, limit: PAGE })
    for (const deposit of page) if (deposit.gateway === gateway && !reported.has(deposit.id)) yield deposit.id
    if (page.length < PAGE) return
    after = (page.at(-1) as DepositRow).number
  }
}
