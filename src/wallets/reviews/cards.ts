// What operators change of a customer's cards, with what it means for withdrawals that wait.

import type { Actor } from '../../identity/operators/person.ts'
import type { Database } from '../../platform/database/database.ts'
import { Refused } from '../../platform/runtime/refused.ts'
import { noPayoutReason, WRONG_CV2_LIMIT } from '../cards/cards.ts'
import { recordClosure } from '../cards/closures.ts'
import { reportCard, reportRegistered } from '../cards/events.ts'
import { refuseClosedCard, refuseOtherCard, registerMethod } from '../cards/register.ts'
import {
  closeMethod,
  lockMethod,
  type MethodRow,
  markMethodRemoved,
  type NewMethod,
  reopenMethod,
} from '../cards/store.ts'
import type { WalletsContext } from '../context.ts'
import { type DepositorRow, lockDepositor } from '../limits/deposit-facts-store.ts'
import { requestHash } from '../payment-reference.ts'
import { needsTwoPersons } from '../policy.ts'
import { decidedBefore, dropProposal, type Subject } from '../proposals.ts'
import { holdForCard } from '../withdrawals/card-changes.ts'
import { openWithdrawals } from './store.ts'

export type CardOf = { readonly id: number; readonly customerId: number }

/** Under the customer's lock, whom everybody locks first. */
function underLock<Result>(
  { database, now }: WalletsContext,
  { customerId }: CardOf,
  work: (tx: Database, customer: DepositorRow, now: number) => Promise<Result>,
): Promise<Result> {
  return database.transaction(async (tx) => {
    const customer = await tx.one(lockDepositor, { customerId })
    if (customer === undefined) throw new Refused('unknown', `There is no customer ${customerId}.`)
    return work(tx, customer, now())
  })
}

type Registered = 'created' | 'replaced' | 'proposed'

/**
 * A card of a customer with open withdrawals needs two persons, by the sum of these: money must not find a new way out unseen. With another
 * holder what waits for the card waits for new approvals: whose it is decides who approves. Without a holder it takes no payouts.
 */
export function registerCard(context: WalletsContext, card: CardOf, method: NewMethod, by: Actor): Promise<Registered> {
  return underLock(context, card, async (tx, customer, now) => {
    const { open } = (await tx.one(openWithdrawals, { customerId: card.customerId, currency: customer.currency })) as {
      open: string
    }
    const existing = await tx.one(lockMethod, { id: card.id })
    if (existing !== undefined) await refuseOtherCard(tx, existing, { customerId: card.customerId, method })
    const isThere = existing !== undefined && existing.removed_at === null
    const isSameCard = isThere && existing.token === method.token && existing.card_number === method.card_number
    if (!isSameCard) await refuseClosedCard(tx, card, method)
    const isOtherHolder = existing?.first_name !== method.first_name || existing.last_name !== method.last_name
    if (
      BigInt(open) > 0n &&
      (!isSameCard || isOtherHolder) &&
      needsTwoPersons(context.config, 'withdrawal', BigInt(open))
    ) {
      const subject: Subject = `card ${card.id}`
      const decision = { subject, customerId: card.customerId, terms: termsOf(card, method), note: '', by }
      const first = await decidedBefore(tx, decision, now)
      if (first === null) return 'proposed'
    }
    const registered = await registerMethod(tx, card, method, now)
    await reportRegistered(tx, { ...card, existing }, method, now)
    await dropProposal(tx, `card ${card.id}`)
    // A card that the bank has issued anew has an account.
    const isRenewed = !isSameCard || isOtherHolder || existing.expiry_date !== method.expiry_date
    if (isRenewed) await dropProposal(tx, `account-closure ${card.id}`)
    if (existing !== undefined && isOtherHolder) {
      const changed = (await tx.one(lockMethod, { id: card.id })) as MethodRow
      const takes = noPayoutReason(changed, true, now) === null ? 'everything' : 'returns'
      await holdForCard(tx, { ...card, takes }, now)
    }
    return registered
  })
}

/** The token and the names are not shown: a fingerprint compares them. */
function termsOf({ customerId }: CardOf, { token, card_number, expiry_date, ...card }: NewMethod) {
  const names = [card.first_name, card.last_name]
  const fingerprint = requestHash('card', customerId, token, card_number, expiry_date, ...names)
  return `${card.scheme} ${card_number}, ${expiry_date}, with the fingerprint ${fingerprint.slice(0, 16)}`
}

/** false: the customer has no such card. */
export function closeCard(context: WalletsContext, card: CardOf): Promise<boolean> {
  return underLock(context, card, async (tx, _, now) => {
    const before = await tx.one(lockMethod, { id: card.id })
    if ((await tx.run(closeMethod, { ...card, now })) === 0) return false
    if (before?.closed_at === null) await reportCard(tx, { ...card, kind: 'card.closed' }, now)
    await holdForCard(tx, { ...card, takes: 'returns' }, now)
    return true
  })
}

const isShut = ({ closed_at, wrong_cv2 }: MethodRow) => closed_at !== null || wrong_cv2 >= WRONG_CV2_LIMIT

export function reopenCard(context: WalletsContext, card: CardOf): Promise<boolean> {
  return underLock(context, card, async (tx, _, now) => {
    const before = await tx.one(lockMethod, { id: card.id })
    if ((await tx.run(reopenMethod, { ...card, now })) === 0) return false
    if (before !== undefined && isShut(before)) await reportCard(tx, { ...card, kind: 'card.reopened' }, now)
    return true
  })
}

/** The row stays, because deposits refer to it, and what it paid in still goes back to it. */
export function removeCard(context: WalletsContext, card: CardOf): Promise<boolean> {
  return underLock(context, card, async (tx, _, now) => {
    if ((await tx.run(markMethodRemoved, { ...card, now })) === 0) return false
    await reportCard(tx, { ...card, kind: 'card.removed' }, now)
    await holdForCard(tx, { ...card, takes: 'returns' }, now)
    return true
  })
}

type Closure = { readonly note: string; readonly by: Actor }

/** The account behind a card is closed: its claims are freed. Two persons record it, with a note of the proof. */
export function recordClosedAccount(
  context: WalletsContext,
  card: CardOf,
  { note, by }: Closure,
): Promise<'no such card' | 'recorded' | 'proposed'> {
  return underLock(context, card, async (tx, _, now) => {
    const method = await tx.one(lockMethod, { id: card.id })
    if (method?.customer_id !== card.customerId) return 'no such card'
    const subject: Subject = `account-closure ${card.id}`
    if (method.account_closed_at !== null) {
      await dropProposal(tx, subject)
      return 'recorded'
    }
    const first = await decidedBefore(tx, { subject, customerId: card.customerId, terms: 'closed', note, by }, now)
    if (first === null) return 'proposed'
    await recordClosure(tx, { id: card.id, now, note: `${first.by.name}, ${by.name}: ${note}` })
    await holdForCard(tx, { ...card, takes: 'nothing' }, now)
    return 'recorded'
  })
}
