// What happens in an afternoon, second by second. A second is a minute of the story, which begins at 14:40.

import { changeEvent, changeMarket, changeOutcome } from '../../sportsbook/catalogue-changes.ts'
import type { Change } from '../../sportsbook/change.ts'
import { draw } from './draw.ts'
import { INTERACTIONS, type Interaction } from './interactions.ts'
import { moved, priceAt, type Rung, textAt } from './price-ladder.ts'
import {
  AFTERNOON,
  type Racecard,
  type RacecardEvent,
  type RacecardMarket,
  type Runner,
  settlementsOf,
} from './racecard.ts'

/** Until the last event is settled. */
export const AFTERNOON_SECONDS = AFTERNOON.football.endsAt
const BEGIN_MINUTE = 14 * 60 + 40
/** How long markets are suspended after a goal. */
const SUSPENDED_SECONDS = 4

export type Step = {
  /** Seconds after the beginning. */
  readonly at: number
  /** What happens to an event, with the line to show; null: only an interaction. */
  readonly news: { readonly eventId: number; readonly state?: 'running' | 'settled'; readonly line: string } | null
  readonly changes: (now: number) => readonly Change[]
  readonly interaction: Interaction | null
}

/** In the order in which they happen. */
export function scriptOf(racecard: Racecard): Step[] {
  const prices = new Map(
    racecard.events
      .flatMap(({ markets }) => markets)
      .flatMap(({ runners }) => runners.map(({ id, rung }) => [id, rung])),
  )
  const written = [
    ...footballMoments(racecard),
    ...tennisMoments(racecard),
    ...raceMoments(racecard.firstRace, AFTERNOON.firstRace),
    ...raceMoments(racecard.lastRace, AFTERNOON.lastRace),
  ].toSorted((one, other) => one.at - other.at)
  // Prices move from where the moment before left them, so the moments are processed in order.
  const moments = written.map((moment) => stepOf(moment, prices, racecard.round))
  const interactions = INTERACTIONS.map((interaction) => ({
    ...{ at: interaction.at, news: null, changes: () => [], interaction },
  }))
  return [...moments, ...interactions].toSorted((one, other) => one.at - other.at)
}

/** `steps`: how far prices move along the ladder; less than 0: they get shorter. */
type Move = { readonly runner: Runner; readonly steps: number }
type Moment = {
  readonly at: number
  readonly event: RacecardEvent
  readonly state?: 'running' | 'settled'
  /** undefined: the line describes how the price of the first move changed. */
  readonly text?: string
  readonly moves?: readonly Move[]
  readonly changes?: (now: number) => readonly Change[]
}

function stepOf(
  { at, event, state, text, moves = [], changes = () => [] }: Moment,
  prices: Map<number, Rung>,
  round: number,
): Step {
  const moving = moves.map(({ runner, steps }, index) => {
    const before = prices.get(runner.id) as Rung
    const after = moved(before, steps + Math.sign(steps) * (draw(round, at, index) % 2))
    prices.set(runner.id, after)
    return { runner, before, after }
  })
  const [first] = moving
  const line = text ?? (first === undefined ? '' : priceLine(first.runner.name, first.before, first.after))
  return {
    at,
    news: { eventId: event.id, line: `${clockAt(at)} ${line}`, ...(state === undefined ? {} : { state }) },
    changes: (now) => [
      ...changes(now),
      ...moving.map(({ runner, after }) => changeOutcome(runner.id, { price: priceAt(after) })),
    ],
    interaction: null,
  }
}

function priceLine(name: string, before: Rung, after: Rung): string {
  if (after === before) return `${name} holds at ${textAt(after)}`
  return after < before ? `${name} is cut to ${textAt(after)}` : `${name} drifts to ${textAt(after)}`
}

export function clockAt(second: number): string {
  const minute = BEGIN_MINUTE + second
  return `${Math.floor(minute / 60)}:${String(minute % 60).padStart(2, '0')}`
}

// ---- Football

