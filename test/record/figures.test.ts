// The figures of a tip: the vectors of the rules, and random terms and results against exact fractions.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Fraction, figuresOfTip, type OutcomeResult, RESULTS, type Result } from '../../src/record/figures.ts'
import { termsOfTip } from '../../src/record/terms.ts'
import { exactProfit, nearest } from '../harness/exact-figures.ts'

const PLAIN = { deadHeat: null, placeDeadHeat: null, rule4: 0, startingPrice: null, closing: null }

function outcome(result: Result, told: Partial<OutcomeResult> = {}): OutcomeResult {
  return { ...PLAIN, result, ...told }
}

const of = (num: number, den = 1): Fraction => ({ num, den })
const half = of(1, 2)

/** `bet`: what is staked on each part. `returned`: of all parts, as a bookmaker pays it. */
type Vector = {
  name: string
  price: Fraction
  outcome: OutcomeResult
  bet: number
  returned: number
  eachWay?: Fraction
}

const VECTORS: Vector[] = [
  { name: 'win at 6/4', price: of(6, 4), outcome: outcome('win'), bet: 10, returned: 25 },
  { name: 'lose', price: of(6, 4), outcome: outcome('lose'), bet: 10, returned: 0 },
  { name: 'place, but not each way', price: of(6, 4), outcome: outcome('place'), bet: 10, returned: 0 },
  { name: 'half-win at 9/10', price: of(9, 10), outcome: outcome('half-win'), bet: 10, returned: 14.5 },
  { name: 'half-lose', price: of(9, 10), outcome: outcome('half-lose'), bet: 10, returned: 5 },
  {
    name: 'dead heat of two at 2.5',
    price: of(3, 2),
    outcome: outcome('win', { deadHeat: half }),
    bet: 50,
    returned: 62.5,
  },
  {
    name: 'six for three places at 3.0',
    price: of(2),
    outcome: outcome('win', { deadHeat: of(3, 6) }),
    bet: 50,
    returned: 75,
  },
  {
    name: 'dead heat of two at 10/1',
    price: of(10),
    outcome: outcome('win', { deadHeat: half }),
    bet: 10,
    returned: 55,
  },
  { name: 'Rule 4 of 25p at 8/1', price: of(8), outcome: outcome('win', { rule4: 25 }), bet: 10, returned: 70 },
  {
    name: 'Rule 4 and dead heat',
    price: of(8),
    outcome: outcome('win', { rule4: 25, deadHeat: half }),
    bet: 10,
    returned: 35,
  },
  { name: 'the largest Rule 4', price: of(8), outcome: outcome('win', { rule4: 90 }), bet: 10, returned: 18 },
  {
    name: 'each way 7/4, wins',
    price: of(7, 4),
    eachWay: of(1, 4),
    outcome: outcome('win'),
    bet: 10,
    returned: 41.875,
  },
  {
    name: 'each way 16/1, joint third',
    price: of(16),
    eachWay: of(1, 4),
    outcome: outcome('place', { placeDeadHeat: half }),
    bet: 20,
    returned: 50,
  },
  { name: 'each way 20/1, third', price: of(20), eachWay: of(1, 5), outcome: outcome('place'), bet: 10, returned: 50 },
  { name: 'each way, loses', price: of(20), eachWay: of(1, 5), outcome: outcome('lose'), bet: 10, returned: 0 },
]

test.each(VECTORS)('$name', ({ price, outcome, bet, returned, eachWay }) => {
  const figures = figuresOfTip({ price, eachWay: eachWay ?? null }, outcome, false)
  expect(figures?.stake).toBe(eachWay === undefined ? 1 : 2)
  const stake = figures?.stake ?? 0
  expect(((figures?.profit ?? 0) / 1e6 + stake) * bet).toBeCloseTo(returned, 9)
  expect(figures?.grade).toBe(returned > stake * bet ? 'W' : 'L')
})

test.each(['void', 'push'] as const)('%s: no stake, in no rate', (result) => {
  const figures = figuresOfTip({ price: of(5), eachWay: null }, outcome(result, { closing: of(2) }), false)
  expect(figures).toEqual({ grade: 'V', stake: 0, profit: 0, odds: 0, band: 3, returnSquare: 0, closing: null })
})

