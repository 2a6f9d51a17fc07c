// A *deposit* moves money from a card into the customer's account:
//   1. It is written (T1) before the gateway is called, so that a crash leaves a trace.
//   2. The gateway *authorises* it, which holds the amount on the card.
//   3. The gateway's decision is recorded (T2), and the client is answered.
//   4. Jobs *capture* or *cancel* what is held (sweeper.ts). docs/deposits.md lists the states.

import { setTimeout as pause } from 'node:timers/promises'
import { Fault } from '../../faults.ts'
import type { RegisterAnswer } from '../../identity/exclusions/register.ts'
import { type Database, DatabaseUnavailable, UniqueViolation } from '../../platform/database/database.ts'
import type { WalletsContext } from '../context.ts'
import { depositFault, walletFault } from '../faults.ts'
import type { Cv2 } from '../gateways/cv2.ts'
import type { AuthorisationRequest, ChallengeTerms, Decision, Gateway } from '../gateways/gateway.ts'
import { type DepositorRow, lockDepositor } from '../limits/deposit-facts-store.ts'
import { referenceOf, requestHash } from '../payment-reference.ts'
import { dayOf } from '../periods.ts'
import { type DepositWithChallenge, depositWithChallenge } from './challenge-store.ts'
import { type DepositFacts, type DepositMethod, depositFacts } from './facts-store.ts'
import { brokenRule, ownLimitsOf } from './rules.ts'
import { type PaymentResult, paymentDateTime } from './shapes.ts'
import { type DepositRow, depositById, insertDeposit, isUndecided } from './store.ts'
import { type DecidedDeposit, type DecidedRequest, DepositVanished, recordDecision } from './transitions.ts'

export type DepositOrder = {
  readonly customerId: number
  readonly apiKey: string
  readonly idempotencyKey: string | null
  readonly amount: bigint
  readonly methodId: number
  /** Absent: the payment is cancelled where the issuer requests a challenge. */
  readonly challenge?: ChallengeTerms
}

type DepositAnswer = { readonly replayed: boolean; readonly deposit: DecidedDeposit }

/** `earlier`: the deposit for which the Idempotency-Key was used before. */
type Begun = { readonly request: AuthorisationRequest } | { readonly earlier: DepositWithChallenge }

/** Returns the deposit with its decision; throws the fault of the first rule that the order breaks. */
export async function makeDeposit(context: WalletsContext, order: DepositOrder, cv2: Cv2): Promise<DepositAnswer> {
  const begun = await begin(context, order)
  if ('earlier' in begun) return { replayed: true, deposit: replayable(begun.earlier, order) }
  const started = performance.now()
  const decision = await authorise(context, begun.request, cv2)
  const deposit = await recordDecisionSafely(context, context.gateways.current, begun.request, decision)
  context.metrics.observe('paddock_deposit_guard_seconds', (performance.now() - started) / 1000)
  context.metrics.count('paddock_deposits_total', `outcome="${decision.outcome}",fault="${deposit.fault ?? ''}"`)
  return { replayed: false, deposit }
}

/** The answer to a deposit, the same for every replay. */
export function paymentResult(deposit: DepositRow): PaymentResult {
  if (deposit.fault !== null) throw depositFault({ fault: deposit.fault, period: deposit.limit_period })
  return { paymentId: deposit.id, paymentDateTime: paymentDateTime(deposit.decided_at as number) }
}

// ---- T1

async function begin(context: WalletsContext, order: DepositOrder): Promise<Begun> {
  const reference = referenceOf(order)
  // Before the transaction, which would otherwise hold the customer's lock while the register is queried.
  const register = await context.exclusionRegister.query(order.customerId)
  try {
    return await context.database.transaction((tx) => beginIn(tx, context, { ...order, reference, register }))
  } catch (error) {
    // The lock on the customer's row makes this rare; the unique indexes make a second deposit impossible.
    if (error instanceof UniqueViolation) throw walletFault('stillProcessing')
    throw error
  }
}

type RegisteredOrder = DepositOrder & { readonly reference: string; readonly register: RegisterAnswer }

