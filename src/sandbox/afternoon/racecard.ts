// The events of one afternoon, with their results, and the customers' bets on them. Afternoons are numbered from 1; the number
// decides everything, so that any process can continue what another one began.

import { readAsset } from '../../platform/runtime/assets.ts'
import { putBet } from '../../sportsbook/bet.ts'
import { changeEvent, putEvent } from '../../sportsbook/catalogue-changes.ts'
import type { Change } from '../../sportsbook/change.ts'
import { type Results, settleMarket } from '../../sportsbook/settlement.ts'
import { priceAt, rungOf } from './price-ladder.ts'

/** Events, markets, outcomes and bets of an afternoon have the hundred ids from here on; no other data of the sandbox has them. */
const FIRST_ID = 2_000_000
const IDS_OF_AFTERNOON = 100

export type Runner = { readonly id: number; readonly name: string; readonly rung: number }
export type RacecardMarket = {
  readonly id: number
  readonly name: string
  readonly runners: readonly Runner[]
  readonly results: Results
}
export type RacecardEvent = {
  readonly id: number
  readonly sportId: number
  readonly name: string
  /** Seconds after the beginning of the afternoon. */
  readonly startsAt: number
  readonly endsAt: number
  readonly markets: readonly RacecardMarket[]
}
type Goal = { readonly at: number; readonly team: 0 | 1 }
export type RacecardBet = {
  readonly id: number
  readonly customerId: number
  readonly outcomeId: number
  readonly eachWay: boolean
}
export type Racecard = {
  readonly round: number
  readonly football: RacecardEvent & { readonly goals: readonly Goal[] }
  readonly firstRace: RacecardEvent
  readonly tennis: RacecardEvent
  readonly lastRace: RacecardEvent
  /** All four, in the order in which they start. */
  readonly events: readonly RacecardEvent[]
  readonly bets: readonly RacecardBet[]
}

/** `runner`: its place in the market, which is named by its place in the event. */
type StoredBet = {
  customer: number
  event: 'football' | 'firstRace' | 'tennis' | 'lastRace'
  market: number
  runner: number
  eachWay?: true
}
/** `at`: seconds after the beginning of the afternoon. `moves` and `suspends` name runners by their roles (script.ts). */
type WrittenMoment = {
  at: number
  text: string
  /** How far prices move along the ladder. */
  moves?: { [role: string]: number }
  suspends?: string
}
export type Schedule<Time extends string = never> = {
  moments: { [time in 'startsAt' | 'endsAt' | Time]: WrittenMoment }
  pricesMove: number[]
}
/**
 * `race`: its number on the course's racecard, which is in its name. `results`: of those that run, in the order in which they arrive; what
 * is beyond them does not run, which costs the others 10 per cent of their winnings (rule 4).
 */
export type Race = Schedule & { race: number; prices: string[]; results: Results[string][] }
type Afternoon = {
  football: Schedule<'halfTime' | 'secondHalf'> & { result: string[]; bothTeamsScore: string[] }
  tennis: Schedule & { prices: string[] }
  firstRace: Race
  lastRace: Race
  teams: string[]
  courses: string[]
  players: string[]
  horses: string[]
  goals: Goal[][]
  /** Alice, Bob and Carol have three each; the others write tips on theirs during the afternoon. */
  bets: StoredBet[]
}

export const AFTERNOON = readAsset<Afternoon>('sandbox/afternoon.json')

export function racecardOf(round: number): Racecard {
  const base = FIRST_ID + round * IDS_OF_AFTERNOON
  const football = footballMatch(round, base)
  const firstRace = raceOf(round, base, 0)
  const tennis = tennisMatch(round, base)
  const lastRace = raceOf(round, base, 1)
  const named = { football, firstRace, tennis, lastRace }
  return { round, ...named, events: [football, tennis, firstRace, lastRace], bets: betsOn(named, base) }
}

