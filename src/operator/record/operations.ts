import { NO_PROFILE as NOBODY } from '../../profiles/profile.ts'
import { profileStatus } from '../../profiles/store.ts'
import { readBoard, readRecordCharts } from '../../record/charts.ts'
import { BAND_NAMES } from '../../record/figures.ts'
import { recountRecord } from '../../record/recount.ts'
import { DEFAULT_RANKING_DAYS, RANKING_DAYS } from '../../record/summary.ts'
import * as s from '../server/fields.ts'
import { operatorOperation } from '../server/operation.ts'
import { notFound } from '../server/problem.ts'

const band: s.Schema<string> = s.oneOf(
  BAND_NAMES,
  '2-4',
  'Decimal odds, from the first number up to, but not including, the second. All if absent.',
)
const sportId = s.id('21', 'All sports if absent.')
const DAYS = RANKING_DAYS.map(String)

export const recordQuery = s.allOptional({
  sportId,
  numDays: s.withDefault(s.oneOf(DAYS, undefined, 'Days of settlement, today included; 0 is all.'), '0'),
  band,
  inPlay: s.withDefault(s.oneOf(['Y', 'N'], undefined, 'Y: the tips created after the start of their event.'), 'N'),
})

export const boardQuery = s.allOptional({
  numDays: s.withDefault(
    s.oneOf(DAYS, undefined, 'Days of settlement, today included; 0 is all.'),
    String(DEFAULT_RANKING_DAYS),
  ),
  sportId,
  band,
})

const date = (description: string, example: string) => s.stringOf({ format: 'date' }, example, description)

const sums = {
  numSettled: s.count(128, 'numWon + numLost + numVoid.'),
  numWon: s.count(51, 'With a profit above 0.'),
  numLost: s.count(74),
  numVoid: s.count(3, 'Void and push: no stake, in no rate.'),
  numWithdrawn: s.count(2, 'Deactivated or removed; they stay in all figures.'),
  staked: s.figure('125.00', 'Points: 1 on each tip that is not void, 2 on each way.'),
  profit: s.figure('9.40', 'Points: the sum of return minus stake.'),
}

const rates = {
  from: date('UTC day of the first settlement.', '2026-01-10'),
  to: date('UTC day of the last settlement.', '2026-03-14'),
  strikeRate: s.figure('40.80', 'Per cent: numWon / (numWon + numLost).'),
  yield: s.figure('7.52', 'Per cent: profit / staked.'),
  yieldLow: s.figure('-13.44', 'Per cent: yield − 1.645 · s / √n.'),
  yieldHigh: s.figure('28.48', 'Per cent: yield + 1.645 · s / √n.'),
  averageOdds: s.figure('2.85', 'Mean decimal price of record of the tips that won or lost.'),
  closing: s.object({
    num: s.count(110, 'Tips that are compared with the closing price.'),
    average: s.figure('1.20', 'Per cent: mean of price of record / closing price − 1.'),
    beaten: s.count(64, 'Tips at a price above the closing price.'),
  }),
}

const figures = s.namedObject('RecordFigures', sums, rates)

export const record = s.object(
  {
    ...sums,
    numOpen: s.count(4, 'Live tips of the profile without a result, whatever is selected.'),
    isRanked: s.boolean(true, 'Whether the sample is large enough for the ranking.'),
  },
  {
    ...rates,
    streak: s.object({
      type: s.string('W', 'W or L.'),
      length: s.count(3),
    }),
    longestLosing: s.count(9, 'The longest run of losing tips.'),
  },
)

const day = s.object({
  date: date('UTC day of settlement.', '2026-03-14'),
  num: s.count(125, 'Tips that won or lost, up to this day.'),
  profit: s.figure('9.40', 'Points, up to this day.'),
  low: s.figure('-16.80', 'profit − 1.645 · s · √n.'),
  high: s.figure('35.60', 'profit + 1.645 · s · √n.'),
})

export const recordCharts = s.namedObject('RecordCharts', {
  profileId: s.id('2'),
  record,
  days: s.list(day, 'Days with settlements, in order.'),
  sports: s.list(s.object({ sportId: s.id('21'), name: s.string('Horse racing'), figures })),
  bands: s.list(s.object({ band: s.string('2-4'), figures })),
})
export type RecordCharts = s.ValueOf<typeof recordCharts>

export const recordBoard = s.namedObject('RecordBoard', {
  items: s.list(
    s.object({
      rank: s.count(1),
      profileId: s.id('2'),
      name: s.orNull(s.string('Bob Both Teams')),
      isShown: s.boolean(true, 'false: the public ranking leaves it out, because it is inactive or was erased.'),
      record: figures,
    }),
  ),
})
export type RecordBoard = s.ValueOf<typeof recordBoard>

export const recordCheck = s.namedObject('RecordCheck', {
  isEqual: s.boolean(true),
  numTips: s.count(128, 'Settled tips that count, as recounted.'),
  differences: s.list(
    s.object({
      subject: s.string('tip 28', 'A tip, or a sum with its key.'),
      field: s.string('profit'),
      recounted: s.orNull(s.string(), 'null: there is none.', '1500000'),
      stored: s.orNull(s.string(), 'null: there is none.', '1400000'),
    }),
    'The first 100.',
    [],
  ),
})
export type RecordCheck = s.ValueOf<typeof recordCheck>

const NO_PROFILE = 'There is no such profile.'

export const recordOperatorOperations = [
  operatorOperation({
    name: 'readRecord',
    summary: 'Read the record of a profile',
    description: 'What its tips won or lost, with one point on each: in total, day by day, by sport and by price band.',
    route: 'GET /profiles/{id}/record',
    role: 'moderator',
    query: recordQuery,
    answer: { 200: recordCharts },
    example: { path: { id: '2' }, query: { numDays: '90' } },
    handle: ({ database, now }, { path, query: { numDays, inPlay, ...filter } }) =>
      readRecordCharts(
        database,
        path.id,
        { numDays: Number(numDays), inPlay: inPlay === 'Y', ...numbersOf(filter) },
        now(),
      ),
  }),
  operatorOperation({
    name: 'checkRecord',
    summary: 'Recount the record of a profile',
    description:
      'Grades all its tips again, from the tips and the results alone, and compares grades and sums with the stored ones. ' +
      'Tips on outcomes that are being settled are left out.',
    route: 'GET /profiles/{id}/record/check',
    role: 'moderator',
    answer: { 200: recordCheck },
    example: { path: { id: '2' } },
    async handle({ database }, { path: { id } }) {
      if ((await database.one(profileStatus, { id, viewer: NOBODY })) === undefined) throw notFound(NO_PROFILE)
      return recountRecord(database, id)
    },
  }),
  operatorOperation({
    name: 'readRecordRanking',
    summary: 'Read the ranking of records',
    description:
      'The first 100 by the lower end of the yield’s interval, with those that the public ranking leaves out.',
    route: 'GET /records/ranking',
    role: 'moderator',
    query: boardQuery,
    answer: { 200: recordBoard },
    example: { query: { numDays: '0' } },
    handle: async ({ database, now }, { query: { numDays, ...filter } }) => ({
      items: await readBoard(database, { days: Number(numDays), ...numbersOf(filter) }, now()),
    }),
  }),
]

/** 0: all. */
function numbersOf({ sportId, band }: { sportId?: string; band?: string }): { sportId: number; band: number } {
  return { sportId: Number(sportId ?? 0), band: band === undefined ? 0 : BAND_NAMES.indexOf(band) + 1 }
}
