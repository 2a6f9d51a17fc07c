// Prices of the showcase in each notation.

import { expect, test } from 'vitest'
import { oddsText } from '../../showcase/src/odds-text.ts'
import { livePrice } from '../../src/catalogue/outcome.ts'

test.each([
  ['5/2', '5/2', '3.50', '+250'],
  ['1/1', '1/1', '2.00', '+100'],
  ['4/9', '4/9', '1.44', '−225'],
  ['1/40', '1/40', '1.03', '−4000'],
  ['100/1', '100/1', '101.00', '+10000'],
])('%s', (priceFrac, fraction, decimal, american) => {
  const odds = { priceFrac }
  expect([oddsText(odds, 'fraction'), oddsText(odds, 'decimal'), oddsText(odds, 'american')]).toEqual([
    fraction,
    decimal,
    american,
  ])
})

test('they are those of the service', () => {
  for (let num = 1; num <= 60; num++) {
    for (let den = 1; den <= 60; den++) {
      const { priceFrac, priceDec, priceUS } = livePrice(num, den)
      const american = oddsText({ priceFrac }, 'american').replace('−', '-')
      expect([oddsText({ priceFrac }, 'decimal'), Number(american)]).toEqual([priceDec, priceUS])
    }
  }
})

test('an average has no fraction, and a starting price may not be known', () => {
  const average = { priceDec: '3.25' }
  expect([oddsText(average, 'fraction'), oddsText(average, 'american')]).toEqual(['3.25', '+225'])
  expect(oddsText({}, 'decimal')).toBe('SP')
})
