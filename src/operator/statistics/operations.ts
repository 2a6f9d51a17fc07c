import * as s from '../server/fields.ts'
import { operatorOperation } from '../server/operation.ts'
import { readActivity } from './activity.ts'
import { readDepositStatistics } from './deposits.ts'

export const daysQuery = s.allOptional({
  days: s.withDefault(s.integer(1, 90, 2, 'How many days, today included.'), 30),
})

const days = s.list(s.stringOf({ format: 'date' }), 'Days in UTC, today last. The lists below have a value for each.', [
  '2026-03-13',
  '2026-03-14',
])
const counts = s.list(s.count(), { examples: [[3, 5]] })

const PERIOD_BEFORE = 'It has as many days, and ends at the present time of day: today is not over either.'

export const statistics = s.namedObject('Statistics', {
  days,
  series: s.list(
    s.object({
      name: s.string('tips'),
      title: s.string('New tips'),
      counts,
      before: s.count(6, `The total of the period before. ${PERIOD_BEFORE}`),
      countsBefore: s.list(s.count(), 'The number of each day of the period before.', [4, 2]),
    }),
  ),
})
export type Statistics = s.ValueOf<typeof statistics>

const figuresByDay = {
  amounts: s.list(
    s.object({
      currency: s.string('GBP'),
      amounts: s.list(s.amount(), { examples: [['120.00', '75.50']] }),
    }),
    'The total of approved deposits, by currency.',
  ),
  approved: counts,
  refused: s.list(s.count(), { examples: [[1, 0]] }),
  approvalRate: s.list(s.orNull(s.number(0, 1)), 'Between 0 and 1; null: no deposit was decided.', [0.75, 1]),
}

export const moneyStatistics = s.namedObject('MoneyStatistics', {
  days,
  ...figuresByDay,
  refusals: s.list(
    s.object({
      code: s.string('24007', 'The public API’s code of the refusal.'),
      title: s.string('Insufficient funds'),
      counts: s.list(s.count(), { examples: [[1, 0]] }),
    }),
  ),
  before: s.object(
    {
      amounts: s.list(s.object({ currency: s.string('GBP'), amount: s.amount('150.00') })),
      approved: s.count(7),
      refused: s.count(2),
      approvalRate: s.orNull(s.number(0, 1), undefined, 0.7778),
    },
    {},
    `The figures of the period before. ${PERIOD_BEFORE}`,
  ),
  daysBefore: s.object(figuresByDay, {}, 'The same figures of each day of the period before.'),
})
export type MoneyStatistics = s.ValueOf<typeof moneyStatistics>

export const statisticsOperations = [
  operatorOperation({
    name: 'readStatistics',
    summary: 'Count what customers and moderators did on each of the last days',
    description: 'Follows, profiles, tips, likes, flags and decisions by day (UTC), today included.',
    route: 'GET /statistics',
    role: 'moderator',
    query: daysQuery,
    answer: { 200: statistics },
    example: { query: { days: 7 } },
    handle: (context, { query: { days } }) => readActivity(context, days),
  }),
  operatorOperation({
    name: 'readMoneyStatistics',
    summary: 'Count the deposits of each of the last days',
    description: 'By day (UTC), today included: amounts by currency, how many were approved, and refusals by reason.',
    route: 'GET /statistics/money',
    role: 'cashier',
    query: daysQuery,
    answer: { 200: moneyStatistics },
    example: { query: { days: 7 } },
    handle: (context, { query: { days } }) => readDepositStatistics(context, days),
  }),
]
