// How figures are written: two decimals, halves away from zero, rounded once from whole numbers.

import { describe, expect, test } from 'vitest'
import type { Grade } from '../../src/record/figures.ts'
import { dateOf, dayOf, perCentOf, points, streaksOf, toFigures, twoDecimals } from '../../src/record/record-view.ts'
import { addUp, type TipSums } from '../../src/record/summary.ts'

const NONE: TipSums = {
  num_won: 0,
  num_lost: 0,
  num_void: 0,
  num_withdrawn: 0,
  staked: 0,
  profit: 0,
  odds: 0,
  return_squares: 0,
  num_closing: 0,
  closing: 0,
  num_beaten: 0,
}

test.each([
  [1, 3, '0.33'],
  [2, 3, '0.67'],
  [1, 200, '0.01'],
  [-1, 200, '-0.01'],
  [1, 201, '0.00'],
  [-1, 201, '0.00'],
  [-5, 1000, '-0.01'],
  [1005, 1000, '1.01'],
  [0, 7, '0.00'],
  [1234567, 100, '12345.67'],
  [9_007_199_254_740_991, 1_000_000, '9007199254.74'],
])('%i / %i is %s', (num, den, text) => expect(twoDecimals(num, den)).toBe(text))

test.each([
  [1_875_000, '1.88'],
  [-1_000_000, '-1.00'],
  [4_999, '0.00'],
  [-4_999, '0.00'],
  [5_000, '0.01'],
  [-5_000, '-0.01'],
])('%i millionths of a point are %s', (millionths, text) => expect(points(millionths)).toBe(text))

test.each([
  [0.17123, '17.12'],
  [-0.00004, '0.00'],
  [-0.5, '-50.00'],
])('%d is %s per cent', (share, text) => expect(perCentOf(share)).toBe(text))

test('days are UTC days', () => {
  expect(dateOf(dayOf(Date.parse('2026-11-15T23:59:59.999Z')))).toBe('2026-11-15')
  expect(dateOf(dayOf(Date.parse('2026-11-16T00:00:00.000Z')))).toBe('2026-11-16')
})

describe('figures', () => {
  test('of nothing are zeros', () => {
    expect(toFigures(addUp().sums())).toEqual({
      numSettled: 0,
      numWon: 0,
      numLost: 0,
      numVoid: 0,
      numWithdrawn: 0,
      staked: '0.00',
      profit: '0.00',
    })
  })

  test('of void tips have dates, but no rates', () => {
    const total = addUp()
    total.add(20_000, { ...NONE, num_void: 2 })
    expect(toFigures(total.sums())).toEqual({
      from: '2024-10-04',
      to: '2024-10-04',
      numSettled: 2,
      numWon: 0,
      numLost: 0,
      numVoid: 2,
      numWithdrawn: 0,
      staked: '0.00',
      profit: '0.00',
    })
  })

  // Two at 3.00, one wins; one at 1.50 wins: +2, −1, +0.5 with 3 points.
  test('of three tips, worked out by hand', () => {
    const total = addUp()
    const more = { num_closing: 1, closing: 50_000, num_beaten: 1 }
    total.add(20_000, {
      ...NONE,
      num_won: 1,
      staked: 1,
      profit: 2_000_000,
      odds: 3_000_000,
      return_squares: 40_000,
      ...more,
    })
    total.add(20_001, { ...NONE, num_lost: 1, staked: 1, profit: -1_000_000, odds: 3_000_000, return_squares: 10_000 })
    total.add(20_001, {
      ...NONE,
      num_won: 1,
      num_withdrawn: 1,
      staked: 1,
      profit: 500_000,
      odds: 1_500_000,
      return_squares: 2_500,
    })
    const sums = total.sums()
    expect([sums.num_days, sums.first_day, sums.last_day]).toEqual([2, 20_000, 20_001])
    // s² seen: (4 + 1 + 0.25 − 3 · 0.5²) / 2 = 2.25; with p = 3/5 and o = 2.5: 6.25 · 0.24 = 1.5. 1.645 · 1.5 / √3 = 1.42461…
    expect(toFigures(sums)).toEqual({
      from: '2024-10-04',
      to: '2024-10-05',
      numSettled: 3,
      numWon: 2,
      numLost: 1,
      numVoid: 0,
      numWithdrawn: 1,
      strikeRate: '66.67',
      staked: '3.00',
      profit: '1.50',
      yield: '50.00',
      yieldLow: '-92.46',
      yieldHigh: '192.46',
      averageOdds: '2.50',
      closing: { num: 1, average: '5.00', beaten: 1 },
    })
  })
})

test.each([
  ['', undefined, undefined],
  ['W', { type: 'W', length: 1 }, 0],
  ['LLWLLLW', { type: 'W', length: 1 }, 3],
  ['WWLLLL', { type: 'L', length: 4 }, 4],
  ['LLLWW', { type: 'W', length: 2 }, 3],
])('streaks of "%s"', (grades, streak, longestLosing) => {
  expect(streaksOf([...grades].map((grade) => ({ grade: grade as Grade, day: 1 })))).toEqual(
    streak === undefined ? {} : { streak, longestLosing },
  )
})
