// Withdrawals from before they had parts: once, customer by customer.
//
// 1. Those that were sent keep their one payout. What it took of which deposit is worked out in the order of time: what stands in the end
//    took its card's own claims, newest first, and then winnings. What came back names the claims that it had, and takes none.
// 2. Those that wait become parts like new ones, by the rules of today: what these do not allow comes back, and the rest then waits for
//    persons.

import type { Database } from '../../platform/database/database.ts'
import type { WalletsContext } from '../context.ts'
import { optionsOf, type PlannedPart, planParts } from './closed-loop.ts'
import { holdWhileDebt } from './money-gone.ts'
import { insertParts, type NewPart, newParts, partsOf } from './part-store.ts'
import { returnWaiting } from './parts.ts'
import type { MoneyStep, WithdrawalStep } from './replay-store.ts'
import * as sql from './replay-store.ts'
import { lockWithdrawal, type WithdrawalRow } from './store.ts'
import { enqueueParts, isApproved, refreshState, voidApprovals } from './transitions.ts'
import { insertPlanned, readLoopFacts } from './withdrawal.ts'

const REPORT_EVERY = 1_000

/** Before requests are served. */
export async function replayWithdrawals(context: WalletsContext): Promise<void> {
  const { database, log } = context
  let customers = 0
  for (;;) {
    const next = await database.one(sql.nextToReplay, {})
    if (next === undefined) break
    await database.transaction((tx) => replayCustomer(tx, context, next.customer_id))
    if (++customers % REPORT_EVERY === 0) log.info({ customers }, 'writing the parts of earlier withdrawals')
  }
  if (customers > 0) log.info({ customers }, 'the parts of earlier withdrawals are written')
}

const isWaiting = ({ state }: WithdrawalStep) => state === 'REQUESTED' || state === 'APPROVED'
const isWithdrawal = (step: MoneyStep | WithdrawalStep) => step.kind === 'withdrawal'

async function replayCustomer(tx: Database, context: WalletsContext, customerId: number): Promise<void> {
  await tx.one(sql.lockReplayed, { customerId })
  const steps = await tx.query(sql.stepsOfCustomer, { customerId })
  const waiting = steps.filter(isWithdrawal).filter(isWaiting)
  await writeSent(tx, customerId, steps, context.now())
  for (const step of waiting) await writeWaiting(tx, context, customerId, step)
  for (const currency of new Set(waiting.map((step) => step.currency))) {
    await holdWhileDebt(tx, { customer_id: customerId, currency }, context.now())
  }
  await tx.run(sql.deleteReplayed, { customerId })
  await tx.run(sql.markReplayed, { customerId })
}

// ---- Those that were sent

/** What is left of a deposit at a moment of the past. */
type Claim = { readonly depositId: string; readonly methodId: number | null; readonly currency: string; left: bigint }

async function writeSent(
  tx: Database,
  customerId: number,
  steps: readonly (MoneyStep | WithdrawalStep)[],
  now: number,
): Promise<void> {
  const claims: Claim[] = []
  for (const step of steps) {
    const amount = BigInt(step.amount)
    if (step.kind === 'captured') {
      claims.unshift({ depositId: step.deposit_id, methodId: step.method_id, currency: step.currency, left: amount })
    } else if (step.kind === 'returned') {
      const claim = claims.find(({ depositId }) => depositId === step.deposit_id)
      if (claim !== undefined) claim.left = claim.left > amount ? claim.left - amount : 0n
    } else if (isWithdrawal(step) && !isWaiting(step))
      await writeOldParts(tx, customerId, { step, taken: takeFrom(claims, step) }, now)
  }
}

type Taken = { readonly depositId: string | null; readonly amount: bigint }

/** The newest claims of its card; the rest was winnings. */
function takeFrom(claims: readonly Claim[], step: WithdrawalStep): Taken[] {
  const taken: Taken[] = []
  let rest = BigInt(step.amount)
  for (const claim of claims) {
    const part = claim.left < rest ? claim.left : rest
    if (claim.methodId !== step.method_id || claim.currency !== step.currency || part === 0n) continue
    if (!cameBack(step)) claim.left -= part
    rest -= part
    taken.push({ depositId: claim.depositId, amount: part })
  }
  return rest > 0n ? [...taken, { depositId: null, amount: rest }] : taken
}

