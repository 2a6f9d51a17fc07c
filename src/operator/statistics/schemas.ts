import {
  count,
  integer,
  list,
  named,
  number,
  object,
  orNull,
  string,
  type ValueOf,
  withDefault,
} from '../../http/representation/json-schema.ts'
import { amount } from '../server/fields.ts'

export const daysQuery = object(
  {},
  { days: withDefault(integer(1, 90, { description: 'How many days, today included.', examples: [2] }), 30) },
)

const days = list(string({ format: 'date' }), {
  description: 'Days in UTC, today last. The lists below have a value for each.',
  examples: [['2026-03-13', '2026-03-14']],
})
const counts = list(count(), { examples: [[3, 5]] })

const PERIOD_BEFORE = 'It has as many days, and ends at the present time of day: today is not over either.'

export const statistics = named(
  'Statistics',
  object({
    days,
    series: list(
      object({
        name: string({ examples: ['tips'] }),
        title: string({ examples: ['New tips'] }),
        counts,
        before: count({ description: `The total of the period before. ${PERIOD_BEFORE}`, examples: [6] }),
      }),
    ),
  }),
)
export type Statistics = ValueOf<typeof statistics>

export const moneyStatistics = named(
  'MoneyStatistics',
  object({
    days,
    amounts: list(
      object({
        currency: string({ examples: ['GBP'] }),
        amounts: list(amount(), { examples: [['120.00', '75.50']] }),
      }),
      { description: 'The total of approved deposits, by currency.' },
    ),
    approved: counts,
    refused: list(count(), { examples: [[1, 0]] }),
    approvalRate: list(orNull(number(0, 1)), {
      description: 'Between 0 and 1; null: no deposit was decided.',
      examples: [[0.75, 1]],
    }),
    refusals: list(
      object({
        code: string({ description: 'The public API’s code of the refusal.', examples: ['24007'] }),
        title: string({ examples: ['Insufficient funds'] }),
        counts: list(count(), { examples: [[1, 0]] }),
      }),
    ),
    before: object(
      {
        amounts: list(object({ currency: string({ examples: ['GBP'] }), amount: amount('150.00') })),
        approved: count({ examples: [7] }),
        refused: count({ examples: [2] }),
        approvalRate: orNull(number(0, 1), { examples: [0.7778] }),
      },
      {},
      { description: `The figures of the period before. ${PERIOD_BEFORE}` },
    ),
  }),
)
export type MoneyStatistics = ValueOf<typeof moneyStatistics>
