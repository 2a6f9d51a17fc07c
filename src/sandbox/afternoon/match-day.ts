// "Play the afternoon": the events of a racecard start, prices move, customers write tips and like others, markets settle. One is
// played at a time in a database. The process that plays it renews its claim with each step; when it is killed, the claim
// expires, and the next start of a service or of an afternoon settles what was left open.

import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { Fault } from '../../faults.ts'
import { DAY_MS, HOUR_MS } from '../../platform/runtime/durations.ts'
import { Refused } from '../../platform/runtime/refused.ts'
import { applyChanges, type Change, repeatUntilFound } from '../../sportsbook/change.ts'
import type { SandboxContext } from '../context.ts'
import { interact } from './interactions.ts'
import { payOwnBets, type ShownBet, shownBets, strikeOwnBets } from './own-bets.ts'
import { newRacecard, type Racecard, racecardOf, rescheduled, settlementsOf } from './racecard.ts'
import { AFTERNOON_SECONDS, type Step, scriptOf } from './script.ts'
import { claimMatchDay, endMatchDay, type MatchDayRow, matchDayRow, saveMatchDay, startOfEvent } from './store.ts'

/** Longer than the longest pause between two steps, and than a step takes on a busy machine. */
export const CLAIM_MS = 20_000
/** The events of the next racecard start on the next day, unless the afternoon is played before. */
const NEXT_RACECARD_MS = DAY_MS

type ShownEvent = { id: number; name: string; state: 'waiting' | 'running' | 'settled'; line: string }
export type ShownMatchDay = {
  state: MatchDayRow['state']
  secondsLeft: number
  events: ShownEvent[]
  /** The outcomes of the round being played, or of the next one. A stream reports their changes. */
  outcomeIds: number[]
  /** The requesting customer's bets in the current or last round. */
  bets?: ShownBet[]
}

export type MatchDay = {
  /** Throws Refused where one is being played. */
  start(customerId?: number | null): Promise<ShownMatchDay>
  /** With the bets of a customer. */
  read(customerId?: number | null): Promise<ShownMatchDay>
  /** Waits for the step in progress; the claim ends with it. */
  close(): Promise<void>
}

/** `secondMs`: how long a second of the script takes. */
export function matchDay(context: SandboxContext, secondMs = 1_000): MatchDay {
  const closing = new AbortController()
  let playing: Promise<void> = Promise.resolve()

  async function read(customerId: number | null = null): Promise<ShownMatchDay> {
    const row = await readRow(context)
    const day = shown(row, context.now(), secondMs)
    if (customerId === null || row.round === 0) return day
    const settled = new Set(day.events.filter(({ state }) => state === 'settled').map(({ id }) => id))
    return { ...day, bets: await shownBets(context, racecardOf(row.round), customerId, settled) }
  }

  return {
    async start(customerId = null) {
      const { database, now, log } = context
      await endInterrupted(context)
      const claim = randomUUID()
      const startedAt = now()
      const claimed = await database.one(claimMatchDay, { claim, now: startedAt, until: startedAt + CLAIM_MS })
      if (claimed === undefined)
        throw new Refused('conflict', 'An afternoon is being played. Wait until it has finished.')
      const game = { racecard: racecardOf(claimed.round), claim, startedAt, secondMs, closing: closing.signal }
      const events = await begin(context, game)
      playing = play(context, game, events).catch((error) => log.warn({ err: error }, 'playing the afternoon failed'))
      return read(customerId)
    },
    read,
    async close() {
      closing.abort()
      await playing
    },
  }
}

/** At the start of the service: the next racecard is there and has not started. */
export async function prepareMatchDay(context: SandboxContext): Promise<void> {
  await endInterrupted(context)
  const { round } = await readRow(context)
  await prepareRacecard(context, racecardOf(round + 1))
}

type Game = { racecard: Racecard; claim: string; startedAt: number; secondMs: number; closing: AbortSignal }

/** The next racecard comes at once, so that customers have bets to write tips on while this one is settled. */
async function begin(context: SandboxContext, { racecard, claim, startedAt, secondMs }: Game): Promise<ShownEvent[]> {
  await prepareRacecard(context, racecard)
  await prepareRacecard(context, racecardOf(racecard.round + 1))
  await apply(
    context,
    rescheduled(racecard, ({ startsAt }) => startedAt + startsAt * secondMs),
  )
  await strikeOwnBets(context, racecard)
  const events = racecard.events.map(({ id, name }) => ({ id, name, state: 'waiting' as const, line: '' }))
  await save(context, claim, { state: 'playing', events })
  return events
}

