// Compares a gateway's report with the deposits stored with that gateway, by merchant reference. A *break* is a difference
// that somebody must explain. After an asynchronous failover of PostgreSQL these are payments whose deposit was lost.

import type { Database } from '../platform/database/database.ts'
import { formatMoney, parseMoney } from '../platform/runtime/money.ts'
import type { GatewayName, ReportedPayment } from './gateways/gateway.ts'
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
    const { reference } = payment
    payments++
    if (reported.has(reference)) breaks.push(`${reference}: reported twice`)
    const deposit = await database.one(depositById, { id: reference })
    reported.set(reference, deposit?.gateway === gateway ? deposit.number : null)
    const difference = differenceOf(deposit, gateway, payment)
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
