// What a settled tip won or lost, in words. All figures are those of the service: on a card, on the tip's page and in the
// record.

import { type Result, resultText } from '../../web/words/results.ts'
import type { RecordTip, Tip } from './answers.ts'
import { counted, signed } from './words.ts'

/** A tip of a record has all of it. */
export type Settled = Pick<RecordTip, 'status' | 'staked' | 'profit' | 'result'> &
  Partial<Pick<RecordTip, 'eachWay' | 'deadHeat' | 'placeDeadHeat' | 'rule4'>>

/** undefined: the tip has no result, does not count, or is not counted yet. */
export function settledOf({ settlement, result, eachWay }: Tip): Settled | undefined {
  if (settlement === undefined || result === undefined) return undefined
  return { ...settlement, result, ...(eachWay === undefined ? {} : { eachWay }) }
}

type Badge = readonly [className: 'won' | 'lost' | 'void', text: string]

const CLASSES: Record<Result, Badge[0]> = {
  win: 'won',
  'half-win': 'won',
  place: 'lost',
  lose: 'lost',
  'half-lose': 'lost',
  void: 'void',
  push: 'void',
}
const COLOURS = { W: 'won', L: 'lost', V: 'void' } as const

/** The colour shows whether there was a profit: a place, or a win in a dead heat, may be a loss. */
export function badgeOf(result: string, settled?: Settled): Badge {
  const className = CLASSES[result as Result] ?? 'void'
  // A place wins only what was bet on it.
  const text = resultText(result === 'place' ? 'lose' : result)
  if (settled === undefined) return [className, text]
  const colour = COLOURS[settled.status as keyof typeof COLOURS] ?? className
  if (result === 'place' && settled.eachWay !== undefined) return [colour, resultText(result)]
  return [colour, result === 'win' && colour === 'lost' ? 'Dead heat' : text]
}

/** "2 points", "0.5 points". */
export function pointsText(points: string): string {
  const number = Number(points)
  return Number.isInteger(number) ? counted(number, 'point') : `${points} points`
}

/** "+3.78 points from 2 points staked". */
export function returnText({ profit, staked, status }: Settled): string {
  if (status === 'V') return 'The stake was returned: nothing won, nothing lost.'
  return `${signed(profit)} points from ${pointsText(staked)} staked`
}

type Term = { readonly short: string; readonly long: string }

/** Why it is not simply the price: only what had an effect on this tip. */
export function termsOf({ result, eachWay, deadHeat, placeDeadHeat, rule4 }: Settled): readonly Term[] {
  const hasWon = result === 'win' || result === 'half-win'
  const isPlaced = eachWay !== undefined && (result === 'win' || result === 'place')
  const terms: (Term | false)[] = [
    eachWay !== undefined && {
      short: 'each way',
      long: `Each way: one point to win, one on a place at ${eachWay} of the odds.`,
    },
    deadHeat !== undefined &&
      hasWon && { short: 'dead heat', long: `Dead heat: ${deadHeat} of the stake to win counts.` },
    placeDeadHeat !== undefined &&
      isPlaced && { short: 'dead heat', long: `Dead heat for the place: ${placeDeadHeat} of that stake counts.` },
    rule4 !== undefined && (hasWon || isPlaced) && rule4Term(rule4),
  ]
  return terms.filter((term) => term !== false)
}

function rule4Term(rule4: string): Term {
  const pence = Math.round(Number(rule4) * 100)
  return {
    short: `Rule 4 ${pence}p`,
    long: `Rule 4: ${pence}p in the pound off the winnings, because a runner was withdrawn late.`,
  }
}
