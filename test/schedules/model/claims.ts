// Principles 1 and 2, claim by claim: what is left of each deposit, what is covered of it, and what each card may get.

import { type Card, type Customer, cardOf, DAY_MS, type Deposit, type Outflow, sum } from './customer.ts'
import { isUncaptured, unbookedOf } from './deposits.ts'
import { dueOf, isUnderDispute } from './disputes.ts'

/** What is left of a deposit's claim; never less than nothing. */
export function leftOf(customer: Customer, deposit: Deposit): number {
  const outflows = customer.outflows.filter((one) => one.deposit === deposit.id)
  const out = sum(outflows, ({ amount, returned }) => amount - returned)
  return Math.max(0, deposit.captured - out - dueOf(customer, deposit))
}

/** What is in the balance and stays there: it may never have come, or may have left. */
export function keptBack(customer: Customer): number {
  const uncaptured = sum(customer.deposits, (one) => (isUncaptured(one) ? one.amount : 0))
  const unbooked = sum(customer.deposits, (one) => unbookedOf(customer, one))
  return uncaptured + unbooked + sum(customer.outflows, ({ said }) => said)
}

export function available(customer: Customer): number {
  return Math.max(0, customer.balance - keptBack(customer))
}

type Claim = { readonly deposit: Deposit; readonly card: Card; readonly covered: number }

/** The last captured first: each claim gets what the later ones leave. */
function claims(customer: Customer): { covered: Claim[]; winnings: number } {
  let rest = available(customer)
  const captured = customer.deposits.filter(({ state }) => state === 'CAPTURED').reverse()
  captured.sort((one, other) => other.capturedAt - one.capturedAt)
  const all = captured.map((deposit) => {
    const covered = Math.min(rest, leftOf(customer, deposit))
    rest -= covered
    return { deposit, card: cardOf(customer, deposit.card) as Card, covered }
  })
  return { covered: all.filter(({ covered }) => covered > 0), winnings: rest }
}

/** Whether the card could, whatever the gateway can. */
function isPayable({ now }: Customer, { removed, closed, accountClosed, expiresAt, holder }: Card): boolean {
  return !removed && !closed && !accountClosed && expiresAt > now && holder !== 'unknown'
}

function takesPayouts(customer: Customer, card: Card): boolean {
  return customer.settings.payouts && isPayable(customer, card)
}

function takesReturn({ settings, now }: Customer, { deposit, card }: Claim): boolean {
  const isYoung = now - deposit.capturedAt <= settings.returnDays * DAY_MS
  return !card.accountClosed && !deposit.notReturnable && isYoung
}

/** Its account is closed, or its card can take it in no way. While it is under dispute it stays reserved. */
function isFreed(customer: Customer, claim: Claim): boolean {
  return !takesReturn(customer, claim) && !takesPayouts(customer, claim.card)
}

/** While there is such a claim of another card, a card gets its own only. */
function goesFirst(customer: Customer, claim: Claim): boolean {
  return !claim.card.closed && !isFreed(customer, claim) && !isUnderDispute(customer, claim.deposit.id)
}

/** What a withdrawal can be made of. */
export type Slice = {
  readonly kind: 'return' | 'payout' | 'outside'
  readonly of: 'own' | 'freed' | 'winnings'
  readonly deposit: string | null
  readonly amount: number
}

/** In the order in which a withdrawal to the card takes them. */
function slices(customer: Customer, card: Card): Slice[] {
  const { covered, winnings } = claims(customer)
  const isBlocked = covered.some((claim) => claim.card !== card && goesFirst(customer, claim))
  const own = takeable(customer, covered).filter((claim) => claim.card === card && !isFreed(customer, claim))
  const all = own.map((claim) => toSlice('own', takesReturn(customer, claim) ? 'return' : 'payout')(claim))
  if (!isBlocked && takesPayouts(customer, card)) all.push(...notOwn(customer, { covered, winnings }, 'payout'))
  return all.slice(0, customer.settings.maxParts)
}

function takeable(customer: Customer, covered: readonly Claim[]): Claim[] {
  return covered.filter(({ deposit }) => !isUnderDispute(customer, deposit.id))
}

const toSlice =
  (of: Slice['of'], kind: Slice['kind']) =>
  ({ deposit, covered }: Claim): Slice => ({ kind, of, deposit: deposit.id, amount: covered })

/** Freed claims, then winnings. */
function notOwn(customer: Customer, { covered, winnings }: ReturnType<typeof claims>, kind: Slice['kind']): Slice[] {
  const freed = takeable(customer, covered).filter((claim) => isFreed(customer, claim))
  const all = freed.map(toSlice('freed', kind))
  return winnings > 0 ? [...all, { kind, of: 'winnings', deposit: null, amount: winnings }] : all
}

/** What no card can take: freed claims and winnings, where none takes payouts. */
function outsideSlices(customer: Customer): Slice[] {
  if (customer.cards.some((card) => takesPayouts(customer, card))) return []
  return notOwn(customer, claims(customer), 'outside')
}

export type Option = { readonly own: number; readonly freed: number; readonly winnings: number; readonly max: number }

/** null: to no card. */
export function optionOf(customer: Customer, card: Card | null): Option {
  const all = card === null ? outsideSlices(customer) : slices(customer, card)
  const of = (what: Slice['of']) => sum(all, (slice) => (slice.of === what ? slice.amount : 0))
  return { own: of('own'), freed: of('freed'), winnings: of('winnings'), max: sum(all, ({ amount }) => amount) }
}

/** What a withdrawal of this amount takes; at most the option's max. */
export function take(customer: Customer, card: Card | null, amount: number): Slice[] {
  let rest = amount
  const all = card === null ? outsideSlices(customer) : slices(customer, card)
  const taken = all.map((slice) => {
    const part = { ...slice, amount: Math.min(rest, slice.amount) }
    rest -= part.amount
    return part
  })
  return taken.filter((part) => part.amount > 0)
}

/** Whether the customer may name it: it is theirs still, or something that it paid in is left. */
export function isKnown(customer: Customer, { id, removed, closed }: Card): boolean {
  if (!removed && !closed) return true
  return customer.deposits.some((deposit) => deposit.card === id && leftOf(customer, deposit) > 0)
}

/** Whether a part that waits can still go to its card. Passing the expiry date, or an age, holds no return. */
export function canStillTake(customer: Customer, { kind, deposit: id }: Outflow, card: Card): boolean {
  if (kind === 'payout') return isPayable(customer, card)
  const deposit = customer.deposits.find((one) => one.id === id)
  return !card.accountClosed && deposit?.notReturnable === false
}
