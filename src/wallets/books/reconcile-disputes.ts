// Chargebacks and their reversals of one deposit, by the report: each line is one step of a dispute, once.

import { formatMoney } from '../../platform/runtime/money.ts'
import { amountOf, type ReturnLine, textOf } from './reconcile-lines.ts'

export type DisputeStep = {
  readonly id: number
  readonly gatewayReference: string
  readonly event: string
  readonly amount: string
  readonly at: number
}

type DisputeState = 'charged back' | 'chargeback reversed'
type DisputeLine = ReturnLine & { readonly state: DisputeState }

const STEPS: Readonly<Record<DisputeState, readonly string[]>> = {
  'charged back': ['CHARGEBACK', 'SECOND_CHARGEBACK'],
  'chargeback reversed': ['CHARGEBACK_REVERSED'],
}

/** First the lines whose amount is that of a step, then those that name a dispute with a step of another amount. */
export function disputeDifferences(lines: readonly ReturnLine[], steps: readonly DisputeStep[]) {
  const left = [...steps]
  const take = (step: DisputeStep) => left.splice(left.indexOf(step), 1)
  const others = lines.filter(isOfDispute).filter((line) => {
    const fits = left.filter((step) => STEPS[line.state].includes(step.event) && BigInt(step.amount) === amountOf(line))
    const found = fits.find((step) => isNamed(step, line)) ?? fits[0]
    if (found !== undefined) take(found)
    return found === undefined
  })
  const differences = others.map((line) => {
    const other = left.find((step) => STEPS[line.state].includes(step.event) && isNamed(step, line))
    if (other === undefined) return textOf(line, 'the deposit has no such dispute')
    take(other)
    return textOf(line, `the ${other.event} of the dispute is ${formatMoney(BigInt(other.amount))}`)
  })
  return { differences, found: steps.filter((step) => !left.includes(step)) }
}

const isOfDispute = (line: ReturnLine): line is DisputeLine => Object.hasOwn(STEPS, line.state)

function isNamed({ gatewayReference }: DisputeStep, { returnReferences = [] }: ReturnLine): boolean {
  return returnReferences.includes(gatewayReference)
}
