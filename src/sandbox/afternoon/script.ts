// What happens in an afternoon, second by second; assets/sandbox/afternoon.json has times and texts. A second is a minute of the story,
// which begins at 14:40.

import { changeEvent, changeMarket, changeOutcome } from '../../sportsbook/catalogue-changes.ts'
import type { Change } from '../../sportsbook/change.ts'
import { draw } from './draw.ts'
import { INTERACTIONS, type Interaction } from './interactions.ts'
import { moved, priceAt, type Rung, textAt } from './price-ladder.ts'
import {
  AFTERNOON,
  type Race,
  type Racecard,
  type RacecardEvent,
  type RacecardMarket,
  type Runner,
  type Schedule,
  settlementsOf,
} from './racecard.ts'

/** Until the last event is settled. */
export const AFTERNOON_SECONDS = AFTERNOON.football.moments.endsAt.at
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

// ---- What is written for each event

const STATES: { readonly [time: string]: 'running' | 'settled' } = { startsAt: 'running', endsAt: 'settled' }

/** `runners`: by the names that texts and moves have for them. */
function writtenMoments(
  event: RacecardEvent,
  moments: Schedule['moments'],
  runners: { readonly [role: string]: Runner } = {},
): Moment[] {
  const named: { readonly [name: string]: { readonly name: string } } = { ...runners, event }
  return Object.entries(moments).map(([time, { at, text, moves = {}, suspends }]): Moment => {
    const state = STATES[time]
    return {
      ...{ at, event, text: text.replace(/\{(\w+)\}/g, (unknown, name) => named[name]?.name ?? unknown) },
      ...(state === undefined ? {} : { state }),
      moves: Object.entries(moves).map(([role, steps]) => ({ runner: runners[role] as Runner, steps })),
      changes(now) {
        if (state === 'running') return [changeEvent(event.id, { startTime: new Date(now).toISOString() })]
        if (state === 'settled') return settlementsOf(event)
        if (suspends === 'markets') return event.markets.map(({ id }) => changeMarket(id, { status: 'suspended' }))
        return suspends === undefined ? [] : [changeOutcome((runners[suspends] as Runner).id, { status: 'suspended' })]
      },
    }
  })
}

/** `luck` decides whether the first of the runners gets shorter or longer; the others do the opposite. */
function drifts(
  event: RacecardEvent,
  pricesMove: readonly number[],
  luck: number,
  runnersAt: (at: number, index: number) => readonly Runner[],
): Moment[] {
  return pricesMove.map((at, nth) => {
    const first = draw(luck, at, 4) < 55 ? -1 : 1
    const moves = runnersAt(at, nth).map((runner, index) => ({ runner, steps: index === 0 ? first : -first }))
    return { at, event, moves }
  })
}

// ---- Football

function footballMoments({ football, round }: Racecard): Moment[] {
  const [result, both] = football.markets as [RacecardMarket, RacecardMarket]
  const [home, draws, away] = result.runners as [Runner, Runner, Runner]
  const { pricesMove, moments } = AFTERNOON.football
  const isQuiet = (at: number) =>
    football.goals.every((goal) => at < goal.at || at > goal.at + SUSPENDED_SECONDS) &&
    (at < moments.halfTime.at || at > moments.secondHalf.at)
  const all = [
    ...writtenMoments(football, moments),
    ...drifts(football, pricesMove.filter(isQuiet), round, (at) => {
      return [draw(round, at, 5) % 2 === 0 ? home : away, draws, both.runners[1] as Runner]
    }),
    ...football.goals.flatMap(({ at, team }, index) => goalMoments(football, { at, team, index })),
  ]
  return all.map((moment) => withScore(football, moment))
}

/** Each moment also sets score and clock. */
function withScore({ id, name, goals }: Racecard['football'], moment: Moment): Moment {
  const { changes = () => [], at, text } = moment
  const score = [0, 1].map((team) => goals.filter((goal) => goal.team === team && goal.at <= at).length)
  const live = { score: score.join(' – '), clock: matchClock(at) }
  return {
    ...moment,
    ...(text === undefined ? {} : { text: text.replace('{score}', name.replace(' v ', ` ${score.join('–')} `)) }),
    changes: (now) => [...changes(now), changeEvent(id, live)],
  }
}

function matchClock(at: number): string {
  const { startsAt, halfTime, secondHalf, endsAt } = AFTERNOON.football.moments
  if (at >= endsAt.at) return 'Full time'
  if (at >= halfTime.at && at < secondHalf.at) return 'Half time'
  const minute = at < halfTime.at ? at - startsAt.at : halfTime.at - startsAt.at + at - secondHalf.at
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
      text: `Goal for ${scorer.name}: {score}. Bets are suspended`,
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

// ---- Tennis and races

function tennisMoments({ tennis, round }: Racecard): Moment[] {
  const { pricesMove, moments } = AFTERNOON.tennis
  const { winner, loser } = rolesOf(tennis)
  return [
    ...drifts(tennis, pricesMove, round, (at) => (at % 2 === 0 ? [winner, loser] : [loser, winner])),
    ...writtenMoments(tennis, moments, { winner, loser }),
  ]
}

function raceMoments(race: RacecardEvent, { pricesMove, moments }: Race): Moment[] {
  const { nonRunner, ...placed } = rolesOf(race)
  const running = race.markets.flatMap(({ runners }) => runners).filter((runner) => runner !== nonRunner)
  return [
    ...drifts(race, pricesMove, race.id, (_, index) =>
      [index, index + 1].map((nth) => running[nth % running.length] as Runner),
    ),
    ...writtenMoments(race, moments, { ...placed, ...(nonRunner === undefined ? {} : { nonRunner }) }),
  ]
}

const RANKS = ['win', 'place', 'lose']

function rolesOf({ markets }: RacecardEvent) {
  const [{ runners, results }] = markets as [RacecardMarket]
  const rank = ({ id }: Runner) => {
    const result = results[id]
    return RANKS.indexOf(typeof result === 'object' ? result.result : `${result}`)
  }
  const placed = runners.filter((runner) => rank(runner) >= 0).toSorted((one, other) => rank(one) - rank(other))
  const [winner, second] = placed as [Runner, Runner]
  return { winner, second, loser: placed.at(-1) as Runner, nonRunner: runners.find((runner) => rank(runner) < 0) }
}
