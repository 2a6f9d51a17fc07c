// What of ours a gateway's report lacks, of what lies between its first and its last.

import type { Database } from '../../platform/database/database.ts'
import { formatMoney } from '../../platform/runtime/money.ts'
import type { GatewayName } from '../gateways/gateway.ts'
import { type MissingRow, type Page, refundsBegunIn, stepsReportedIn } from './reconcile-store.ts'

const PAGE = 500

/** The number of each deposit or payout in the report, by its reference; null where the gateway has no such. */
export type Reported = Map<string, number | null>

type Stored = { readonly id: string; readonly gateway: string; readonly number: number }

/** Ours between the first and the last of the report that it does not have. */
export async function* notReported(
  reported: Reported,
  gateway: GatewayName,
  read: (page: Page) => Promise<readonly Stored[]>,
): AsyncGenerator<string> {
  const numbers = new Span()
  for (const number of reported.values()) if (number !== null) numbers.add(number)
  const { first, last } = numbers
  for (let after = first - 1; after < last; ) {
    const page = await read({ after, until: last, limit: PAGE })
    for (const one of page) if (one.gateway === gateway && !reported.has(one.id)) yield one.id
    if (page.length < PAGE) return
    after = (page.at(-1) as Stored).number
  }
}

/** From the first to the last of what was added. */
export class Span {
  first = Number.POSITIVE_INFINITY
  last = 0

  add(one: number): void {
    this.first = Math.min(this.first, one)
    this.last = Math.max(this.last, one)
  }

  get isEmpty(): boolean {
    return this.first > this.last
  }
}

// ---- Money that went back

/** `period`: of the report's payments, or of what it has of money that went back where it has no payments. */
type Lack = { readonly gateway: GatewayName; readonly period: Span; readonly reported: ReadonlySet<number> }

const WHAT_TO_DO = 'look for it in the report before and in the next one, then query it at the gateway'

export function refundsNotReported(database: Database, lack: Lack): AsyncGenerator<string> {
  return lacking(lack, (page) => database.query(refundsBegunIn, page))
}

export function stepsNotReported(database: Database, lack: Lack): AsyncGenerator<string> {
  return lacking(lack, (page) => database.query(stepsReportedIn, page))
}

type PageInTime = { gateway: GatewayName; from: number; until: number; after: number; limit: number }

async function* lacking(
  { gateway, period, reported }: Lack,
  read: (page: PageInTime) => Promise<readonly MissingRow[]>,
): AsyncGenerator<string> {
  if (period.isEmpty) return
  for (let after = 0; ; ) {
    const page = await read({ gateway, from: period.first, until: period.last, after, limit: PAGE })
    for (const { id, deposit_id, what, reference, amount, currency } of page) {
      if (reported.has(id)) continue
      yield `${deposit_id}: ${what} ${reference} of ${formatMoney(BigInt(amount))} ${currency} is not in the report: ${WHAT_TO_DO}`
    }
    if (page.length < PAGE) return
    after = (page.at(-1) as MissingRow).id
  }
}