async function play(context: SandboxContext, game: Game, events: ShownEvent[]): Promise<void> {
  const { racecard, claim, startedAt, secondMs, closing } = game
  for (const step of scriptOf(racecard)) {
    await untilTime(context, startedAt + step.at * secondMs, closing)
    if (closing.aborted) break
    await tryStep(context, racecard, step)
    const event = events.find(({ id }) => id === step.news?.eventId)
    if (event !== undefined && step.news !== null) {
      event.line = step.news.line
      event.state = step.news.state ?? event.state
    }
    if (!(await save(context, claim, { state: 'playing', events }))) return
  }
  if (closing.aborted) {
    await save(context, claim, { state: 'playing', events }, 0)
    return
  }
  // Again, in case that a step failed.
  await settleRacecard(context, racecard)
  await save(context, claim, { state: 'finished', events })
}

/** Operators and customers may have changed anything meanwhile: what fails is left out. */
async function tryStep(
  context: SandboxContext,
  racecard: Racecard,
  { changes, interaction, news }: Step,
): Promise<void> {
  try {
    await apply(context, changes(context.now()))
    const settled = racecard.events.find(({ id }) => id === news?.eventId && news.state === 'settled')
    if (settled !== undefined) await payOwnBets(context, racecard, settled)
    if (interaction !== null) await interact(context, racecard, interaction)
  } catch (error) {
    if (!(error instanceof Fault)) context.log.warn({ err: error }, 'a step of the afternoon failed')
  }
}

async function untilTime({ now }: SandboxContext, time: number, signal: AbortSignal): Promise<void> {
  const left = time - now()
  if (left > 0) await pause(left, undefined, { signal }).catch(() => {})
}

/** As the operator API does it. Changes that are refused are left out. */
async function apply(context: SandboxContext, changes: readonly Change[]): Promise<void> {
  const { database, now, tipStatus, log } = context
  if (changes.length === 0) return
  const { results } = await repeatUntilFound(() =>
    database.transaction((transaction) => applyChanges(transaction, changes, now)),
  )
  for (const result of results)
    if (result instanceof Refused) log.warn({ err: result }, 'a change of the afternoon failed')
  await tipStatus.begin()
}

/** Events that have started, of a racecard that waited for long, are moved to the next day. */
async function prepareRacecard(context: SandboxContext, racecard: Racecard): Promise<void> {
  const { database, now } = context
  const start = Math.ceil((now() + NEXT_RACECARD_MS) / HOUR_MS) * HOUR_MS
  const [first] = racecard.events
  const existing = await database.one(startOfEvent, { id: (first as { id: number }).id })
  if (existing === undefined) await apply(context, newRacecard(racecard, start))
  else if (existing.start_time < now() + HOUR_MS)
    await apply(
      context,
      rescheduled(racecard, () => start),
    )
}

/** Settles all events of an afternoon whose process was stopped. */
async function endInterrupted(context: SandboxContext): Promise<void> {
  const { database, now } = context
  const row = await readRow(context)
  if (!isInterrupted(row, now())) return
  await settleRacecard(context, racecardOf(row.round))
  await database.run(endMatchDay, { round: row.round, now: now() })
}

async function settleRacecard(context: SandboxContext, racecard: Racecard): Promise<void> {
  await apply(context, racecard.events.flatMap(settlementsOf))
  for (const event of racecard.events) await payOwnBets(context, racecard, event)
}

function isInterrupted({ state, claimed_until }: MatchDayRow, now: number): boolean {
  return state === 'playing' && claimed_until < now
}

/** false: another process has claimed the match day. */
async function save(
  { database, now }: SandboxContext,
  claim: string,
  { state, events }: { state: MatchDayRow['state']; events: readonly ShownEvent[] },
  until = now() + CLAIM_MS,
): Promise<boolean> {
  return (await database.run(saveMatchDay, { claim, state, until, events: JSON.stringify(events) })) === 1
}

async function readRow({ database }: SandboxContext): Promise<MatchDayRow> {
  const row = await database.one(matchDayRow, {})
  if (row === undefined) throw new Error('sandbox_match_day has no row')
  return row
}

function shown(row: MatchDayRow, now: number, secondMs: number): ShownMatchDay {
  const state = isInterrupted(row, now) ? 'idle' : row.state
  const left = row.started_at + AFTERNOON_SECONDS * secondMs - now
  const secondsLeft = state === 'playing' ? Math.max(0, Math.ceil(left / 1_000)) : 0
  const { events } = racecardOf(state === 'playing' ? row.round : row.round + 1)
  const outcomeIds = events.flatMap(({ markets }) => markets.flatMap(({ runners }) => runners.map(({ id }) => id)))
  return { state, secondsLeft, events: JSON.parse(row.events), outcomeIds }
}
