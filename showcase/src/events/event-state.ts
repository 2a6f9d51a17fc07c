// What the pages of events show about an event: its state, its sides, how its outcomes were settled.

import { type Result, resultText } from '../../../web/words/results.ts'
import type { EventOutcome, ListedEvent, SportsEvent } from '../answers.ts'

export type EventState = 'upcoming' | 'live' | 'settled' | 'unsettled'

export const STATE_WORDS: Readonly<Record<EventState, string>> = {
  upcoming: 'Next',
  live: 'Now',
  settled: 'Settled',
  unsettled: 'Not settled',
}

/** An event starts when its time has come, whether or not somebody loads it again. */
export function stateOf({ status, startDateTimeZoned }: ListedEvent | SportsEvent, now: number): EventState {
  if (status === 'settled' || status === 'unsettled') return status
  return startDateTimeZoned.getTime() <= now ? 'live' : 'upcoming'
}

/** The two sides of a match; undefined for a race. */
export function sidesOf({ name }: { readonly name: string }): readonly [string, string] | undefined {
  const [first, second, ...others] = name.split(' v ')
  return first === undefined || second === undefined || others.length > 0 ? undefined : [first, second]
}

export const outcomesOf = ({ market }: SportsEvent): EventOutcome[] => market.flatMap(({ outcome }) => outcome)

const CLASSES: Record<Result, string> = {
  win: 'won',
  'half-win': 'won',
  place: 'won',
  lose: 'lost',
  'half-lose': 'lost',
  void: 'void',
  push: 'void',
}

export const resultWords = (result: string): readonly [className: string, text: string] => [
  CLASSES[result as Result] ?? 'void',
  resultText(result),
]

/** Everything that changes what a point on it returns, beside the result. */
export function settlementWords(outcome: EventOutcome): string {
  const { result, deadHeat, placeDeadHeat, rule4, reportedPrice } = outcome
  const parts = [
    (result === 'void' || result === 'push') && 'stakes are returned',
    deadHeat !== undefined && `dead heat: ${deadHeat} of the stake stands`,
    placeDeadHeat !== undefined && `dead heat for a place: ${placeDeadHeat} of the stake stands`,
    rule4 !== undefined && `Rule 4: ${Math.round(Number(rule4) * 100)}p in the pound`,
    reportedPrice !== undefined && `starting price ${reportedPrice}`,
  ]
  return parts.filter((part) => part !== false).join(' · ')
}