function footballMatch(round: number, base: number): Racecard['football'] {
  const [home, away] = [pick(AFTERNOON.teams, round * 2), pick(AFTERNOON.teams, round * 2 + 1)]
  const goals = pick(AFTERNOON.goals, round)
  const scored = ([0, 1] as const).map((team) => goals.filter((one) => one.team === team).length) as [number, number]
  const [homeGoals, awayGoals] = scored
  const { moments, result: prices, bothTeamsScore } = AFTERNOON.football
  const result = runners(base + 10, [home, 'Draw', away], prices)
  const both = runners(base + 20, ['Yes', 'No'], bothTeamsScore)
  const winner = homeGoals > awayGoals ? 0 : homeGoals === awayGoals ? 1 : 2
  return {
    ...{ id: base + 1, sportId: 10, name: `${home} v ${away}`, ...timesOf(moments), goals },
    markets: [
      { id: base + 1, name: 'Match result', runners: result, results: onlyWinner(result, winner) },
      {
        ...{ id: base + 2, name: 'Both teams to score', runners: both },
        results: onlyWinner(both, homeGoals > 0 && awayGoals > 0 ? 0 : 1),
      },
    ],
  }
}

function raceOf(round: number, base: number, nth: 0 | 1): RacecardEvent {
  const { moments, race, prices, results } = nth === 0 ? AFTERNOON.firstRace : AFTERNOON.lastRace
  const starters = runners(base + 30 + nth * 10, rotated(AFTERNOON.horses, (round + nth) * 5), prices)
  const arrived = rotated(starters.slice(0, results.length), round + nth)
  const others = starters.slice(results.length).map(({ id }) => [id, 'void'] as const)
  const ofAll = Object.fromEntries([...arrived.map(({ id }, place) => [id, results[place]] as const), ...others])
  return {
    ...{ id: base + 2 + nth, sportId: 21, name: `${pick(AFTERNOON.courses, round)} race ${race}`, ...timesOf(moments) },
    markets: [{ id: base + 3 + nth, name: 'To win', runners: starters, results: ofAll as Results }],
  }
}

function tennisMatch(round: number, base: number): RacecardEvent {
  const { moments, prices } = AFTERNOON.tennis
  const opponents = runners(base + 50, rotated(AFTERNOON.players, round * 2), prices)
  const name = opponents.map((player) => player.name).join(' v ')
  return {
    ...{ id: base + 4, sportId: 30, name, ...timesOf(moments) },
    markets: [{ id: base + 5, name: 'To win', runners: opponents, results: onlyWinner(opponents, round % 2) }],
  }
}

function betsOn(events: { readonly [event in StoredBet['event']]: RacecardEvent }, base: number): RacecardBet[] {
  return AFTERNOON.bets.map(({ customer, event, market, runner, eachWay = false }, index) => {
    const outcomeId = events[event].markets[market]?.runners[runner]?.id as number
    return { id: base + 1 + index, customerId: customer, outcomeId, eachWay }
  })
}

// ---- Changes of the sportsbook's data

/** Creates the events, all of which start at `start`, and the bets. */
export function newRacecard({ events, bets }: Racecard, start: number): Change[] {
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
export function rescheduled({ events }: Racecard, startOf: (event: RacecardEvent) => number): Change[] {
  return events.map((event) => changeEvent(event.id, { startTime: new Date(startOf(event)).toISOString() }))
}

/** The same again changes nothing. */
export function settlementsOf({ markets }: RacecardEvent): Change[] {
  return markets.map(({ id, results }) => settleMarket(id, results))
}

// ---- Parts

/** As many as there are prices. */
function runners(firstId: number, names: readonly string[], prices: readonly string[]): Runner[] {
  return prices.map((price, index) => ({ id: firstId + index, name: names[index] as string, rung: rungOf(price) }))
}

function timesOf({ startsAt, endsAt }: Schedule['moments']) {
  return { startsAt: startsAt.at, endsAt: endsAt.at }
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
