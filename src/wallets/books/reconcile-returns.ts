// Money of one deposit that went back, by the report: each line is a refund or a step of a dispute of its own, so that a match is consumed
// once. By reference where the report has it, else by amount.

import { formatMoney, parseMoney } from '../../platform/runtime/money.ts'
import type { ReportedPayment, ReportedReturn } from '../gateways/gateway.ts'
import type { RefundRow } from '../refunds/store.ts'

export type ReturnLine = ReportedPayment & { readonly state: ReportedReturn }
type DisputeStep = { readonly gatewayReference: string; readonly event: string; readonly amount: string }

export type Returned = {
  readonly currency: string
  readonly refunds: readonly RefundRow[]
  readonly steps: readonly DisputeStep[]
}

/** In words. */
export function returnDifferences(lines: readonly ReturnLine[], { currency, refunds, steps }: Returned): string[] {
  const wrong = lines.filter((line) => line.currency !== currency || parseMoney(line.amount) === undefined)
  const counted = lines.filter((line) => !wrong.includes(line))
  return [
    ...wrong.map((line) => textOf(line, `the deposit is in ${currency}`)),
    ...refundDifferences(counted, refunds),
    ...disputeDifferences(counted, steps),
  ]
}

const textOf = ({ state, amount, currency }: ReturnLine, but: string) => `${state} ${amount} ${currency}, but ${but}`
const amountOf = ({ amount }: ReturnLine) => parseMoney(amount) as bigint

// ---- Refunds

/** What no line has consumed yet. */
type Left = { readonly refund: RefundRow; paid: bigint; returned: bigint }

/** Those whose refund is known first, then those whose amount is that of a whole refund. */
function refundDifferences(lines: readonly ReturnLine[], refunds: readonly RefundRow[]): string[] {
  const left = refunds.map((refund) => ({ refund, paid: BigInt(refund.paid), returned: BigInt(refund.returned) }))
  const open = {
    refunded: lines.filter(({ state }) => state === 'refunded'),
    reversed: lines.filter(({ state }) => state === 'refund reversed'),
  }
  const differences: string[] = []
  consumeNamed(open, left, differences)
  consumeByAmount(open, left)
  for (const line of [...open.refunded, ...open.reversed]) {
    differences.push(textOf(line, 'the deposit has no such refund'))
  }
  return differences
}

type OpenLines = { refunded: ReturnLine[]; reversed: ReturnLine[] }

/**
 * One that came back was refunded and reversed: both lines together are one of ours that came back. One that FAILED is no match for what
 * the report shows as refunded alone.
 */
function consumeNamed(open: OpenLines, left: readonly Left[], differences: string[]): void {
  const isNamed =
    ({ refund }: Left) =>
    (line: ReturnLine) =>
      line.returnReferences?.some((name) => name === refund.reference || name === refund.gateway_reference) === true
  for (const one of left) {
    const refunded = open.refunded.filter(isNamed(one))
    const reversed = open.reversed.filter(isNamed(one))
    open.refunded = open.refunded.filter((line) => !refunded.includes(line))
    open.reversed = open.reversed.filter((line) => !reversed.includes(line))
    const [out, back] = [sumOf(refunded), sumOf(reversed)]
    const paid = out > back ? out - back : 0n
    const { refund } = one
    if (paid > one.paid || back > one.returned) {
      const ours = `the refund is ${refund.state}, with ${formatMoney(one.paid)} paid and ${formatMoney(one.returned)} returned`
      differences.push(...[...refunded, ...reversed].map((line) => textOf(line, ours)))
    }
    one.paid = max0(one.paid - paid)
    one.returned = max0(one.returned - back)
  }
}

const sumOf = (lines: readonly ReturnLine[]) => lines.reduce((sum, line) => sum + amountOf(line), 0n)
const max0 = (amount: bigint) => (amount > 0n ? amount : 0n)

function consumeByAmount(open: OpenLines, left: readonly Left[]): void {
  const isWhole = (one: Left, line: ReturnLine) => BigInt(one.refund.amount) === amountOf(line)
  for (const fits of [isWhole, () => true]) {
    open.refunded = open.refunded.filter((line) => {
      const one = left.find((candidate) => candidate.paid >= amountOf(line) && fits(candidate, line))
      if (one === undefined) return true
      one.paid -= amountOf(line)
      return false
    })
  }
  // What is left was refunded and came back, if the report shows both.
  open.refunded = open.refunded.filter((line) => {
    const back = open.reversed.find((other) => amountOf(other) === amountOf(line))
    const one = back && left.find((candidate) => candidate.returned >= amountOf(line))
    if (one === undefined) return true
    one.returned -= amountOf(line)
    open.reversed = open.reversed.filter((other) => other !== back)
    return false
  })
  open.reversed = open.reversed.filter((line) => {
    const one = left.find((candidate) => candidate.returned >= amountOf(line))
    if (one === undefined) return true
    one.returned -= amountOf(line)
    return false
  })
}

// ---- Disputes

const STEPS: Readonly<Record<'charged back' | 'chargeback reversed', readonly string[]>> = {
  'charged back': ['CHARGEBACK', 'SECOND_CHARGEBACK'],
  'chargeback reversed': ['CHARGEBACK_REVERSED'],
}

function disputeDifferences(lines: readonly ReturnLine[], steps: readonly DisputeStep[]): string[] {
  const left = [...steps]
  return lines.flatMap((line) => {
    const { state } = line
    if (state !== 'charged back' && state !== 'chargeback reversed') return []
    const fits = left.filter(({ event, amount }) => STEPS[state].includes(event) && BigInt(amount) === amountOf(line))
    const found = fits.find(({ gatewayReference }) => line.returnReferences?.includes(gatewayReference)) ?? fits[0]
    if (found === undefined) return [textOf(line, 'the deposit has no such dispute')]
    left.splice(left.indexOf(found), 1)
    return []
  })
}