function footballMoments({ football, round }: Racecard): Moment[] {
  const [result, both] = football.markets as [RacecardMarket, RacecardMarket]
  const [home, draws, away] = result.runners as [Runner, Runner, Runner]
  const goals = football.goals.flatMap(({ at, team }, index) => goalMoments(football, { at, team, index }))
  const { halfTime, secondHalf, pricesMove } = AFTERNOON.football
  const isQuiet = (at: number) =>
    football.goals.every((goal) => at < goal.at || at > goal.at + SUSPENDED_SECONDS) &&
    (at < halfTime || at > secondHalf)
  const drifts = pricesMove.filter(isQuiet).map((at) => ({
    ...{ at, event: football },
    moves: wandering([draw(round, at, 5) % 2 === 0 ? home : away, draws, both.runners[1] as Runner], round, at),
  }))
  const moments: Moment[] = [
    {
      at: football.startsAt,
      event: football,
      state: 'running',
      text: `${football.name}: kick-off`,
      changes: starting(football),
    },
    ...drifts,
    ...goals,
    { at: halfTime, event: football, text: `Half time: ${scoreAt(football, halfTime)}` },
    { at: secondHalf, event: football, text: 'The second half begins' },
    {
      ...{ at: football.endsAt, event: football, state: 'settled' },
      text: `Full time: ${scoreAt(football, football.endsAt)}`,
      changes: () => settlementsOf(football),
    },
  ]
  return moments.map((moment) => withScore(football, moment))
}

/** Each moment also sets score and clock. */
function withScore(football: Racecard['football'], moment: Moment): Moment {
  const { changes = () => [], at } = moment
  const live = { score: goalsAt(football, at).join(' – '), clock: matchClock(at) }
  return { ...moment, changes: (now) => [...changes(now), changeEvent(football.id, live)] }
}

function matchClock(at: number): string {
  const { startsAt, halfTime, secondHalf, endsAt } = AFTERNOON.football
  if (at >= endsAt) return 'Full time'
  if (at >= halfTime && at < secondHalf) return 'Half time'
  const minute = at < halfTime ? at - startsAt : halfTime - startsAt + at - secondHalf
  return `${minute}’`
}

/** Suspended for a moment, then open again at other prices. */
function goalMoments(
  football: Racecard['football'],
  { at, team, index }: { at: number; team: 0 | 1; index: number },
): Moment[] {
  const [result, both] = football.markets as [RacecardMarket, RacecardMarket]
  const [home, draws, away] = result.runners as [Runner, Runner, Runner]
  const [scorer, other] = team === 0 ? [home, away] : [away, home]
  const hasSecondTeamScored = new Set(football.goals.slice(0, index + 1).map((goal) => goal.team)).size === 2
  const status = (to: 'active' | 'suspended') => () =>
    football.markets.map(({ id }) => changeMarket(id, { status: to }))
  return [
    {
      ...{ at, event: football },
      text: `Goal for ${scorer.name}: ${scoreAt(football, at)}. Bets are suspended`,
      changes: status('suspended'),
    },
    {
      ...{ at: at + SUSPENDED_SECONDS, event: football },
      moves: [
        { runner: scorer, steps: -6 },
        { runner: other, steps: 7 },
        { runner: draws, steps: 3 },
        { runner: both.runners[0] as Runner, steps: hasSecondTeamScored ? -12 : -3 },
      ],
      changes: status('active'),
    },
  ]
}

function scoreAt(football: Racecard['football'], at: number): string {
  const [home, away] = football.name.split(' v ')
  return `${home} ${goalsAt(football, at).join('–')} ${away}`
}

function goalsAt({ goals }: Racecard['football'], at: number): number[] {
  return [0, 1].map((team) => goals.filter((goal) => goal.team === team && goal.at <= at).length)
}

// ---- Tennis

