// Why a card gets less than what is available, and why no card gets anything: each sentence is true of the customer who reads it.

import { formatMoney } from '../../platform/runtime/money.ts'
import type { MethodRow } from '../cards/store.ts'
import type { Claim, Funds } from '../refunds/claims.ts'

export type Sorted = { readonly claim: Claim; readonly fate: 'disputed' | 'freed' | 'return' | 'payout' }

/** Its own card can take it. */
export const isOwn = ({ fate }: Sorted) => fate === 'return' || fate === 'payout'

type Found = {
  readonly funds: Funds
  readonly max: bigint
  /** Another card has something that it can take now without two persons. */
  readonly isBlocked: boolean
  /** It could take more in more parts. */
  readonly isCut: boolean
  readonly noPayout: string | null
  readonly sorted: readonly Sorted[]
}

export function reasonOf(card: MethodRow, found: Found): string | null {
  const { funds, max, noPayout } = found
  if (card.closed_at !== null && max > 0n) return 'This card was closed: a withdrawal to it is checked first.'
  if (funds.available === 0n) return 'There is nothing to withdraw now.'
  if (max === funds.available) return null
  return (card.account_closed_at === null ? ownReason(card, found) : noPayout) ?? othersReason(card, found)
}

/** About the card and what it paid in. */
function ownReason(card: MethodRow, { max, isCut, noPayout, sorted }: Found): string | null {
  const has = (fate: Sorted['fate']) => sorted.some((one) => one.fate === fate && one.claim.methodId === card.id)
  if (has('disputed')) {
    return 'A deposit of this card is disputed: what is left of it stays until the dispute has ended.'
  }
  if (noPayout !== null && has('freed')) {
    return 'What this card paid in is too long ago to go back to it, or its bank refused it, and the card takes nothing else.'
  }
  return isCut ? `A withdrawal has a limited number of parts: at most ${formatMoney(max)} fits into one.` : null
}

/** About the rest of what is available. */
function othersReason(card: MethodRow, { funds, isBlocked, noPayout, sorted }: Found): string | null {
  if (isBlocked) return 'What other cards paid in goes back to them first.'
  const isLoose = funds.winnings > 0n || sorted.some(({ fate }) => fate === 'freed')
  if (noPayout !== null && isLoose) return noPayout
  const others = sorted.filter(({ claim }) => claim.methodId !== card.id)
  const reasons = [
    ...(others.some(isOwn) ? ['What a closed card paid in goes back to that card only, after a check.'] : []),
    ...(others.some(({ fate }) => fate === 'disputed')
      ? ['A deposit of another card is disputed: what is left of it stays until the dispute has ended.']
      : []),
  ]
  return reasons.length > 0 ? reasons.join(' ') : noPayout
}

/** Why no card gets anything of what is available; null: one does, or nothing is. */
export function nowhereReason(
  { available, claims, winnings }: Funds,
  options: readonly { readonly max: bigint }[],
): string | null {
  if (available === 0n || options.some(({ max }) => max > 0n)) return null
  if (winnings === 0n && claims.every(({ isDisputed }) => isDisputed)) {
    return 'What is left is of disputed deposits: it stays until the disputes have ended.'
  }
  return 'No card of yours can take it now. Ask customer service: it can be paid to a bank account in your name.'
}
