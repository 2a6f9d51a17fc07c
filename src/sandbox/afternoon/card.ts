// The events of one afternoon, with their results, and the customers' bets on them. Afternoons are numbered from 1; the number
// decides everything, so that any process can continue what another one began.

import { putBet } from '../../sportsbook/bet.ts'
import { changeEvent, putEvent } from '../../sportsbook/catalogue.ts'
import type { Change } from '../../sportsbook/change.ts'
import { type Results, settleMarket } from '../../sportsbook/settlement.ts'
import { priceAt, rungOf } from './price-ladder.ts'

/** Events, markets, outcomes and bets of an afternoon have the hundred ids from here on; no other data of the sandbox has them. */
const FIRST_ID = 2_000_000
const IDS_OF_AFTERNOON = 100

export type Runner = { readonly id: number; readonly name: string; readonly rung: number }
export type CardMarket = {
  readonly id: number
  readonly name: string
  readonly runners: readonly Runner[]
  readonly results: Results
}
export type CardEvent = {
  readonly id: number
  readonly sportId: number
  readonly name: string
  /** Seconds after the beginning of the afternoon. */
  readonly startsAt: number
  readonly endsAt: number
  readonly markets: readonly CardMarket[]
}
export type Goal = { readonly at: number; readonly team: 0 | 1 }
export type CardBet = {
  readonly id: number
  readonly customerId: number
  readonly outcomeId: number
  readonly eachWay: boolean
}
export type Card = {
  readonly round: number
  readonly football: CardEvent & { readonly goals: readonly Goal[] }
  readonly firstRace: CardEvent
  readonly tennis: CardEvent
  readonly lastRace: CardEvent
  /** All four, in the order in which they start. */
  readonly events: readonly CardEvent[]
  readonly bets: readonly CardBet[]
}

const TEAMS = ['Leeds', 'Hull', 'Stoke', 'Preston', 'Luton', 'Cardiff', 'Burnley', 'Millwall']
const COURSES = ['Kempton', 'York', 'Sandown', 'Newbury', 'Ayr', 'Wetherby']
const PLAYERS = ['Navarro', 'Lindqvist', 'Okafor', 'Petrescu', 'Haas', 'Moreau']
const HORSES = [
  ...[
    'Paper Moon',
    'Salt and Vinegar',
    'Harbour Master',
    'Second Helping',
    'Night Bus',
    'Green Umbrella',
    'Slow Waltz',
  ],
  ...['Copper Kettle', 'Long Division', 'Tuppence', 'Fair Isle', 'Market Day', 'Plain Sailing', 'Old School'],
]

const GOALS: readonly (readonly Goal[])[] = [
  [goal(23, 0), goal(38, 1), goal(101, 0)],
  [goal(31, 1), goal(88, 0)],
  [goal(70, 1)],
  [goal(17, 0), goal(44, 0), goal(92, 0)],
]

export function cardOf(round: number): Card {
  const base = FIRST_ID + round * IDS_OF_AFTERNOON
  const football = footballMatch(round, base)
  const firstRace = raceWithNonRunner(round, base)
  const tennis = tennisMatch(round, base)
  const lastRace = raceWithDeadHeat(round, base)
  const events = [football, tennis, firstRace, lastRace]
  return {
    round,
    football,
    firstRace,
    tennis,
    lastRace,
    events,
    bets: betsOn({ football, firstRace, tennis, lastRace }, base),
  }
}

function footballMatch(round: number, base: number): Card['football'] {
  const [home, away] = [pick(TEAMS, round * 2), pick(TEAMS, round * 2 + 1)]
  const goals = pick(GOALS, round)
  const scored = ([0, 1] as const).map((team) => goals.filter((one) => one.team === team).length) as [number, number]
  const [homeGoals, awayGoals] = scored
  const result = runners(base + 10, [`${home} 6/5`, 'Draw 9/4', `${away} 2/1`])
  const both = runners(base + 20, ['Yes 4/5', 'No 10/11'])
  const winner = homeGoals > awayGoals ? 0 : homeGoals === awayGoals ? 1 : 2
  return {
    ...{ id: base + 1, sportId: 10, name: `${home} v ${away}`, startsAt: 5, endsAt: 115, goals },
    markets: [
      { id: base + 1, name: 'Match result', runners: result, results: onlyWinner(result, winner) },
      {
        ...{ id: base + 2, name: 'Both teams to score', runners: both },
        results: onlyWinner(both, homeGoals > 0 && awayGoals > 0 ? 0 : 1),
      },
    ],
  }
}

/** One horse is withdrawn before the race, which costs the others 10 per cent of their winnings (rule 4). */
function raceWithNonRunner(round: number, base: number): CardEvent {
  const horses = runners(base + 30, race(round * 5, ['3/1', '7/2', '9/2', '8/1', '12/1']))
  const order = rotated(horses.slice(0, 4), round)
  const rule4 = '0.10'
  const results = {
    [idAt(order, 0)]: { result: 'win', rule4 },
    [idAt(order, 1)]: { result: 'place', rule4 },
    [idAt(order, 2)]: { result: 'place', rule4 },
    [idAt(order, 3)]: 'lose',
    [idAt(horses, 4)]: 'void',
  } as const
  return {
    ...{ id: base + 2, sportId: 21, name: `${pick(COURSES, round)} 15:00`, startsAt: 20, endsAt: 27 },
    markets: [{ id: base + 3, name: 'To win', runners: horses, results }],
  }
}

