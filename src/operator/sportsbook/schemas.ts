// What the sportsbook's own systems send: the catalogue, its settlements, the bets.

import { SPORTSBOOK_STATUSES } from '../../communities/store.ts'
import {
  anyOf,
  boolean,
  count,
  integer,
  list,
  named,
  object,
  oneOf,
  orNull,
  record,
  string,
  type ValueOf,
  withDefault,
} from '../../http/representation/json-schema.ts'
import { RESULTS } from '../../record/figures.ts'
import { MAX_LEGS } from '../../sportsbook/bet.ts'
import { deduction, EXAMPLE_TIME, id, text } from '../server/fields.ts'

const name = (example: string) => text(1, 200, { examples: [example] })
const status = oneOf(SPORTSBOOK_STATUSES, {
  description: 'Tips can be made only while it is active.',
  examples: ['active'],
})
const activeByDefault = withDefault(status, 'active')
const time = string({ format: 'date-time', examples: [EXAMPLE_TIME] })
const part = (example: number) => integer(1, 1_000_000_000, { examples: [example] })
const fraction = (num: number, den: number, description: string) =>
  object({ num: part(num), den: part(den) }, {}, { description })
const price = orNull(object({ num: part(5), den: part(2) }), {
  description: 'The price as a fraction: 5/2 is 3.50 as a decimal. null: none for now.',
})
const isStartingPrice = { description: 'Whether the starting price may be taken.', examples: [false] }
const MAX_PARTS = 1000

const outcomeFields = {
  status: activeByDefault,
  startingPrice: withDefault(boolean(isStartingPrice), false),
  price,
}
const outcomes = withDefault(
  list(object({ id: id('80071'), name: name('Leeds') }, outcomeFields), { maxItems: MAX_PARTS }),
  [],
)
const marketFields = { status: activeByDefault, outcomes }
const markets = withDefault(
  list(object({ id: id('6008'), name: name('Match result') }, marketFields), { maxItems: MAX_PARTS }),
  [],
)

export const sportBody = named(
  'Sport',
  object(
    { name: name('Darts') },
    { communities: withDefault(boolean({ description: 'Whether tips can be made on it.', examples: [true] }), false) },
  ),
)

export const sportList = named(
  'SportList',
  object({ items: list(object({ id: id('21'), name: string({ examples: ['Horse racing'] }) })) }),
)

export const eventBody = named(
  'Event',
  object({ sportId: id('10'), name: name('Leeds v Hull'), startTime: time }, { status: activeByDefault, markets }),
)

export const marketBody = named('Market', object({ eventId: id('502'), name: name('Match result') }, marketFields))

export const outcomeBody = named('Outcome', object({ marketId: id('6003'), name: name('Leeds') }, outcomeFields))

export const leg = object(
  { outcomeId: id('80033') },
  {
    price: fraction(5, 2, 'The price of the bet. Without it and without startingPrice: not known.'),
    startingPrice: boolean({ description: 'true: at the starting price, so without a price.', examples: [false] }),
    eachWay: object(
      { num: part(1), den: part(5), places: integer(1, 100, { examples: [3] }) },
      {},
      { description: 'Also on a place, at this fraction of the odds; at most 1/1, and at least 2 places.' },
    ),
  },
)
export const cashOut = object({
  at: time,
  fraction: fraction(1, 2, 'Which part of the whole stake; together at most 1.'),
})

export const betBody = named(
  'Bet',
  object(
    { customerId: id('1') },
    {
      outcomeIds: list(id('80033'), {
        maxItems: MAX_LEGS,
        description: `The outcomes of the bet: at least one, here or in legs; at most ${MAX_LEGS} together.`,
      }),
      legs: list(leg, {
        maxItems: MAX_LEGS,
        description: 'Outcomes with the terms of the bet on them. Only tips with a known price count in records.',
      }),
      placedAt: string({ format: 'date-time', description: 'Without it: now.', examples: [EXAMPLE_TIME] }),
      cashOut: list(cashOut, {
        maxItems: 100,
        description: 'Shown beside the tips on the bet. It never changes a record.',
      }),
    },
  ),
)

const RULE_4 = 'What is deducted from winnings after withdrawals (Rule 4), from 0.00 to 0.90; several added up.'
const result = oneOf(RESULTS, {
  description: 'half-win, half-lose: of a quarter handicap. push: the stake is returned. place: lost, but placed.',
  examples: ['win'],
})
const detailedResult = object(
  { result },
  {
    deadHeat: fraction(1, 2, 'Which part of the stake counts as won, of a win that is shared; at most 1/1.'),
    placeDeadHeat: fraction(1, 2, 'The same of a place, for bets each way; of a win or a place.'),
    rule4: deduction('0.25', { description: RULE_4 }),
    startingPrice: fraction(7, 2, 'The price of bets at starting price.'),
  },
)

export const settlementBody = named(
  'Settlement',
  object({
    results: record(anyOf([result, detailedResult]), {
      minProperties: 1,
      maxProperties: 1000,
      propertyNames: { pattern: '^[0-9]{1,15}$' },
      description:
        'The result of each outcome, by the outcome’s id: one word, or an object with the details of the result.',
      examples: [{ '80033': 'win', '80034': 'lose', '80035': 'lose' }],
    }),
  }),
)

export const eventChange = object({}, { name: name('Leeds v Hull'), status, startTime: time })
export const marketChange = object({}, { name: name('Match result'), status })
export const outcomeChange = object({}, { name: name('Leeds'), status, startingPrice: boolean(isStartingPrice), price })

// ---- Answers.

export const stored = named('Stored', object({ id: id('10', { description: 'The id in the path.' }) }))

export const settlementResult = named(
  'SettlementResult',
  object({
    settled: count({ description: 'Outcomes that had no result before.', examples: [3] }),
    corrected: count({ description: 'Outcomes whose result has changed.', examples: [0] }),
  }),
)

export const feedReport = named(
  'FeedReport',
  object({
    lines: count({ description: 'How many lines were read.', examples: [2] }),
    applied: record(count(), {
      description: 'How many lines of each kind were applied.',
      examples: [{ sport: 1, bet: 1 }],
    }),
    refused: count({ description: 'How many lines were refused.', examples: [0] }),
    refusals: list(
      object({ line: count({ examples: [2] }), reason: string({ examples: ['The line is not JSON.'] }) }),
      {
        description: 'The first 1000 refused lines.',
        examples: [[]],
      },
    ),
  }),
)
export type FeedReport = ValueOf<typeof feedReport>