function tennisMoments({ tennis, round }: Racecard): Moment[] {
  const [market] = tennis.markets as [RacecardMarket]
  const [winner, loser] = byResult(market)
  const { firstSet, secondSet, pricesMove } = AFTERNOON.tennis
  const drifts = pricesMove.map((at) => ({
    ...{ at, event: tennis },
    moves: wandering(at % 2 === 0 ? [winner, loser] : [loser, winner], round, at),
  }))
  return [
    {
      at: tennis.startsAt,
      event: tennis,
      state: 'running',
      text: `${tennis.name}: first serve`,
      changes: starting(tennis),
    },
    ...drifts,
    { at: firstSet, event: tennis, text: `${loser.name} takes the first set`, moves: swing(loser, winner) },
    { at: secondSet, event: tennis, text: `${winner.name} levels at one set all`, moves: swing(winner, loser) },
    {
      ...{ at: tennis.endsAt, event: tennis, state: 'settled', text: `${winner.name} wins in three sets` },
      changes: () => settlementsOf(tennis),
    },
  ]
}

function swing(stronger: Runner, weaker: Runner): Move[] {
  return [
    { runner: stronger, steps: -5 },
    { runner: weaker, steps: 5 },
  ]
}

// ---- Races

function raceMoments(race: RacecardEvent, { pricesMove, withdrawnAt }: typeof AFTERNOON.firstRace): Moment[] {
  const [market] = race.markets as [RacecardMarket]
  const ordered = byResult(market)
  const [winner, second] = ordered
  const loser = ordered.at(-1) as Runner
  const nonRunner = market.runners.find(({ id }) => market.results[id] === 'void')
  const running = market.runners.filter((one) => one !== nonRunner)
  const betting = pricesMove.map((at, index) => ({
    ...{ at, event: race },
    moves: wandering(
      [running[index % running.length] as Runner, running[(index + 1) % running.length] as Runner],
      race.id,
      at,
    ),
  }))
  const isShared = typeof market.results[winner.id] === 'object' && 'deadHeat' in (market.results[winner.id] as object)
  const text = isShared
    ? `${winner.name} and ${second.name} cannot be separated: a dead heat`
    : `${winner.name} wins from ${second.name}`
  return [
    ...betting,
    ...(nonRunner === undefined || withdrawnAt === undefined ? [] : [withdrawal(race, nonRunner, withdrawnAt)]),
    { at: race.startsAt, event: race, state: 'running', text: `They are off at ${race.name}`, changes: starting(race) },
    {
      ...{ at: race.startsAt + 4, event: race, text: `${loser.name} falls. Bets are suspended` },
      changes: () => [changeMarket(market.id, { status: 'suspended' })],
    },
    { at: race.endsAt, event: race, state: 'settled', text, changes: () => settlementsOf(race) },
  ]
}

function withdrawal(race: RacecardEvent, { id, name }: Runner, at: number): Moment {
  const text = `${name} is withdrawn: bets on it are void`
  return { at, event: race, text, changes: () => [changeOutcome(id, { status: 'suspended' })] }
}

// ---- Parts

function starting({ id }: RacecardEvent): (now: number) => Change[] {
  return (now) => [changeEvent(id, { startTime: new Date(now).toISOString() })]
}

const RANKS = ['win', 'place', 'lose', 'void']

/** Winners first. */
function byResult({ runners, results }: RacecardMarket): [Runner, Runner, ...Runner[]] {
  const rank = ({ id }: Runner) => {
    const result = results[id]
    return RANKS.indexOf(typeof result === 'object' ? result.result : `${result}`)
  }
  const known = runners.filter((runner) => rank(runner) < RANKS.indexOf('void'))
  return known.toSorted((one, other) => rank(one) - rank(other)) as [Runner, Runner, ...Runner[]]
}

/** The first gets shorter or longer, the others the opposite. */
function wandering(runners: readonly Runner[], luck: number, at: number): Move[] {
  const first = draw(luck, at, 4) < 55 ? -1 : 1
  return runners.map((runner, index) => ({ runner, steps: index === 0 ? first : -first }))
}