function raceWithDeadHeat(round: number, base: number): CardEvent {
  const horses = runners(base + 40, race(round * 5 + 5, ['7/4', '5/2', '5/1', '10/1']))
  const order = rotated(horses, round + 1)
  const half = { num: 1, den: 2 }
  const results = {
    [idAt(order, 0)]: { result: 'win', deadHeat: half },
    [idAt(order, 1)]: { result: 'win', deadHeat: half },
    [idAt(order, 2)]: 'place',
    [idAt(order, 3)]: 'lose',
  } as const
  return {
    ...{ id: base + 3, sportId: 21, name: `${pick(COURSES, round)} 15:55`, startsAt: 75, endsAt: 82 },
    markets: [{ id: base + 4, name: 'To win', runners: horses, results }],
  }
}

function tennisMatch(round: number, base: number): CardEvent {
  const players = runners(base + 50, [`${pick(PLAYERS, round * 2)} 4/6`, `${pick(PLAYERS, round * 2 + 1)} 6/5`])
  const name = players.map((player) => player.name).join(' v ')
  return {
    ...{ id: base + 4, sportId: 30, name, startsAt: 15, endsAt: 95 },
    markets: [{ id: base + 5, name: 'To win', runners: players, results: onlyWinner(players, round % 2) }],
  }
}

/** Alice, Bob and Carol have three each; the others write tips on theirs during the afternoon. */
function betsOn(
  { football, firstRace, tennis, lastRace }: Pick<Card, 'football' | 'firstRace' | 'tennis' | 'lastRace'>,
  base: number,
): CardBet[] {
  const outcome = (event: CardEvent, market: number, runner: number) =>
    (event.markets[market] as CardMarket).runners[runner]?.id as number
  const bets: [customerId: number, outcomeId: number, eachWay?: 'each way'][] = [
    [1, outcome(lastRace, 0, 0)],
    [1, outcome(football, 0, 0)],
    [1, outcome(firstRace, 0, 1), 'each way'],
    [2, outcome(tennis, 0, 1)],
    [2, outcome(lastRace, 0, 1)],
    [2, outcome(football, 1, 0)],
    [3, outcome(football, 0, 2)],
    [3, outcome(tennis, 0, 0)],
    [3, outcome(firstRace, 0, 0)],
    [12, outcome(firstRace, 0, 0)],
    [5, outcome(firstRace, 0, 2), 'each way'],
    [14, outcome(lastRace, 0, 0)],
    [13, outcome(tennis, 0, 0)],
    [11, outcome(football, 0, 0)],
    [6, outcome(lastRace, 0, 2), 'each way'],
  ]
  return bets.map(([customerId, outcomeId, eachWay], index) => ({
    ...{ id: base + 1 + index, customerId, outcomeId, eachWay: eachWay !== undefined },
  }))
}

// ---- Changes of the sportsbook's data

/** Creates the events, all of which start at `start`, and the bets. */
export function newCard({ events, bets }: Card, start: number): Change[] {
  const startTime = new Date(start).toISOString()
  return [
    ...events.map(({ id, sportId, name, markets }) =>
      putEvent(id, {
        ...{ sportId: `${sportId}`, name, startTime, status: 'active' },
        markets: markets.map((market) => ({
          ...{ id: `${market.id}`, name: market.name, status: 'active' },
          outcomes: market.runners.map(({ id, name, rung }) => ({
            ...{ id: `${id}`, name, status: 'active' as const, startingPrice: false, price: priceAt(rung) },
          })),
        })),
      }),
    ),
    ...bets.map(({ id, customerId, outcomeId, eachWay }) => {
      const terms = eachWay ? { eachWay: { num: 1, den: 5, places: 3 } } : {}
      return putBet(id, { customerId: `${customerId}`, legs: [{ outcomeId: `${outcomeId}`, ...terms }] })
    }),
  ]
}

/** `startOf`: when an event starts, in milliseconds. */
export function rescheduled({ events }: Card, startOf: (event: CardEvent) => number): Change[] {
  return events.map((event) => changeEvent(event.id, { startTime: new Date(startOf(event)).toISOString() }))
}

/** The same again changes nothing. */
export function settlementsOf({ markets }: CardEvent): Change[] {
  return markets.map(({ id, results }) => settleMarket(id, results))
}

// ---- Parts

function goal(at: number, team: 0 | 1): Goal {
  return { at, team }
}

/** Reads "Leeds 6/5". */
function runners(firstId: number, texts: readonly string[]): Runner[] {
  return texts.map((text, index) => {
    const space = text.lastIndexOf(' ')
    return { id: firstId + index, name: text.slice(0, space), rung: rungOf(text.slice(space + 1)) }
  })
}

function race(first: number, prices: readonly string[]): string[] {
  return prices.map((price, index) => `${pick(HORSES, first + index)} ${price}`)
}

function onlyWinner(outcomes: readonly Runner[], winner: number): Results {
  return Object.fromEntries(outcomes.map(({ id }, index) => [id, index === winner ? 'win' : 'lose'] as const))
}

function rotated<T>(items: readonly T[], by: number): T[] {
  return items.map((_, index) => pick(items, index + by))
}

function pick<T>(items: readonly T[], index: number): T {
  return items[index % items.length] as T
}

function idAt(outcomes: readonly Runner[], index: number): number {
  return (outcomes[index] as Runner).id
}
