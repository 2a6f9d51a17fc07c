// The words that the console puts in the place of codes in the service's sentences.

import { expect, test } from 'vitest'
import { withDates } from '../../console/src/parts/dates.ts'
import { amountText, countText } from '../../console/src/parts/numbers.ts'
import { trailText } from '../../web/words/deposits.ts'
import { timelineText } from '../../web/words/sentences.ts'

test('a refund is paid in the timeline and in the history of its deposit', () => {
  const text = 'Refund of 5.00 GBP to VISA … 1111, now done'
  expect(timelineText({ kind: 'refund', text, subject: null })).toBe('Refund of 5.00 GBP to VISA … 1111, now paid')
  expect(trailText('refund 5: done')).toBe('refund 5: paid')
  expect(trailText('refund 5: needs two persons')).toBe('refund 5: needs two persons')
})

test('days in sentences are written as everywhere', () => {
  expect(withDates('Time-out until 2026-03-14')).toBe('Time-out until 14 Mar 2026')
})

test('thousands are separated', () => {
  expect([countText(1234), amountText('1234.5'), amountText('')]).toEqual(['1,234', '1,234.50', ''])
})
