// A payment outside: where no card can take the money, two persons record that it was paid to a bank account in the customer's name. Same
// rules, same ledger: a withdrawal whose parts are of kind outside. If the bank returns the transfer, two persons record that too.

import type { Actor } from '../../identity/operators/person.ts'
import type { Database } from '../../platform/database/database.ts'
import { formatMoney } from '../../platform/runtime/money.ts'
import { Refused } from '../../platform/runtime/refused.ts'
import { transfer } from '../account/ledger.ts'
import type { WalletsContext } from '../context.ts'
import { type DepositorRow, lockDepositor } from '../limits/deposit-facts-store.ts'
import { referenceOf, requestHash } from '../payment-reference.ts'
import { decidedBefore, dropProposal, type Proposal, readProposal, type Subject } from '../proposals.ts'
import { openOf, reportReturned } from '../refunds/outgoing.ts'
import { freedClaims, type LoopFacts, takesAnyPayout } from './closed-loop.ts'
import { outsidePaymentNamed, type PartRow, partsOf } from './part-store.ts'
import { applyReport, outgoingOf, payOutside } from './parts.ts'
import type { WithdrawalRow } from './store.ts'
import * as sql from './store.ts'
import { refreshState, reportWithdrawal } from './transitions.ts'
import { insertPlanned, readLoopFacts } from './withdrawal.ts'

export type OutsideOrder = {
  readonly customerId: number
  readonly amount: bigint
  /** The reference of the bank's transfer. */
  readonly bankReference: string
  readonly note: string
  readonly by: Actor
}

/** null: it waits for a second person, who records the same. */
export async function recordOutsidePayment(
  context: WalletsContext,
  order: OutsideOrder,
): Promise<WithdrawalRow | null> {
  const recorded = await context.database.transaction(async (tx) => {
    const { customerId, amount, bankReference, note, by } = order
    const customer = (await tx.one(lockDepositor, { customerId })) as DepositorRow
    const earlier = await tx.one(outsidePaymentNamed, { customerId, bankReference })
    if (earlier !== undefined) {
      throw new Refused(
        'conflict',
        `Withdrawal ${earlier.withdrawal_id} has recorded the payment ${bankReference} already.`,
      )
    }
    const facts = await readLoopFacts(tx, context, customer)
    const most = takenByNoCard(facts)
    const now = context.now()
    const terms = `${formatMoney(amount)} ${customer.currency} by ${bankReference}`
    const subject = `outside-payment ${customerId}` as const
    if (amount > most) {
      // The proposal of the first person is no longer possible.
      if ((await readProposal(tx, subject))?.terms === terms) await dropProposal(tx, subject)
      return most
    }
    const first = await decidedBefore(tx, { subject, customerId, terms, note, by }, now)
    return first === null ? null : pay(tx, context, { order, first, customer, facts })
  })
  if (typeof recorded !== 'bigint') return recorded
  throw new Refused('conflict', `At most ${formatMoney(recorded)} can be paid outside: cards can take the rest.`)
}

/** Freed claims and winnings, where no card takes payouts. */
function takenByNoCard(facts: LoopFacts): bigint {
  if (takesAnyPayout(facts)) return 0n
  return freedClaims(facts).reduce((sum, { covered }) => sum + covered, facts.funds.winnings)
}

type Confirmed = {
  readonly order: OutsideOrder
  readonly first: Proposal
  readonly customer: DepositorRow
  readonly facts: LoopFacts
}

async function pay(
  tx: Database,
  { gateways, now: clock }: WalletsContext,
  { order, first, customer, facts }: Confirmed,
): Promise<WithdrawalRow> {
  const now = clock()
  const { amount, bankReference, by } = order
  const { id: customerId, currency } = customer
  const inserted = (await tx.one(sql.insertWithdrawal, {
    reference: referenceOf({ customerId, apiKey: '', idempotencyKey: null }),
    customer_id: customerId,
    api_key: null,
    idempotency_key: null,
    request_hash: requestHash('outside payment', amount, bankReference),
    payment_method_id: null,
    gateway: gateways.current.name,
    amount,
    currency,
    state: 'REQUESTED',
    approvals: 2,
    requested_by: first.by.name,
    requested_person: first.by.person,
    hold_reason: null,
    now,
  })) as WithdrawalRow
  const parts = await insertPlanned(tx, inserted, outsideParts(facts, amount), now)
  await transfer(
    tx,
    [{ source: { withdrawal_id: inserted.id }, customerId, currency, amount, kind: 'withdrawal' }],
    now,
  )
  await reportWithdrawal(tx, inserted, { event: 'requested', detail: first.by.name }, now)
  const approval = { id: inserted.id, by: by.name, person: by.person, now }
  const withdrawal = (await tx.one(sql.approveSecond, approval)) as WithdrawalRow
  for (const part of parts) {
    await payOutside(tx, part, { gatewayReference: bankReference, reason: 'paid outside', now })
  }
  return refreshState(tx, withdrawal, { detail: `${first.by.name}, ${by.name}: ${bankReference}, ${order.note}` }, now)
}

/** Parts for freed claims, newest first, then for winnings. */
function outsideParts(facts: LoopFacts, amount: bigint) {
  const parts = []
  let left = amount
  for (const { depositId, covered } of freedClaims(facts)) {
    const taken = covered < left ? covered : left
    if (taken === 0n) break
    parts.push({ kind: 'outside' as const, depositId, isFreed: true, amount: taken, gateway: null })
    left -= taken
  }
  if (left > 0n) parts.push({ kind: 'outside' as const, depositId: null, isFreed: false, amount: left, gateway: null })
  return parts
}

export const subjectOfReturn = (withdrawalId: number): Subject => `outside-return ${withdrawalId}`

export const isPaidOutside = ({ kind, state }: PartRow) => kind === 'outside' && state === 'PAID'

/** The bank has returned the transfer: the amount is credited again, a debt first, and claims that it took are there again. */
export async function recordOutsideReturn(
  { database, now: clock }: WalletsContext,
  id: number,
  { note, by }: Pick<OutsideOrder, 'note' | 'by'>,
): Promise<'returned' | 'proposed'> {
  return database.transaction(async (tx) => {
    const withdrawal = await tx.one(sql.lockWithdrawal, { id })
    if (withdrawal === undefined) throw new Refused('unknown', 'There is no such withdrawal.')
    const parts = (await tx.query(partsOf, { withdrawalId: id })).filter(isPaidOutside)
    if (parts.length === 0) {
      throw new Refused('conflict', 'Nothing of the withdrawal was paid outside, or it has come back already.')
    }
    const now = clock()
    const { customer_id: customerId } = withdrawal
    const subject = subjectOfReturn(id)
    const first = await decidedBefore(tx, { subject, customerId, terms: 'returned', note, by }, now)
    if (first === null) return 'proposed'
    const report = { gatewayReference: null, reason: `${first.by.name}, ${by.name}: ${note}`, now }
    for (const part of parts) {
      const current = (await tx.one(sql.lockWithdrawal, { id })) as WithdrawalRow
      const sums = outgoingOf(part)
      const reported = reportReturned(sums, openOf(sums) + sums.paid)
      if (reported.outcome !== 'applied') throw new Error(`part ${part.id}: nothing was paid`)
      await applyReport(tx, { withdrawal: current, part }, reported, report)
    }
    return 'returned'
  })
}