test('at starting price: the price that was told, without Rule 4, not compared with the closing price', () => {
  const told = outcome('win', { rule4: 25, startingPrice: of(4), closing: of(3) })
  expect(figuresOfTip({ price: null, eachWay: null }, told, false)).toMatchObject({
    profit: 4_000_000,
    odds: 5_000_000,
    closing: null,
  })
  expect(figuresOfTip({ price: null, eachWay: null }, outcome('win'), false)).toBeNull()
})

test('the closing price: compared before the start only', () => {
  const told = outcome('lose', { closing: of(3, 2) })
  expect(figuresOfTip({ price: of(2), eachWay: null }, told, false)?.closing).toBe(200_000)
  expect(figuresOfTip({ price: of(2), eachWay: null }, told, true)?.closing).toBeNull()
})

test.each([
  [of(99, 100), 1],
  [of(1), 2],
  [of(299, 100), 2],
  [of(3), 3],
  [of(7), 4],
  [of(15), 5],
  [of(10_000), 5],
])('the band of $num/$den is %i', (price, band) => {
  expect(figuresOfTip({ price, eachWay: null }, outcome('lose'), false)?.band).toBe(band)
})

test('a price over 10,000/1 is not in the record', () => {
  expect(figuresOfTip({ price: of(10_001), eachWay: null }, outcome('lose'), false)).toBeNull()
})

// ---- Against exact fractions

const part = fc.integer({ min: 1, max: 1_000_000_000 })
const priceArbitrary = fc.record({ num: part, den: part }).filter(({ num, den }) => num <= 10_000 * den)
const smallFraction = fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 })).map(([one, other]) => ({
  num: Math.min(one, other),
  den: Math.max(one, other),
}))

test('every profit is the nearest millionth of what the parts return', () => {
  const told = fc.record({
    result: fc.constantFrom(...RESULTS),
    deadHeat: fc.option(smallFraction),
    placeDeadHeat: fc.option(smallFraction),
    rule4: fc.integer({ min: 0, max: 90 }),
    startingPrice: fc.constant(null),
    closing: fc.constant(null),
  })
  fc.assert(
    fc.property(priceArbitrary, fc.option(smallFraction), told, (price, eachWay, outcome) => {
      const figures = figuresOfTip({ price, eachWay }, outcome, false)
      const { stake, num, den } = exactProfit(price, eachWay, outcome)
      expect([figures?.stake, figures?.profit]).toEqual([stake, nearest(1_000_000n, num, den)])
    }),
    { numRuns: 2000 },
  )
})

// ---- The terms at which a tip counts

const leg = { placedAt: 5, price: of(5, 2), startingPrice: false, eachWay: null }

test.each([
  ['the lower of both prices', leg, of(9, 4), { record_num: 9, record_den: 4, record_sp: 0 }],
  ['the bet’s price where it is lower', leg, of(3), { record_num: 5, record_den: 2, record_sp: 0 }],
  ['the bet’s price alone', leg, null, { record_num: 5, record_den: 2, record_sp: 0 }],
  ['the catalogue’s price alone', { ...leg, price: null }, of(3), { record_num: 3, record_den: 1, record_sp: 0 }],
  ['no price', { ...leg, price: null }, null, { record_num: null, record_sp: 0 }],
  ['at starting price', { ...leg, price: null, startingPrice: true }, of(3), { record_num: null, record_sp: 1 }],
  ['a bet placed after the tip', { ...leg, placedAt: 11 }, of(3), { record_num: null, record_sp: 0 }],
  ['no bet', null, of(3), { record_num: null, record_sp: 0 }],
  ['a price that is too long', { ...leg, price: of(10_001) }, null, { record_num: null, record_sp: 0 }],
  [
    'large parts',
    { ...leg, price: of(999_999_999, 999_999_998) },
    of(999_999_998, 999_999_997),
    { record_num: 999_999_999 },
  ],
])('the price of record: %s', (_name, told, catalogue, expected) => {
  expect(termsOfTip(told, catalogue, 10)).toMatchObject(expected)
})
