// What the sportsbook's own systems send: the catalogue, its settlements, the bets.

import { SPORTSBOOK_STATUSES } from '../../catalogue/store.ts'
import { RESULTS } from '../../record/figures.ts'
import { MAX_LEGS } from '../../sportsbook/bet.ts'
import * as s from '../server/fields.ts'

const name = (example: string) => s.text(1, 200, example)
const status = s.oneOf(SPORTSBOOK_STATUSES, 'active', 'Tips can be made only while it is active.')
const activeByDefault = s.withDefault(status, 'active')
const time = s.stringOf({ format: 'date-time' }, s.EXAMPLE_TIME)
const part = (example: number) => s.integer(1, 1_000_000_000, example)
const fraction = (num: number, den: number, description: string) =>
  s.object({ num: part(num), den: part(den) }, {}, description)
const price = s.orNull(
  s.object({ num: part(5), den: part(2) }),
  'The price as a fraction: 5/2 is 3.50 as a decimal. null: none for now.',
)
const startingPrice = s.boolean(false, 'Whether the starting price may be taken.')
const MAX_PARTS = 1000

const UNCHANGED = 'Shown as it is reported. Absent: as before; null: none.'
const live = {
  score: s.orNull(s.text(1, 40), UNCHANGED, '2 – 1'),
  clock: s.orNull(s.text(1, 40), UNCHANGED, '67’'),
}

const outcomeFields = {
  status: activeByDefault,
  startingPrice: s.withDefault(startingPrice, false),
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
    communities: s.withDefault(s.boolean(true, 'Whether tips can be made on it.'), false),
  },
)

export const sportList = s.namedObject('SportList', {
  items: s.list(s.object({ id: s.id('21'), name: s.string('Horse racing') })),
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
    startingPrice: s.boolean(false, 'true: at the starting price, so without a price.'),
    eachWay: s.object(
      { num: part(1), den: part(5), places: s.integer(1, 100, 3) },
      {},
      'Also on a place, at this fraction of the odds; at most 1/1, and at least 2 places.',
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
    placedAt: s.stringOf({ format: 'date-time' }, s.EXAMPLE_TIME, 'Without it: now.'),
    cashOut: s.list(cashOut, {
      maxItems: 100,
      description: 'Shown beside the tips on the bet. It never changes a record.',
    }),
  },
)

const RULE_4 = 'What is deducted from winnings after withdrawals (Rule 4), from 0.00 to 0.90; several added up.'
const result = s.oneOf(
  RESULTS,
  'win',
  'half-win, half-lose: of a quarter handicap. push: the stake is returned. place: lost, but placed.',
)
const detailedResult = s.object(
  { result },
  {
    deadHeat: fraction(1, 2, 'Which part of the stake counts as won, of a win that is shared; at most 1/1.'),
    placeDeadHeat: fraction(1, 2, 'The same of a place, for bets each way; of a win or a place.'),
    rule4: s.deduction('0.25', RULE_4),
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
export const outcomeChange = s.allOptional({ name: name('Leeds'), status, startingPrice, price })

// ---- Answers.

export const stored = s.namedObject('Stored', { id: s.id('10', 'The id in the path.') })

export const settlementResult = s.namedObject('SettlementResult', {
  settled: s.count(3, 'Outcomes that had no result before.'),
  corrected: s.count(0, 'Outcomes whose result has changed.'),
})

export const feedReport = s.namedObject('FeedReport', {
  lines: s.count(2, 'How many lines were read.'),
  applied: s.record(s.count(), {
    description: 'How many lines of each kind were applied.',
    examples: [{ sport: 1, bet: 1 }],
  }),
  refused: s.count(0, 'How many lines were refused.'),
  refusals: s.list(
    s.object({ line: s.count(2), reason: s.string('The line is not JSON.') }),
    'The first 1000 refused lines.',
    [],
  ),
})
export type FeedReport = s.ValueOf<typeof feedReport>
