import {
  boolean,
  count,
  list,
  named,
  object,
  oneOf,
  orNull,
  type Schema,
  string,
  type ValueOf,
  withDefault,
} from '../../http/representation/json-schema.ts'
import { BAND_NAMES } from '../../record/figures.ts'
import { DEFAULT_RANKING_DAYS, RANKING_DAYS } from '../../record/summary.ts'
import { figure, id } from '../server/fields.ts'

const band: Schema<string> = oneOf(BAND_NAMES, {
  description: 'Decimal odds, from the first number up to, but not including, the second. All if absent.',
  examples: ['2-4'],
})
const sportId = id('21', { description: 'All sports if absent.' })
const DAYS = RANKING_DAYS.map(String)

export const recordQuery = object(
  {},
  {
    sportId,
    numDays: withDefault(oneOf(DAYS, { description: 'Days of settlement, today included; 0 is all.' }), '0'),
    band,
    inPlay: withDefault(oneOf(['Y', 'N'], { description: 'Y: the tips created after the start of their event.' }), 'N'),
  },
)
export type RecordQuery = ValueOf<typeof recordQuery>

export const boardQuery = object(
  {},
  {
    numDays: withDefault(
      oneOf(DAYS, { description: 'Days of settlement, today included; 0 is all.' }),
      String(DEFAULT_RANKING_DAYS),
    ),
    sportId,
    band,
  },
)

const date = (description: string, example: string) => string({ format: 'date', description, examples: [example] })

const sums = {
  numSettled: count({ description: 'numWon + numLost + numVoid.', examples: [128] }),
  numWon: count({ description: 'With a profit above 0.', examples: [51] }),
  numLost: count({ examples: [74] }),
  numVoid: count({ description: 'Void and push: no stake, in no rate.', examples: [3] }),
  numWithdrawn: count({ description: 'Deactivated or removed; they stay in all figures.', examples: [2] }),
  staked: figure('125.00', { description: 'Points: 1 on each tip that is not void, 2 on each way.' }),
  profit: figure('9.40', { description: 'Points: the sum of return minus stake.' }),
}

const rates = {
  from: date('UTC day of the first settlement.', '2026-01-10'),
  to: date('UTC day of the last settlement.', '2026-03-14'),
  strikeRate: figure('40.80', { description: 'Per cent: numWon / (numWon + numLost).' }),
  yield: figure('7.52', { description: 'Per cent: profit / staked.' }),
  yieldLow: figure('-13.44', { description: 'Per cent: yield − 1.645 · s / √n.' }),
  yieldHigh: figure('28.48', { description: 'Per cent: yield + 1.645 · s / √n.' }),
  averageOdds: figure('2.85', { description: 'Mean decimal price of record of the tips that won or lost.' }),
  closing: object({
    num: count({ description: 'Tips that are compared with the closing price.', examples: [110] }),
    average: figure('1.20', { description: 'Per cent: mean of price of record / closing price − 1.' }),
    beaten: count({ description: 'Tips at a price above the closing price.', examples: [64] }),
  }),
}

const figures = named('RecordFigures', object(sums, rates))

export const record = object(
  {
    ...sums,
    numOpen: count({ description: 'Live tips of the profile without a result, whatever is selected.', examples: [4] }),
    isRanked: boolean({ description: 'Whether the sample is large enough for the ranking.', examples: [true] }),
  },
  {
    ...rates,
    streak: object({
      type: string({ description: 'W or L.', examples: ['W'] }),
      length: count({ examples: [3] }),
    }),
    longestLosing: count({ description: 'The longest run of losing tips.', examples: [9] }),
  },
)

const day = object({
  date: date('UTC day of settlement.', '2026-03-14'),
  num: count({ description: 'Tips that won or lost, up to this day.', examples: [125] }),
  profit: figure('9.40', { description: 'Points, up to this day.' }),
  low: figure('-16.80', { description: 'profit − 1.645 · s · √n.' }),
  high: figure('35.60', { description: 'profit + 1.645 · s · √n.' }),
})

export const recordCharts = named(
  'RecordCharts',
  object({
    profileId: id('2'),
    record,
    days: list(day, { description: 'Days with settlements, in order.' }),
    sports: list(object({ sportId: id('21'), name: string({ examples: ['Horse racing'] }), figures })),
    bands: list(object({ band: string({ examples: ['2-4'] }), figures })),
  }),
)
export type RecordCharts = ValueOf<typeof recordCharts>

export const recordBoard = named(
  'RecordBoard',
  object({
    items: list(
      object({
        rank: count({ examples: [1] }),
        profileId: id('2'),
        name: orNull(string({ examples: ['Bob Both Teams'] })),
        isShown: boolean({
          description: 'false: the public ranking leaves it out, because it is inactive or was erased.',
          examples: [true],
        }),
        record: figures,
      }),
    ),
  }),
)
export type RecordBoard = ValueOf<typeof recordBoard>

export const recordCheck = named(
  'RecordCheck',
  object({
    isEqual: boolean({ examples: [true] }),
    numTips: count({ description: 'Settled tips that count, as recounted.', examples: [128] }),
    differences: list(
      object({
        subject: string({ description: 'A tip, or a sum with its key.', examples: ['tip 28'] }),
        field: string({ examples: ['profit'] }),
        recounted: orNull(string(), { description: 'null: there is none.', examples: ['1500000'] }),
        stored: orNull(string(), { description: 'null: there is none.', examples: ['1400000'] }),
      }),
      { description: 'The first 100.', examples: [[]] },
    ),
  }),
)
export type RecordCheck = ValueOf<typeof recordCheck>