async function beginIn(tx: Database, context: WalletsContext, order: RegisteredOrder): Promise<Begun> {
  const { reference, register } = order
  const now = context.now()
  const customer = (await tx.one(lockDepositor, { customerId: order.customerId })) as DepositorRow
  // A statement of its own: it sees what others committed while this one waited for the lock.
  const facts = (await tx.one(depositFacts, {
    customerId: order.customerId,
    methodId: order.methodId,
    day: dayOf(now),
    currency: customer.currency,
    apiKey: order.apiKey,
    idempotencyKey: order.idempotencyKey,
  })) as DepositFacts
  if (facts.earlier_id !== null) {
    return { earlier: (await tx.one(depositWithChallenge, { id: facts.earlier_id }, 'last')) as DepositWithChallenge }
  }
  if (facts.withdrawal_of_key !== null) throw new Fault('walletInvalid', 'Idempotency-Key')
  const method = facts.id === null ? null : (facts as DepositMethod)
  const deposited = BigInt(facts.used) + order.amount
  const beginning = { inFlight: facts.in_flight === 1, register }
  const ownLimits = await ownLimitsOf(tx, customer, now, order.amount)
  const debt = BigInt(facts.debt)
  const rules = { customer, method, amount: order.amount, deposited, debt, ownLimits, begunAt: now, beginning }
  const broken = brokenRule(context, rules)
  if (broken !== null) throw depositFault(broken)
  const deposit = {
    id: reference,
    customer_id: order.customerId,
    api_key: order.apiKey,
    idempotency_key: order.idempotencyKey,
    payment_method_id: order.methodId,
    gateway: context.gateways.current.name,
    amount: order.amount,
    currency: customer.currency,
    day: dayOf(now),
    request_hash: hashOf(order),
    lease_until: now + context.config.wallets.leaseMs,
    created_at: now,
  }
  await tx.run(insertDeposit, deposit, 'last')
  const { token } = method as DepositMethod
  const request = { reference, customerId: customer.id, token, amount: order.amount, currency: customer.currency }
  return { request: order.challenge === undefined ? request : { ...request, challenge: order.challenge } }
}

/** cv2 is no part of it, not even hashed: a hash of three digits is the cv2. */
function hashOf({ amount, methodId, challenge }: DepositOrder): string {
  return requestHash(challenge === undefined ? 'makeTransaction' : 'makeDeposit', amount, methodId)
}

/** The same key with the same request gets the same answer. */
function replayable(earlier: DepositWithChallenge, order: DepositOrder): DepositWithChallenge {
  const same =
    earlier.request_hash === null
      ? BigInt(earlier.amount) === order.amount && earlier.payment_method_id === order.methodId
      : earlier.request_hash === hashOf(order)
  if (!same) throw new Fault('walletInvalid', 'Idempotency-Key')
  const mayChallenge = earlier.state === 'CHALLENGE' && order.challenge !== undefined
  if (isUndecided(earlier) && !mayChallenge) throw walletFault('stillProcessing')
  return earlier
}

// ---- The gateway

const TRIES = 2

/** Sends the same bytes with the same key each time, so that a second try never holds a second amount. */
async function authorise(context: WalletsContext, request: AuthorisationRequest, cv2: Cv2): Promise<Decision> {
  let decision: Decision = { outcome: 'unknown', reason: 'not sent' }
  for (let attempt = 1; attempt <= TRIES && decision.outcome === 'unknown'; attempt++) {
    decision = await context.gateways.current.authorise(request, cv2)
  }
  return decision
}

// ---- T2

const RETRY_PAUSES_MS = [20, 100, 500, 2_000, 5_000]

/**
 * A connection lost during COMMIT leaves open whether T2 happened. Repeating it is safe: a decision is recorded once,
 * and the deposit is returned as it is.
 */
export async function recordDecisionSafely(
  context: WalletsContext,
  gateway: Gateway,
  request: DecidedRequest,
  decision: Decision,
): Promise<DecidedDeposit> {
  const id = request.reference
  for (const waitMs of RETRY_PAUSES_MS) {
    try {
      return await context.database.transaction((tx) => recordDecision(tx, context, request, decision))
    } catch (error) {
      if (error instanceof DepositVanished) return cancelVanished(context, gateway, request, decision)
      if (!(error instanceof DatabaseUnavailable)) throw error
    }
    await pause(waitMs)
  }
  // The client has no answer yet: the lease ends, and the deposit is voided unless T2 was committed after all.
  const stored = await context.database.one(depositById, { id })
  if (stored === undefined) return cancelVanished(context, gateway, request, decision)
  if (isUndecided(stored)) {
    throw new DatabaseUnavailable(`the decision on deposit ${id} could not be recorded; its lease will end`)
  }
  return stored
}

/**
 * PostgreSQL has lost T1: an asynchronous failover went back to a time before it. No job will release the hold, so it is
 * cancelled here. If that fails too, `paddock reconcile` lists the payment.
 */
async function cancelVanished(
  { log }: WalletsContext,
  gateway: Gateway,
  { reference, amount, currency }: DecidedRequest,
  decision: Decision,
): Promise<never> {
  const gatewayReference = 'gatewayReference' in decision ? decision.gatewayReference : null
  const { outcome } = await gateway.cancel({ reference, gatewayReference, amount, currency })
  log.error(
    { deposit: reference, cancel: outcome },
    'a deposit was lost by the database before its decision was recorded',
  )
  throw new DatabaseUnavailable(`the database has lost deposit ${reference}`)
}
