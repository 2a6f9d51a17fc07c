import type { Fraction } from '../../record/figures.ts'
import { moved, priceAt, rungOfChance } from '../afternoon/price-ladder.ts'
import { draw } from './draw.ts'

/** Oldest first. They wander along the fractions of bookmakers, away from a price and back to it. */
export function pricesAround(price: Fraction, luck: number, count: number): Fraction[] {
  const rung = rungOfChance(price.den / (price.num + price.den))
  const steps: number[] = [0]
  while (steps.length < count) steps.push((steps.at(-1) as number) + (draw(luck, steps.length, 11) % 5) - 2)
  const last = count - 1
  const wandering = steps.map((step, nth) =>
    priceAt(moved(rung, Math.round(step - ((steps[last] as number) * nth) / last))),
  )
  return [...wandering.slice(0, -1), price]
}
