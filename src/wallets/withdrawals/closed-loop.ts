// Where money may go (*closed loop*): what a card paid in goes back to it first. While another card has something that it can take now
// without two persons, a card gets at most its own; else also what no other card can take (*freed* claims), and the winnings.

import { noPayoutReason } from '../cards/cards.ts'
import type { MethodRow } from '../cards/store.ts'
import type { GatewayName } from '../gateways/gateway.ts'
import type { Claim, Funds } from '../refunds/claims.ts'
import { isOwn, reasonOf, type Sorted } from './option-reasons.ts'
import type { PartKind } from './part-store.ts'

export type LoopFacts = {
  readonly funds: Funds
  /** All of the customer's, removed ones too. */
  readonly cards: readonly MethodRow[]
  /** Whether the gateway is configured for payouts. */
  readonly paysOut: boolean
  readonly returnWithinMs: number
  readonly maxParts: number
  readonly now: number
}

export type PlannedPart = {
  readonly kind: Exclude<PartKind, 'outside'>
  readonly depositId: string | null
  readonly isFreed: boolean
  readonly amount: bigint
  /** A return goes through the gateway of its deposit; null: the one in use. */
  readonly gateway: GatewayName | null
}

export type Option = {
  readonly card: MethodRow
  readonly max: bigint
  readonly returns: bigint
  readonly freed: bigint
  readonly winnings: bigint
  /** Why it is less than what is available, or that it is checked; null: neither. */
  readonly reason: string | null
  /** All that it can take, in the order in which a withdrawal takes it. */
  readonly parts: readonly PlannedPart[]
}

/** The option of every card of the customer. */
export function optionsOf(facts: LoopFacts): Option[] {
  const reasons = payoutReasons(facts)
  const sorted = sortClaims(facts, reasons)
  return facts.cards.map((card) => optionOf(card, facts, sorted, reasons.get(card.id) ?? null))
}

/** Why each card takes returns only; null: it takes payouts. */
function payoutReasons({ cards, paysOut, now }: LoopFacts): Map<number, string | null> {
  return new Map(cards.map((card) => [card.id, noPayoutReason(card, paysOut, now)]))
}

function sortClaims(facts: LoopFacts, reasons: ReadonlyMap<number, string | null>): Sorted[] {
  return facts.funds.claims.map((claim) => ({ claim, fate: fateOf(claim, facts, reasons) }))
}

/** Covered claims that their own card cannot take, the last captured first. */
export function freedClaims(facts: LoopFacts): Claim[] {
  return sortClaims(facts, payoutReasons(facts))
    .filter(({ fate }) => fate === 'freed')
    .map(({ claim }) => claim)
}

export function takesAnyPayout(facts: LoopFacts): boolean {
  return [...payoutReasons(facts).values()].includes(null)
}

function fateOf(
  claim: Claim,
  { cards, now, returnWithinMs }: LoopFacts,
  reasons: ReadonlyMap<number, string | null>,
): Sorted['fate'] {
  if (claim.isDisputed) return 'disputed'
  const card = cards.find(({ id }) => id === claim.methodId)
  if (card === undefined || card.account_closed_at !== null) return 'freed'
  if (!claim.isReturnRefused && now - claim.capturedAt <= returnWithinMs) return 'return'
  return reasons.get(card.id) === null ? 'payout' : 'freed'
}

function optionOf(card: MethodRow, facts: LoopFacts, sorted: readonly Sorted[], noPayout: string | null): Option {
  const own = sorted.filter((one) => isOwn(one) && one.claim.methodId === card.id)
  const isClosed = (id: number) => facts.cards.find((one) => one.id === id)?.closed_at !== null
  const isBlocked = sorted.some((one) => isOwn(one) && one.claim.methodId !== card.id && !isClosed(one.claim.methodId))
  const takesAll = !isBlocked && noPayout === null
  const freed = takesAll ? sorted.filter(({ fate }) => fate === 'freed') : []
  const all: PlannedPart[] = [
    ...own.map(({ claim, fate }) => toPart(claim, fate === 'return' ? 'return' : 'payout', false)),
    ...freed.map(({ claim }) => toPart(claim, 'payout', true)),
  ]
  if (takesAll && facts.funds.winnings > 0n) {
    all.push({ kind: 'payout', depositId: null, isFreed: false, amount: facts.funds.winnings, gateway: null })
  }
  const parts = all.slice(0, facts.maxParts)
  const sum = (which: (part: PlannedPart) => boolean) =>
    parts.filter(which).reduce((total, { amount }) => total + amount, 0n)
  const max = sum(() => true)
  return {
    card,
    max,
    returns: sum(({ depositId, isFreed }) => depositId !== null && !isFreed),
    freed: sum(({ isFreed }) => isFreed),
    winnings: sum(({ depositId }) => depositId === null),
    reason: reasonOf(card, { funds: facts.funds, max, isBlocked, isCut: parts.length < all.length, noPayout, sorted }),
    parts,
  }
}

function toPart(claim: Claim, kind: PlannedPart['kind'], isFreed: boolean): PlannedPart {
  const gateway = kind === 'return' ? claim.gateway : null
  return { kind, depositId: claim.depositId, isFreed, amount: claim.covered, gateway }
}

/** The parts of a withdrawal of this amount: own claims newest first, then freed ones, then winnings. At most the option's max. */
export function planParts({ parts }: Option, amount: bigint): PlannedPart[] {
  const planned: PlannedPart[] = []
  let left = amount
  for (const part of parts) {
    if (left === 0n) break
    const taken = part.amount < left ? part.amount : left
    planned.push({ ...part, amount: taken })
    left -= taken
  }
  return planned
}
