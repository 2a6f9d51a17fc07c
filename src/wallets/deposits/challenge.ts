// Deposits with 3-D Secure. The issuer of a card may *challenge* the customer: the deposit then waits in CHALLENGE, with a
// lease, while the customer's browser is at the issuer. It comes back with a result, which the gateway turns into a decision.

import { Fault } from '../../faults.ts'
import type { WalletsContext } from '../context.ts'
import { depositFault, walletFault } from '../faults.ts'
import type { Cv2 } from '../gateways/cv2.ts'
import type { ChallengeAction, ChallengeResult, ChallengeTerms } from '../gateways/gateway.ts'
import { depositWithChallenge } from './challenge-store.ts'
import { type DepositOrder, makeDeposit, recordDecisionSafely } from './deposit.ts'
import { mayReturnTo } from './return-address.ts'
import { type DepositResult, paymentDateTime } from './shapes.ts'
import { statusOf } from './status.ts'
import type { DepositRow } from './store.ts'
import { beginVoid, type DecidedDeposit } from './transitions.ts'

type Terms = Omit<ChallengeTerms, 'returnUrl'> & { readonly returnUrl: URL }
export type ChallengedOrder = Omit<DepositOrder, 'challenge'> & { readonly challenge: Terms }

/** Throws the faults of makeDeposit, and refuses return addresses that the application has not registered. */
export async function makeChallengedDeposit(
  context: WalletsContext,
  order: ChallengedOrder,
  cv2: Cv2,
): Promise<{ replayed: boolean; result: DepositResult }> {
  const { returnUrl } = order.challenge
  if (!(await mayReturnTo(context.database, order.apiKey, returnUrl))) throw new Fault('walletInvalid', 'returnUrl')
  const challenge = { ...order.challenge, returnUrl: returnUrl.href }
  const { deposit, replayed } = await makeDeposit(context, { ...order, challenge }, cv2)
  return { replayed, result: resultOrFault(deposit) }
}

type OwnPayment = { readonly customerId: number; readonly paymentId: string }

/** The state of one of the customer's deposits, whichever operation made it. */
export async function readResult(context: WalletsContext, payment: OwnPayment): Promise<DepositResult> {
  return toResult(await ownDeposit(context, payment))
}

async function ownDeposit(context: WalletsContext, { customerId, paymentId }: OwnPayment) {
  const deposit = await context.database.one(depositWithChallenge, { id: paymentId })
  if (deposit?.customer_id !== customerId) throw new Fault('walletInvalid', 'paymentId')
  if (deposit.state === 'AUTHORISING') throw walletFault('stillProcessing')
  return deposit
}

/**
 * Records the issuer's decision, once: whoever comes second, or after the deposit was voided, reads what was decided. While
 * the issuer has not decided, the deposit stays as it is, and the call may be repeated.
 */
export async function finishChallenge(
  context: WalletsContext,
  payment: OwnPayment,
  redirectResult: string,
): Promise<DepositResult> {
  const deposit = await ownDeposit(context, payment)
  if (deposit.state !== 'CHALLENGE') return resultOrFault(deposit)
  return resultOrFault(await decide(context, deposit, redirectResult))
}

/**
 * The customer gives it up: it is voided at once, as after its lease. Whoever comes second, or after the issuer's decision,
 * reads what was decided; an approval that arrives later is cancelled.
 */
export async function cancelChallenge(context: WalletsContext, payment: OwnPayment): Promise<DepositResult> {
  const deposit = await ownDeposit(context, payment)
  if (deposit.state !== 'CHALLENGE') return toResult(deposit)
  const { database, now } = context
  const why = { fault: 'authorisationFailed', reason: 'cancelled by the customer', gatewayReference: null } as const
  const voided = await database.transaction((tx) => beginVoid(tx, deposit.id, why, now()))
  return toResult(voided ?? (await ownDeposit(context, payment)))
}

async function decide(context: WalletsContext, deposit: DepositRow, redirectResult: string): Promise<DepositRow> {
  const { id: reference, currency, gateway_reference: gatewayReference } = deposit
  const payment = { reference, gatewayReference, amount: BigInt(deposit.amount), currency }
  const gateway = context.gateways.byName(deposit.gateway)
  const unknown: ChallengeResult = { outcome: 'unknown', reason: 'the gateway is not configured' }
  const result = (await gateway?.finishChallenge(payment, redirectResult)) ?? unknown
  context.metrics.count('paddock_deposit_challenges_total', `outcome="${result.outcome}"`)
  if (result.outcome === 'invalid') throw new Fault('walletInvalid', 'redirectResult')
  if (result.outcome === 'unknown' || gateway === undefined) throw walletFault('stillProcessing')
  return recordDecisionSafely(context, gateway, payment, result)
}

function resultOrFault(deposit: DecidedDeposit): DepositResult {
  if (deposit.fault !== null) throw depositFault({ fault: deposit.fault, period: deposit.limit_period })
  return toResult(deposit)
}

function toResult(deposit: DecidedDeposit): DepositResult {
  const { id: paymentId, url, method, data } = deposit
  const result = { paymentId, paymentDateTime: paymentDateTime(deposit.decided_at ?? deposit.created_at) }
  if (deposit.state !== 'CHALLENGE') return { ...result, status: statusOf(deposit) }
  const fields = JSON.parse(data ?? '[]') as ChallengeAction['data']
  const action = { type: 'redirect', url: url ?? '', method: method ?? 'GET', data: fields }
  return { ...result, status: 'challenge', action, challengeUntilDateTimeZoned: deposit.lease_until ?? undefined }
}
