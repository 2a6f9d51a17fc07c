// What persons decide about withdrawals that wait: approval, hold, refusal.

import type { Actor } from '../../identity/operators/person.ts'
import type { Database } from '../../platform/database/database.ts'
import { Refused } from '../../platform/runtime/refused.ts'
import { methodById } from '../cards/store.ts'
import type { WalletsContext } from '../context.ts'
import { changed } from '../machine.ts'
import { partsOf } from './part-store.ts'
import { takeBack } from './parts.ts'
import type { ListedWithdrawalRow, WithdrawalRow } from './store.ts'
import * as sql from './store.ts'
import { enqueueParts, isApproved, recordEvents, refreshState, reportWithdrawal } from './transitions.ts'
import { WAITS_FOR_APPROVAL } from './withdrawal.ts'

type Decide = (tx: Database, withdrawal: WithdrawalRow, now: number) => Promise<unknown>

/** Under the locks of customer and withdrawal. Returns the withdrawal as stored afterwards. */
async function decide(context: WalletsContext, id: number, work: Decide): Promise<ListedWithdrawalRow> {
  return context.database.transaction(async (tx) => {
    const withdrawal = await tx.one(sql.lockWithdrawal, { id })
    if (withdrawal === undefined) throw new Refused('unknown', 'There is no such withdrawal.')
    await work(tx, withdrawal, context.now())
    return (await tx.one(sql.withdrawalById, { id })) as ListedWithdrawalRow
  })
}

const conflict = (text: string) => new Refused('conflict', text)
const SAME_PERSON = 'You have approved or requested it: another person must decide.'

async function hasWaitingPart(tx: Database, { id: withdrawalId }: WithdrawalRow): Promise<boolean> {
  return (await tx.query(partsOf, { withdrawalId })).some(({ state }) => state === 'WAITING')
}

async function refuseUnlessUnapproved(tx: Database, withdrawal: WithdrawalRow): Promise<void> {
  if (isApproved(withdrawal) || !(await hasWaitingPart(tx, withdrawal))) {
    throw conflict(`The withdrawal is ${withdrawal.state}: it does not wait for approval.`)
  }
}

/** Two different persons, the second of them no cashier. The one who requested it for the customer is the first, until approvals are void. */
export async function approveWithdrawal(context: WalletsContext, id: number, by: Actor): Promise<ListedWithdrawalRow> {
  return decide(context, id, async (tx, withdrawal, now) => {
    await refuseUnlessUnapproved(tx, withdrawal)
    if (withdrawal.hold === 'operator') throw conflict(`${withdrawal.held_by} holds the withdrawal: release it first.`)
    const approval = { id, by: by.name, person: by.person, now }
    if (withdrawal.requested_person === by.person) throw conflict(SAME_PERSON)
    if ((await tx.one(sql.approveFirst, approval)) !== undefined) {
      return recordEvents(tx, id, [{ event: 'approved by the first person', detail: by.name }], now)
    }
    if (by.firstOnly)
      throw conflict(
        'A cashier gives the first approval: somebody with the role cashier-lead or admin gives the second.',
      )
    const second = await tx.one(sql.approveSecond, approval)
    if (second === undefined) throw conflict(SAME_PERSON)
    return approved(tx, context, second, now)
  })
}

/** Payouts to a card that is new wait. */
async function approved(tx: Database, { config }: WalletsContext, withdrawal: WithdrawalRow, now: number) {
  const card = await tx.one(methodById, { id: withdrawal.payment_method_id ?? -1 })
  const parts = await tx.query(partsOf, { withdrawalId: withdrawal.id })
  await enqueueParts(tx, parts, { payoutsFrom: (card?.changed_at ?? 0) + config.wallets.payoutDelayMs }, now)
  const detail = `${withdrawal.approved_by}, ${withdrawal.approved_again_by}`
  const refreshed = await refreshState(tx, withdrawal, { detail, parts }, now)
  // Others of its parts were sent before: the state stays.
  if (refreshed.state === withdrawal.state) await reportWithdrawal(tx, refreshed, { event: 'approved', detail }, now)
}

/** What waits is credited again, and the customer reads the reason. */
export async function refuseWithdrawal(
  context: WalletsContext,
  id: number,
  { reason, by }: { readonly reason: string; readonly by: Actor },
): Promise<ListedWithdrawalRow> {
  return decide(context, id, async (tx, withdrawal, now) => {
    const amount = await takeBack(tx, withdrawal, () => true, { gatewayReference: null, reason, now })
    if (amount === 0n) {
      throw conflict(`The withdrawal is ${withdrawal.state}: only what is not being sent can be refused.`)
    }
    const refused = changed(await tx.one(sql.setRefusal, { id, reason, now }), `withdrawal ${id}`)
    const refreshed = await refreshState(tx, refused, { detail: by.name, isRefused: true }, now)
    if (refreshed.state === 'REFUSED' || refreshed.state === 'RETURNED') return
    await reportWithdrawal(tx, refreshed, { event: 'part-returned', detail: by.name, amount }, now)
  })
}

/** Nobody approves it until it is released. The customer reads the reason. */
export async function holdWithdrawal(
  context: WalletsContext,
  id: number,
  { reason, by }: { readonly reason: string; readonly by: Actor },
): Promise<ListedWithdrawalRow> {
  return decide(context, id, async (tx, withdrawal, now) => {
    await refuseUnlessUnapproved(tx, withdrawal)
    const held = changed(await tx.one(sql.setHold, { id, reason, by: by.name, now }), `withdrawal ${id}`)
    return reportWithdrawal(tx, held, { event: 'held', detail: by.name }, now)
  })
}

export async function releaseWithdrawal(context: WalletsContext, id: number, by: Actor): Promise<ListedWithdrawalRow> {
  return decide(context, id, async (tx, withdrawal, now) => {
    await refuseUnlessUnapproved(tx, withdrawal)
    if (withdrawal.hold !== 'operator') return
    const hold = await tx.one(sql.setHold, { id, reason: WAITS_FOR_APPROVAL, by: null, now })
    const released = changed(hold, `withdrawal ${id}`)
    return reportWithdrawal(tx, released, { event: 'released', detail: by.name }, now)
  })
}
