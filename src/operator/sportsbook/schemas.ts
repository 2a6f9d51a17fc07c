// What the sportsbook's own systems send: the catalogue, its settlements, the bets.

import { SPORTSBOOK_STATUSES } from '../../catalogue/store.ts'
import { RESULTS } from '../../record/figures.ts'
import { MAX_LEGS } from '../../sportsbook/bet.ts'
import * as s from '../server/fields.ts'

const name = (example: string) => s.text(1, 200, { examples: [example] })
const status = s.oneOf(SPORTSBOOK_STATUSES, {
  description: 'Tips can be made only while it is active.',
  examples: ['active'],
})
const activeByDefault = s.withDefault(status, 'active')
const time = s.string({ format: 'date-time', examples: [s.EXAMPLE_TIME] })
const part = (example: number) => s.integer(1, 1_000_000_000, { examples: [example] })
const fraction = (num: number, den: number, description: string) =>
  s.object({ num: part(num), den: part(den) }, {}, { description })
const price = s.orNull(s.object({ num: part(5), den: part(2) }), {
  description: 'The price as a fraction: 5/2 is 3.50 as a decimal. null: none for now.',
})
const isStartingPrice = { description: 'Whether the starting price may be taken.', examples: [false] }
const MAX_PARTS = 1000

const UNCHANGED = 'Shown as it is reported. Absent: as before; null: none.'
const live = {
  score: s.orNull(s.text(1, 40), { description: UNCHANGED, examples: ['2 – 1'] }),
  clock: s.orNull(s.text(1, 40), { description: UNCHANGED, examples: ['67’'] }),
}

const outcomeFields = {
  status: activeByDefault,
  startingPrice: s.withDefault(s.boolean(isStartingPrice), false),
  price,
}
const outcomes = s.withDefault(
  s.list(s.object({ id: s.id('80071'), name: name('Leeds') }, outcomeFields), { maxItems: MAX_PARTS }),
  [],
)
const marketFields = { status: activeByDefault, outcomes }
const markets = s.withDefault(
  s.list(s.object({ id: s.id('6008'), name: name('Match result') }, marketFields), { maxItems: MAX_PARTS }),
  [],
)

export const sportBody = s.namedObject(
  'Sport',
  { name: name('Darts') },
  {
    communities: s.withDefault(s.boolean({ description: 'Whether tips can be made on it.', examples: [true] }), false),
  },
)

export const sportList = s.namedObject('SportList', {
  items: s.list(s.object({ id: s.id('21'), name: s.string({ examples: ['Horse racing'] }) })),
})

export const eventBody = s.namedObject(
  'Event',
  { sportId: s.id('10'), name: name('Leeds v Hull'), startTime: time },
  { status: activeByDefault, ...live, markets },
)

export const marketBody = s.namedObject('Market', { eventId: s.id('502'), name: name('Match result') }, marketFields)

export const outcomeBody = s.namedObject('Outcome', { marketId: s.id('6003'), name: name('Leeds') }, outcomeFields)

export const leg = s.object(
  { outcomeId: s.id('80033') },
  {
    price: fraction(5, 2, 'The price of the bet. Without it and without startingPrice: not known.'),
    startingPrice: s.boolean({ description: 'true: at the starting price, so without a price.', examples: [false] }),
    eachWay: s.object(
      { num: part(1), den: part(5), places: s.integer(1, 100, { examples: [3] }) },
      {},
      { description: 'Also on a place, at this fraction of the odds; at most 1/1, and at least 2 places.' },
    ),
  },
)
export const cashOut = s.object({
  at: time,
  fraction: fraction(1, 2, 'Which part of the whole stake; together at most 1.'),
})

export const betBody = s.namedObject(
  'Bet',
  { customerId: s.id('1') },
  {
    outcomeIds: s.list(s.id('80033'), {
      maxItems: MAX_LEGS,
      description: `The outcomes of the bet: at least one, here or in legs; at most ${MAX_LEGS} together.`,
    }),
    legs: s.list(leg, {
      maxItems: MAX_LEGS,
      description: 'Outcomes with the terms of the bet on them. Only tips with a known price count in records.',
    }),
    placedAt: s.string({ format: 'date-time', description: 'Without it: now.', examples: [s.EXAMPLE_TIME] }),
    cashOut: s.list(cashOut, {
      maxItems: 100,
      description: 'Shown beside the tips on the bet. It never changes a record.',
    }),
  },
)

const RULE_4 = 'What is deducted from winnings after withdrawals (Rule 4), from 0.00 to 0.90; several added up.'
const result = s.oneOf(RESULTS, {
  description: 'half-win, half-lose: of a quarter handicap. push: the stake is returned. place: lost, but placed.',
  examples: ['win'],
})
const detailedResult = s.object(
  { result },
  {
    deadHeat: fraction(1, 2, 'Which part of the stake counts as won, of a win that is shared; at most 1/1.'),
    placeDeadHeat: fraction(1, 2, 'The same of a place, for bets each way; of a win or a place.'),
    rule4: s.deduction('0.25', { description: RULE_4 }),
    startingPrice: fraction(7, 2, 'The price of bets at starting price.'),
  },
)

export const settlementBody = s.namedObject('Settlement', {
  results: s.record(s.anyOf([result, detailedResult]), {
    minProperties: 1,
    maxProperties: 1000,
    propertyNames: { pattern: '^[0-9]{1,15}$' },
    description:
      'The result of each outcome, by the outcome’s id: one word, or an object with the details of the result.',
    examples: [{ '80033': 'win', '80034': 'lose', '80035': 'lose' }],
  }),
})

export const eventChange = s.allOptional({ name: name('Leeds v Hull'), status, startTime: time, ...live })
export const marketChange = s.allOptional({ name: name('Match result'), status })
export const outcomeChange = s.allOptional({
  name: name('Leeds'),
  status,
  startingPrice: s.boolean(isStartingPrice),
  price,
})

// ---- Answers.

export const stored = s.namedObject('Stored', { id: s.id('10', { description: 'The id in the path.' }) })

export const settlementResult = s.namedObject('SettlementResult', {
  settled: s.count({ description: 'Outcomes that had no result before.', examples: [3] }),
  corrected: s.count({ description: 'Outcomes whose result has changed.', examples: [0] }),
})

export const feedReport = s.namedObject('FeedReport', {
  lines: s.count({ description: 'How many lines were read.', examples: [2] }),
  applied: s.record(s.count(), {
    description: 'How many lines of each kind were applied.',
    examples: [{ sport: 1, bet: 1 }],
  }),
  refused: s.count({ description: 'How many lines were refused.', examples: [0] }),
  refusals: s.list(
    s.object({ line: s.count({ examples: [2] }), reason: s.string({ examples: ['The line is not JSON.'] }) }),
    {
      description: 'The first 1000 refused lines.',
      examples: [[]],
    },
  ),
})
export type FeedReport = s.ValueOf<typeof feedReport>
