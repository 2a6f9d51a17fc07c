import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { turnBegin, turnTime } from '../../src/platform/runtime/clock.ts'

beforeEach(async () => {
  await nextTurn()
  vi.useFakeTimers({ toFake: ['Date'], now: 5_000 })
})
afterEach(() => {
  vi.useRealTimers()
})

test('all code of one turn sees the same time, promises included', async () => {
  expect(turnTime()).toBe(5_000)
  vi.setSystemTime(5_007)
  expect(turnTime()).toBe(5_000)
  await Promise.resolve()
  expect(turnTime()).toBe(5_000)
})

test('a turn begins once, and the next turn is later', async () => {
  const begin = turnBegin()
  const until = performance.now() + 2
  while (performance.now() < until) {}
  expect(turnBegin()).toBe(begin)
  await nextTurn()
  expect(turnBegin()).toBeGreaterThanOrEqual(until)
})

test('the next turn has its own time, also if the clock was set back', async () => {
  expect(turnTime()).toBe(5_000)
  vi.setSystemTime(5_007)
  await nextTurn()
  expect(turnTime()).toBe(5_007)
  vi.setSystemTime(4_000)
  await nextTurn()
  expect(turnTime()).toBe(4_000)
})
