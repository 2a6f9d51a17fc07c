// The sandbox's sports, events, bets and tips. The ids are fixed, so that documents and examples can show them.

import type { FlagText } from '../../flags/flag.ts'
import { readAsset } from '../../platform/runtime/assets.ts'
import type { Fraction } from '../../record/figures.ts'
import type { Results } from '../../sportsbook/settlement.ts'

/** Outcomes by id: "Desert Lantern 5/2", or "Tin Soldier SP" (starting price). */
type FixtureMarket = { id: string; name: string; outcomes: { [id: string]: string } }
/** The event starts `inHours` or more after the first start of the sandbox. */
export type FixtureEvent = { id: number; sportId: string; name: string; inHours: number; markets: FixtureMarket[] }
type Bet = { bet: number; customer: number; outcome: number }
type Fixtures = {
  sports: { [id: string]: string }
  events: FixtureEvent[]
  suspendedMarket: number
  settlements: { marketId: number; results: Results }[]
  /** Of those that were settled, by event. */
  scores: { [eventId: string]: string }
  /** Oldest first. The bet of the tip at index p is 70100 + p. */
  tips: { customer: number; outcome: number; text: string }[]
  /** Flags on tips, by their index in `tips`, with why. */
  tipFlags: { customer: number; tip: number; why?: FlagText }[]
  /** Bets without a tip: `npm start` prints a tip on 70012, the reference shows one on 70013. */
  openBets: Bet[]
  /** Tips that a moderator has removed, with the clause of the rules; created after all others. */
  removedTips: (Bet & { text: string; clause: string })[]
}

export const FIXTURES = readAsset<Fixtures>('sandbox/fixtures.json')

export function marketOf({ id, name, outcomes }: FixtureMarket) {
  return { id, name, status: 'active' as const, outcomes: Object.entries(outcomes).map(outcomeOf) }
}

function outcomeOf([id, text]: [string, string]) {
  const space = text.lastIndexOf(' ')
  const [name, price] = [text.slice(0, space), text.slice(space + 1)]
  const startingPrice = price === 'SP'
  return { id, name, status: 'active' as const, startingPrice, ...(startingPrice ? {} : { price: fraction(price) }) }
}

export function fraction(text: string): Fraction {
  const [num, den] = text.split('/')
  return { num: Number(num), den: Number(den) }
}

/** Whether a customer likes the tip at an index: some tips are liked by many, some by nobody. */
export function likes(customer: number, index: number): boolean {
  return (customer * 7 + index * 3) % 11 < index % 6
}
