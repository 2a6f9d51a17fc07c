// What operators decide about withdrawals: approval, hold, refusal, and the result of one that needs manual review.

import type { Database } from '../platform/database/database.ts'
import { Refused } from '../platform/runtime/refused.ts'
import type { WalletsContext } from './context.ts'
import { balanceOf } from './ledger.ts'
import { payoutRequest } from './payout-job.ts'
import { WAITS_FOR_APPROVAL } from './withdrawal.ts'
import type { ListedWithdrawalRow, WithdrawalRow } from './withdrawal-store.ts'
import * as sql from './withdrawal-store.ts'
import { approved, giveBack, pay, placeOf, refuse, reportWithdrawal } from './withdrawal-transitions.ts'

type Decide = (tx: Database, withdrawal: WithdrawalRow, now: number) => Promise<unknown>

/** Under the locks of customer and withdrawal. Returns the withdrawal as stored afterwards. */
async function decide(context: WalletsContext, id: number, work: Decide): Promise<ListedWithdrawalRow> {
  return context.database.transaction(async (tx) => {
    const withdrawal = await tx.one(sql.lockWithdrawal, { id })
    if (withdrawal === undefined) throw unknown()
    await work(tx, withdrawal, context.now())
    return (await tx.one(sql.withdrawalById, { id })) as ListedWithdrawalRow
  })
}

const unknown = () => new Refused('unknown', 'There is no such withdrawal.')
const conflict = (text: string) => new Refused('conflict', text)

/** Two different operators; the one who requested it for the customer is the first. */
export async function approveWithdrawal(context: WalletsContext, id: number, by: string): Promise<ListedWithdrawalRow> {
  return decide(context, id, async (tx, withdrawal, now) => {
    refuseUnlessRequested(withdrawal)
    if (withdrawal.held_by !== null) throw conflict(`${withdrawal.held_by} holds the withdrawal: release it first.`)
    if ((await tx.one(sql.approveFirst, { id, by, now })) !== undefined) {
      return tx.run(sql.insertWithdrawalEvent, { id, now, event: 'approved by the first operator', detail: by })
    }
    const second = await tx.one(sql.approveSecond, { id, by, now })
    if (second === undefined) throw conflict('You have approved or requested it: ask another operator.')
    return approved(tx, second, `${second.approved_by}, ${by}`, now)
  })
}

function refuseUnlessRequested({ state }: WithdrawalRow): void {
  if (state !== 'REQUESTED') throw conflict(`The withdrawal is ${state}: it does not wait for approval.`)
}

export async function refuseWithdrawal(
  context: WalletsContext,
  id: number,
  refusal: { reason: string; by: string },
): Promise<ListedWithdrawalRow> {
  return decide(context, id, async (tx, withdrawal, now) => {
    if ((await refuse(tx, withdrawal, refusal, now)) === undefined) {
      throw conflict(`The withdrawal is ${withdrawal.state}: only one that is not being sent can be refused.`)
    }
  })
}

/** Nobody approves it until it is released. The customer reads the reason. */
export async function holdWithdrawal(
  context: WalletsContext,
  id: number,
  { reason, by }: { reason: string; by: string },
): Promise<ListedWithdrawalRow> {
  return decide(context, id, async (tx, withdrawal, now) => {
    refuseUnlessRequested(withdrawal)
    const held = (await tx.one(sql.holdWithdrawal, { id, reason, by, now })) as WithdrawalRow
    return reportWithdrawal(tx, held, { event: 'held', detail: by }, now)
  })
}

export async function releaseWithdrawal(context: WalletsContext, id: number, by: string): Promise<ListedWithdrawalRow> {
  return decide(context, id, async (tx, withdrawal, now) => {
    refuseUnlessRequested(withdrawal)
    if (withdrawal.held_by === null) return
    const released = await tx.one(sql.holdWithdrawal, { id, reason: WAITS_FOR_APPROVAL, by: null, now })
    return reportWithdrawal(tx, released as WithdrawalRow, { event: 'released', detail: by }, now)
  })
}

type Resolution = { readonly outcome: 'paid' | 'returned'; readonly note: string; readonly by: string }

/**
 * An operator has looked it up at the gateway. paid: the customer has the money; returned: they do not, and it is credited
 * back, after the gateway has been told never to pay it.
 */
export async function resolveWithdrawal(
  context: WalletsContext,
  id: number,
  resolution: Resolution,
): Promise<ListedWithdrawalRow> {
  const seen = await context.database.one(sql.withdrawalById, { id })
  if (seen === undefined) throw unknown()
  refuseUnlessReviewed(seen)
  if (resolution.outcome === 'returned' && placeOf(seen) === 'on its way') await decline(context, seen)
  const reason = `${resolution.by}: ${resolution.note}`
  return decide(context, id, async (tx, withdrawal, now) => {
    refuseUnlessReviewed(withdrawal)
    if (resolution.outcome === 'returned') return giveBack(tx, withdrawal, reason, now)
    if (placeOf(withdrawal) === 'returned') {
      const balance = await balanceOf(tx, withdrawal.customer_id, withdrawal.currency)
      if (balance < BigInt(withdrawal.amount)) {
        throw conflict('It was credited back, and the customer’s balance is smaller by now.')
      }
    }
    return pay(tx, withdrawal, { gatewayReference: null, reason }, now)
  })
}

function refuseUnlessReviewed({ state }: WithdrawalRow): void {
  if (state !== 'REVIEW') throw conflict(`The withdrawal is ${state}: only one in state REVIEW can be decided.`)
}

/** A gateway whose settings are gone is not asked: nothing else can be done then. */
async function decline(context: WalletsContext, withdrawal: WithdrawalRow): Promise<void> {
  const gateway = context.gateways.byName(withdrawal.gateway)
  if (gateway === undefined || !gateway.paysOut) return
  const { token = '' } = (await context.database.one(sql.tokenOfWithdrawal, { id: withdrawal.id })) ?? {}
  const { outcome, reason } = await gateway.declinePayout(payoutRequest(withdrawal, token))
  if (outcome === 'refused') throw conflict(`The gateway does not decline it, so it may be paid (${reason}).`)
  if (outcome === 'unknown') throw conflict(`The gateway does not say whether it declines it (${reason}): try later.`)
}
