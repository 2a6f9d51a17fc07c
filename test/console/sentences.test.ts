// The words that the console puts in the place of codes in the service's sentences.

import { expect, test } from 'vitest'
import { withDates } from '../../console/src/parts/dates.ts'

test('days in sentences are written as everywhere', () => {
  expect(withDates('Time-out until 2026-03-14')).toBe('Time-out until 14 Mar 2026')
})
