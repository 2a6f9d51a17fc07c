// Settled tips, inserted straight into the tables and graded as a settlement would.

import { expect, vi } from 'vitest'
import { catchUp } from '../../src/event-log/projection.ts'
import { eventList, logEvents, newEvent } from '../../src/event-log/store.ts'
import { type Database, type NoParameters, reading } from '../../src/platform/database/database.ts'
import { boardProjection } from '../../src/record/board.ts'
import { boardProgress } from '../../src/record/board-store.ts'
import { tipKinds } from '../../src/record/event-kinds.ts'
import type { Fraction } from '../../src/record/figures.ts'
import { gradeTips } from '../../src/record/grading.ts'
import { positioned } from './notifications.ts'
import type { Json, TestService } from './service.ts'
import { newMatch, type TestOutcome } from './sportsbook.ts'

export const DAY_MS = 86_400_000

export type SettledTip = {
  grade: 'W' | 'L' | 'V'
  /** How many days ago it was settled. */
  daysAgo?: number
  price?: Fraction
  /** At starting price, which was this. */
  startingPrice?: Fraction
  eachWay?: Fraction
  closing?: Fraction
  rule4?: number
  sportId?: number
  inPlay?: boolean
  withdrawn?: boolean
  cashOuts?: string
}

const RESULTS = { W: 'win', L: 'lose', V: 'void' } as const
const EVENS = { num: 1, den: 1 }
const START = '2030-01-01T15:00:00Z'

let ids = 50_000_000

/** Letters are tips at evens, settled on five days in turn, the last one today. Returns the ids of the tips. */
export async function gradedTips(
  service: TestService,
  author: { id: number; profileId: number },
  tips: string | readonly SettledTip[],
): Promise<number[]> {
  const list = typeof tips === 'string' ? ofLetters(tips) : tips
  const matches = new Map<number, TestOutcome>()
  for (const { sportId = 1 } of list) {
    if (!matches.has(sportId)) {
      matches.set(sportId, (await newMatch(service, { sportId, startTime: START, outcomes: 1 }))[0] as TestOutcome)
    }
  }
  const created: number[] = []
  for (const tip of list) {
    created.push(await gradedTip(service, author, tip, matches.get(tip.sportId ?? 1) as TestOutcome))
  }
  return created
}

function ofLetters(letters: string): SettledTip[] {
  return [...letters].map((grade, index) => ({
    grade: grade as SettledTip['grade'],
    daysAgo: 4 - Math.floor((5 * index) / letters.length),
  }))
}

const tipOn = reading<{ outcomeId: number }, { id: number }>(
  'tipOn',
  'select id from comment where outcome_id = :outcomeId',
)

const sql = (one: Fraction | null | undefined) => `${one?.num ?? 'null'}, ${one?.den ?? 'null'}`

async function gradedTip(
  { context: { database, now } }: TestService,
  author: { id: number; profileId: number },
  tip: SettledTip,
  { marketId, sportId }: TestOutcome,
): Promise<number> {
  const { grade, daysAgo = 0, startingPrice = null, closing = null, rule4 = 0, inPlay, withdrawn, cashOuts } = tip
  const price = startingPrice === null ? (tip.price ?? EVENS) : null
  const [outcomeId, betId] = [++ids, ++ids]
  const startTime = Date.parse(START)
  const settledAt = now() - daysAgo * DAY_MS
  const result = RESULTS[grade]
  const listed = grade === 'W' && !withdrawn ? "'W'" : 'null'
  await database.script(`
    insert into outcome (id, market_id, name, status, starting_price, result, rule4, sp_num, sp_den, settled_at,
      closing_num, closing_den)
    values (${outcomeId}, ${marketId}, 'Outcome ${outcomeId}', 'active', 0, '${result}', ${rule4}, ${sql(startingPrice)},
      ${settledAt}, ${sql(closing)});
    insert into bet (id, customer_id, placed_at, cash_outs)
    values (${betId}, ${author.id}, 1, ${cashOuts === undefined ? 'null' : `'${cashOuts}'`});
    insert into comment (author_id, outcome_id, sport_id, bet_id, starting_price, text, created_at, start_order, status, state,
      listed, record_num, record_den, record_sp, each_way_num, each_way_den)
    values (${author.profileId}, ${outcomeId}, ${sportId}, ${betId}, 0, 'Tip on ${outcomeId}',
      ${inPlay ? startTime : settledAt - DAY_MS}, ${-startTime}, '${grade}', '${withdrawn ? 'deactivated' : 'live'}', ${listed},
      ${sql(price)}, ${price === null ? 1 : 0}, ${sql(tip.eachWay)})`)
  const { id } = (await database.one(tipOn, { outcomeId })) as { id: number }
  const outcome = { result, deadHeat: null, placeDeadHeat: null, rule4, startingPrice, closing, settledAt, startTime }
  const settled = newEvent(tipKinds, 'tip.settled', { id, data: { outcomeId: `${outcomeId}`, result }, now: now() })
  await database.transaction(async (transaction) => {
    await gradeTips(transaction, { outcomeId, after: 0, last: id }, outcome, false)
    await transaction.run(logEvents, { rows: eventList.of([{ ...settled, profile_id: author.profileId }]) })
  })
  return id
}

const newest = reading<NoParameters, { position: number }>(
  'newestOfLog',
  'select coalesce(max(position), 0) as position from event_log',
)

/** The board contains everything so far. */
export async function boardUpToDate({ context: { database, now } }: TestService): Promise<void> {
  await positioned(database)
  const { position } = (await database.one(newest, {})) as { position: number }
  const isComplete = async () => {
    await catchUp(database, boardProjection(now))
    const progress = await database.one(boardProgress, {})
    expect([progress?.day, progress?.next_day]).toEqual([Math.floor(now() / DAY_MS), 0])
    expect(progress?.position).toBeGreaterThanOrEqual(position)
  }
  await vi.waitFor(isComplete, { timeout: 60_000, interval: 20 })
}

export async function recordOf(service: TestService, profileId: number, query = ''): Promise<Json> {
  const reply = await service.call('GET', `/v1/profiles/${profileId}/record${query}`, { accept: 'application/json' })
  expect([reply.status, reply.text]).toEqual([200, expect.any(String)])
  const [{ profile }] = reply.json().whoProfiles
  expect(profile.id).toBe(String(profileId))
  return profile.record
}

export async function recordTipsOf(service: TestService, profileId: number, query = ''): Promise<Json[]> {
  const path = `/v1/profiles/${profileId}/record/tips${query}`
  const reply = await service.call('GET', path, { accept: 'application/json' })
  if (reply.status === 204) return []
  expect([reply.status, reply.text]).toEqual([200, expect.any(String)])
  return reply.json().whoProfiles.map(({ tip }: Json) => tip)
}

export async function rankingOf(service: TestService, query = '', ticket?: string): Promise<Json[]> {
  await boardUpToDate(service)
  const options = { accept: 'application/json', ...(ticket === undefined ? {} : { ticket }) }
  const reply = await service.call('GET', `/v1/profiles/ranking/records${query}`, options)
  if (reply.status === 204) return []
  expect([reply.status, reply.text]).toEqual([200, expect.any(String)])
  return reply.json().whoProfiles.map(({ profile }: Json) => profile)
}

/** Every row of the board, for comparisons. */
export function boardOf(database: Database): Promise<Json[]> {
  const all = reading<NoParameters, Json>(
    'wholeBoard',
    'select * from record_board order by profile_id, days, sport_id, band',
  )
  return database.query(all, {})
}
