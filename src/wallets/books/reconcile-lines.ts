// A line of a gateway's report about money that went back.

import { parseMoney } from '../../platform/runtime/money.ts'
import type { ReportedPayment, ReportedReturn } from '../gateways/gateway.ts'

export type ReturnLine = ReportedPayment & { readonly state: ReportedReturn }

export function textOf({ state, amount, currency }: ReturnLine, but: string): string {
  return `${state} ${amount} ${currency}, but ${but}`
}

/** The amount of a line whose amount was checked before. */
export function amountOf({ amount }: ReturnLine): bigint {
  return parseMoney(amount) as bigint
}
