import { expect, test } from 'vitest'
import { windowCounts } from '../../src/platform/runtime/window-counts.ts'

test('counts by key begin again with each window', () => {
  let now = 1_800_000_000_400
  const counts = windowCounts(1_000, () => now)
  expect([counts.of('a'), counts.secondsLeft()]).toEqual([0, 1])
  counts.add('a')
  counts.add('a', 2)
  expect([counts.of('a'), counts.of('b')]).toEqual([3, 0])
  now += 600
  expect(counts.of('a')).toBe(0)
})

test('the window before is kept for processes that are still in it, and no other', () => {
  const counts = windowCounts(1_000)
  for (const window of [10, 11]) {
    counts.of('a', window)
    counts.add('a', window)
  }
  expect([counts.of('a', 10), counts.of('a', 11)]).toEqual([10, 11])
  counts.of('a', 12)
  expect([counts.of('a', 11), counts.of('a', 12), counts.of('a', 10)]).toEqual([11, 0, 0])
})
