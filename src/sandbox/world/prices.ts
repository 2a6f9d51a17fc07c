import type { Fraction } from '../../record/figures.ts'
import { moved, priceAt, rungOfChance } from '../afternoon/price-ladder.ts'
import { draw } from './draw.ts'

/** Oldest first. They wander along the fractions of bookmakers and end with the last. */
export function pricesUpTo(last: Fraction, luck: number, count: number): Fraction[] {
  let rung = rungOfChance(last.den / (last.num + last.den))
  const prices = [last]
  while (prices.length < count) {
    rung = moved(rung, (draw(luck, prices.length, 11) % 5) - 2)
    prices.unshift(priceAt(rung))
  }
  return prices
}