function cameBack({ state, review }: WithdrawalStep): boolean {
  return state === 'RETURNED' || state === 'REFUSED' || (state === 'REVIEW' && review === 'paid-after-return')
}

type OldParts = { readonly step: WithdrawalStep; readonly taken: readonly Taken[] }

async function writeOldParts(tx: Database, customerId: number, { step, taken }: OldParts, now: number): Promise<void> {
  const { number: id, state } = step
  const rows = taken.map(
    ({ depositId, amount }, index): NewPart => ({
      withdrawal_id: id,
      customer_id: customerId,
      kind: 'payout',
      deposit_id: depositId,
      freed: 0,
      amount: `${amount}`,
      currency: step.currency,
      ...sumsOf(step, `${amount}`),
      reference: index === 0 ? step.reference : `${step.reference}-${index + 1}`,
      gateway: step.gateway,
      gateway_reference: index === 0 ? step.gateway_reference : null,
      begun_at: state === 'REFUSED' ? null : step.changed_at,
      created_at: step.at,
      changed_at: step.changed_at,
    }),
  )
  await tx.query(insertParts, { rows: newParts.of(rows) })
  if (state !== 'SENDING') return
  const withdrawal = (await tx.one(lockWithdrawal, { id })) as WithdrawalRow
  await refreshState(tx, withdrawal, { detail: 'the gateway’s calls for payouts of the earlier version are gone' }, now)
}

type Sums = Pick<NewPart, 'paid' | 'returned' | 'kept_back' | 'state' | 'review'>

/** What is not known to be paid or returned needs manual review, unless its notification comes. */
function sumsOf({ state, review }: WithdrawalStep, whole: string): Sums {
  const none = { paid: '0', returned: '0', kept_back: '0', review: null }
  if (state === 'PAID') return { ...none, paid: whole, state: 'PAID' }
  if (state === 'RETURNED' || state === 'REFUSED') return { ...none, returned: whole, state: 'RETURNED' }
  if (state !== 'REVIEW') return { ...none, state: 'REVIEW', review: 'unresolved' }
  if (review === 'paid-after-return') return { ...none, returned: whole, kept_back: whole, state: 'REVIEW', review }
  if (review === 'returned-after-paid') return { ...none, paid: whole, state: 'REVIEW', review: 'another-amount' }
  return { ...none, state: 'REVIEW', review: 'unresolved' }
}

// ---- Those that wait

const CHANGED = 'Withdrawals have new rules. We check this one before we send it.'

async function writeWaiting(
  tx: Database,
  context: WalletsContext,
  customerId: number,
  { number: id, amount, currency, method_id }: WithdrawalStep,
): Promise<void> {
  const now = context.now()
  const withdrawal = (await tx.one(lockWithdrawal, { id })) as WithdrawalRow
  const facts = await readLoopFacts(tx, context, { id: customerId, currency }, BigInt(amount))
  const option = optionsOf(facts).find(({ card }) => card.id === method_id)
  const allowed = option === undefined ? [] : planParts(option, BigInt(amount))
  const rest = BigInt(amount) - allowed.reduce((sum, part) => sum + part.amount, 0n)
  const back: PlannedPart = { kind: 'payout', depositId: null, isFreed: false, amount: rest, gateway: null }
  const parts = await insertPlanned(tx, withdrawal, rest > 0n ? [...allowed, back] : allowed, now)
  if (rest > 0n) {
    const last = parts.at(-1)
    const report = { gatewayReference: null, reason: 'not allowed by the new rules for withdrawals', now }
    await returnWaiting(tx, withdrawal, (part) => part.id === last?.id, report)
  }
  if (allowed.length === 0 || withdrawal.hold === 'operator') return
  const left = (await tx.one(lockWithdrawal, { id })) as WithdrawalRow
  const needsPersons = option?.card.closed_at !== null || allowed.some(({ kind }) => kind === 'payout')
  if (rest > 0n || needsPersons) await voidApprovals(tx, left, { hold: 'card', reason: CHANGED }, now)
  else if (isApproved(left)) {
    await enqueueParts(tx, await tx.query(partsOf, { withdrawalId: id }), { payoutsFrom: now }, now)
  }
}
