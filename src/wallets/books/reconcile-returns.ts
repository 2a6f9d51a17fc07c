// Money of one deposit that went back, by the report: each line is a refund or a step of a dispute of its own, so that a match is consumed
// once. By reference where the report has it, else by amount.

import { formatMoney, parseMoney } from '../../platform/runtime/money.ts'
import type { RefundRow } from '../refunds/store.ts'
import { type DisputeStep, disputeDifferences } from './reconcile-disputes.ts'
import { amountOf, type ReturnLine, textOf } from './reconcile-lines.ts'

export type Returned = {
  readonly currency: string
  readonly refunds: readonly RefundRow[]
  readonly steps: readonly DisputeStep[]
}

/** `differences` in words; and what of ours is in the report, as it is or with a difference. */
export type ComparedReturns = {
  readonly differences: string[]
  readonly refunds: readonly RefundRow[]
  readonly steps: readonly DisputeStep[]
}

export function compareReturnLines(
  lines: readonly ReturnLine[],
  { currency, refunds, steps }: Returned,
): ComparedReturns {
  const wrong = lines.filter((line) => line.currency !== currency || parseMoney(line.amount) === undefined)
  const counted = lines.filter((line) => !wrong.includes(line))
  const left = refunds.map((refund) => ({
    refund,
    paid: BigInt(refund.paid),
    returned: BigInt(refund.returned),
    lines: wrong.filter(isNamed(refund)),
  }))
  const disputes = disputeDifferences(counted, steps)
  return {
    differences: [
      ...wrong.map((line) => textOf(line, `the deposit is in ${currency}`)),
      ...refundDifferences(counted, left),
      ...disputes.differences,
    ],
    refunds: left.filter((one) => one.lines.length > 0).map(({ refund }) => refund),
    steps: [
      ...disputes.found,
      ...steps.filter((step) =>
        wrong.some(({ returnReferences }) => returnReferences?.includes(step.gatewayReference)),
      ),
    ],
  }
}

// ---- Refunds

/** What no line has consumed yet, and the lines that have. */
type Left = { readonly refund: RefundRow; paid: bigint; returned: bigint; readonly lines: ReturnLine[] }

/** Lines whose refund is known come first, then lines whose amount is that of a whole refund. */
function refundDifferences(lines: readonly ReturnLine[], left: readonly Left[]): string[] {
  const open = {
    refunded: lines.filter(({ state }) => state === 'refunded'),
    reversed: lines.filter(({ state }) => state === 'refund reversed'),
  }
  const differences: string[] = []
  consumeNamed(open, left, differences)
  consumeByAmount(open, left)
  for (const one of left) differences.push(...lessThanOurs(one))
  for (const line of [...open.refunded, ...open.reversed]) {
    differences.push(textOf(line, 'the deposit has no such refund'))
  }
  return differences
}

type OpenLines = { refunded: ReturnLine[]; reversed: ReturnLine[] }

function isNamed(refund: RefundRow): (line: ReturnLine) => boolean {
  return ({ returnReferences = [] }) =>
    returnReferences.some((name) => name === refund.reference || name === refund.gateway_reference)
}

const oursOf = ({ state, paid, returned }: RefundRow) =>
  `the refund is ${state}, with ${formatMoney(BigInt(paid))} paid and ${formatMoney(BigInt(returned))} returned`

/**
 * One that came back was refunded and reversed: both lines together are one of ours that came back. One that FAILED is no match for what
 * the report shows as refunded alone.
 */
function consumeNamed(open: OpenLines, left: readonly Left[], differences: string[]): void {
  for (const one of left) {
    const refunded = open.refunded.filter(isNamed(one.refund))
    const reversed = open.reversed.filter(isNamed(one.refund))
    open.refunded = open.refunded.filter((line) => !refunded.includes(line))
    open.reversed = open.reversed.filter((line) => !reversed.includes(line))
    const [out, back] = [sumOf(refunded), sumOf(reversed)]
    const paid = out > back ? out - back : 0n
    const named = [...refunded, ...reversed]
    one.lines.push(...named)
    if (paid > one.paid || back > one.returned) {
      differences.push(...named.map((line) => textOf(line, oursOf(one.refund))))
      one.paid = 0n
      one.returned = 0n
    } else {
      one.paid -= paid
      one.returned -= back
    }
  }
}

const sumOf = (lines: readonly ReturnLine[]) => lines.reduce((sum, line) => sum + amountOf(line), 0n)

/** What is in the report with less. A reversal may be in a later report than its refund, but not a part of either. */
function lessThanOurs({ refund, paid, returned, lines }: Left): string[] {
  const of = (which: ReturnLine['state']) =>
    lines.filter(({ state, currency }) => state === which && currency === refund.currency)
  const [refunded, reversed] = [of('refunded'), of('refund reversed')]
  const isLess = refunded.length > 0 ? paid > 0n : reversed.length > 0 && returned > 0n
  return isLess ? [...refunded, ...reversed].map((line) => textOf(line, oursOf(refund))) : []
}

function consumeByAmount(open: OpenLines, left: readonly Left[]): void {
  const isWhole = (one: Left, line: ReturnLine) => BigInt(one.refund.amount) === amountOf(line)
  for (const fits of [isWhole, () => true]) {
    open.refunded = open.refunded.filter((line) => {
      const one = left.find((candidate) => candidate.paid >= amountOf(line) && fits(candidate, line))
      if (one === undefined) return true
      one.paid -= amountOf(line)
      one.lines.push(line)
      return false
    })
  }
  // What is left was refunded and came back, if the report shows both.
  open.refunded = open.refunded.filter((line) => {
    const back = open.reversed.find((other) => amountOf(other) === amountOf(line))
    const one = back && left.find((candidate) => candidate.returned >= amountOf(line))
    if (one === undefined) return true
    one.returned -= amountOf(line)
    one.lines.push(line)
    open.reversed = open.reversed.filter((other) => other !== back)
    return false
  })
  open.reversed = open.reversed.filter((line) => {
    const one = left.find((candidate) => candidate.returned >= amountOf(line))
    if (one === undefined) return true
    one.returned -= amountOf(line)
    one.lines.push(line)
    return false
  })
}
