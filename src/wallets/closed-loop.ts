// The *closed loop*: money goes back to the cards that it came from. open(card) = captured - returned - paid out, where what is
// on its way counts as paid out. While several cards have something open, each gets at most that, the oldest first; what is
// left when none has (winnings) goes to the card that was used last.

import type { LoopCardRow } from './closed-loop-store.ts'
import { isCardExpired } from './method.ts'

export type Option = { readonly id: number; readonly max: bigint }

/**
 * `available`: what may go out in all. A card that is closed, removed or expired gets nothing, and holds up no other: what it has
 * open goes with the winnings.
 */
export function optionsOf(cards: readonly LoopCardRow[], available: bigint, now: number): Option[] {
  const usable = cards.filter((card) => card.card_open === 1 && !isCardExpired(card.expiry_date, now))
  const used = usable.filter((card) => card.last_used !== null)
  const last = used.toSorted((one, other) => (other.last_used ?? 0) - (one.last_used ?? 0))[0]
  const open = used
    .filter((card) => openOf(card) > 0n)
    .toSorted((one, other) => (one.first_used ?? 0) - (other.first_used ?? 0))
  // Where no other card has anything open, the one that was used last takes the winnings too.
  const takesAll = open.length === 0 || (open.length === 1 && open[0] === last)
  if (takesAll) return last === undefined || available <= 0n ? [] : [{ id: last.id, max: available }]
  let left = available
  const options: Option[] = []
  for (const card of open) {
    const max = openOf(card) < left ? openOf(card) : left
    if (max > 0n) options.push({ id: card.id, max })
    left -= max
  }
  return options
}

function openOf({ captured, returned, paid_out }: LoopCardRow): bigint {
  return BigInt(captured) - BigInt(returned) - BigInt(paid_out)
}
