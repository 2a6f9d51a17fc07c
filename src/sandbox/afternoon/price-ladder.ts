import type { Fraction } from '../../record/figures.ts'
import { fraction } from '../world/events.ts'

/** The fractions that bookmakers use, shortest first. */
const LADDER = (
  '1/20 1/10 1/8 1/6 1/5 1/4 2/7 1/3 2/5 4/9 1/2 4/7 4/6 8/11 4/5 10/11 1/1 11/10 6/5 5/4 11/8 6/4 13/8 7/4 15/8 2/1 9/4 5/2 ' +
  '11/4 3/1 10/3 7/2 4/1 9/2 5/1 11/2 6/1 13/2 7/1 15/2 8/1 9/1 10/1 11/1 12/1 14/1 16/1 18/1 20/1 25/1 33/1 40/1 50/1 66/1'
).split(' ')

export type Rung = number

/** The place of a fraction such as "5/2" in the ladder. */
export function rungOf(text: string): Rung {
  const rung = LADDER.indexOf(text)
  if (rung === -1) throw new Error(`${text} is no fraction of the ladder`)
  return rung
}

/** The end of the ladder where `steps` lead beyond it. */
export function moved(rung: Rung, steps: number): Rung {
  return Math.min(LADDER.length - 1, Math.max(0, rung + steps))
}

export function textAt(rung: Rung): string {
  return LADDER[rung] as string
}

export function priceAt(rung: Rung): Fraction {
  return fraction(textAt(rung))
}
