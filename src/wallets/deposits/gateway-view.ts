// The gateway's own view of a payment beside ours, for manual reviews.

import { formatMoney } from '../../platform/runtime/money.ts'
import type { WalletsContext } from '../context.ts'
import type { HeldPayment, PaymentLookup, PaymentState } from '../gateways/gateway.ts'
import { howToConfigure } from '../gateways/gateways.ts'
import { bookedOf } from './booked.ts'
import type { DepositRow } from './store.ts'

/** In words that both sides share. none: there is no such payment. */
export const SIDE_STATES = ['held', 'captured', 'cancelled', 'failed', 'none', 'unknown'] as const
type SideState = PaymentState | 'none' | 'unknown'
type Side = { state: SideState; amount: string | null; currency: string | null }

export const VIEW_SOURCES = ['gateway', 'notifications', 'none'] as const

export type GatewayView = {
  ours: Side
  theirs: Side
  /** Only where the gateway has reported something. */
  differences: ('state' | 'amount' | 'currency')[]
  /** Where `theirs` comes from. */
  source: (typeof VIEW_SOURCES)[number]
  remark: string
  link: string | null
}

type Events = readonly { readonly event: string; readonly detail: string }[]

/** Queries the gateway that the deposit was stored with. */
export async function readGatewayView(
  context: WalletsContext,
  deposit: DepositRow,
  events: Events,
): Promise<GatewayView> {
  const gateway = context.gateways.byName(deposit.gateway)
  const payment = toPayment(deposit)
  const notified = events.filter(({ event }) => event === 'notified').map(({ detail }) => detail)
  const answer: PaymentLookup =
    gateway === undefined
      ? { outcome: 'unknown', reason: `not configured, ${howToConfigure(deposit.gateway)}` }
      : await gateway.lookUp(payment, notified)
  const ours: Side = { state: stateOf(deposit), amount: formatMoney(payment.amount), currency: payment.currency }
  const { theirs, source, remark } = viewOf(answer)
  const differences = differencesOf(ours, theirs, deposit.state)
  return { ours, theirs, differences, source, remark, link: gateway?.backOfficeLink(payment) ?? null }
}

function toPayment({ id, gateway_reference, amount, currency }: DepositRow): HeldPayment {
  return { reference: id, gatewayReference: gateway_reference, amount: BigInt(amount), currency }
}

const WITHOUT_TERMS = { amount: null, currency: null }

function viewOf(answer: PaymentLookup): Pick<GatewayView, 'theirs' | 'source' | 'remark'> {
  if (answer.outcome === 'found') {
    const { state, amount, currency } = answer
    const theirs = { state, amount: formatMoney(amount), currency }
    return { theirs, source: 'gateway', remark: 'This is the gateway’s own record.' }
  }
  if (answer.outcome === 'notFound') {
    const remark = 'The gateway has no such payment. That of a new deposit may still be on its way.'
    return { theirs: { ...WITHOUT_TERMS, state: 'none' }, source: 'gateway', remark }
  }
  if (answer.outcome === 'unknown') {
    const remark = `The gateway did not answer (${answer.reason}). Try again, or look the payment up there.`
    return { theirs: { ...WITHOUT_TERMS, state: 'unknown' }, source: 'none', remark }
  }
  const { state } = answer
  const known = state === null ? 'and it has sent no notification yet' : 'so this is from its notifications'
  return {
    theirs: { ...WITHOUT_TERMS, state: state ?? 'unknown' },
    source: state === null ? 'none' : 'notifications',
    remark: `The gateway has no call that reads a payment, ${known}. Look it up there before you decide.`,
  }
}

/** Where the money is by the ledger. */
function stateOf(deposit: DepositRow): SideState {
  const { state, review } = deposit
  if (state === 'AUTHORISING' || state === 'CHALLENGE') return 'unknown'
  if (state === 'DECLINED') return 'none'
  if (state === 'REVIEW' && (review === 'capture-refused' || review === 'capture-failed')) return 'failed'
  const { credited, captured } = bookedOf(deposit)
  return captured > 0n ? 'captured' : credited > 0n ? 'held' : 'cancelled'
}

function differencesOf(ours: Side, theirs: Side, state: DepositRow['state']): GatewayView['differences'] {
  const isUnknown = ours.state === 'unknown' || theirs.state === 'unknown'
  return [
    ...(isUnknown || agree(ours.state, theirs.state, state) ? [] : (['state'] as const)),
    ...(theirs.amount === null || theirs.amount === ours.amount ? [] : (['amount'] as const)),
    ...(theirs.currency === null || theirs.currency === ours.currency ? [] : (['currency'] as const)),
  ]
}

/** A gateway may have no record of what was cancelled or refused, and a cancel may be on its way. */
function agree(ours: SideState, theirs: SideState, state: DepositRow['state']): boolean {
  const bothEnded = [ours, theirs].every((one) => one === 'cancelled' || one === 'none' || one === 'failed')
  return ours === theirs || bothEnded || (state === 'VOIDING' && theirs === 'held')
}
