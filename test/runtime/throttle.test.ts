import { expect, test } from 'vitest'
import { oneMoreFailure, secondsToWait, throttle } from '../../src/platform/runtime/throttle.ts'

const rule = { free: 3, expiresAfterMs: 10_000, longestPauseMs: 5_000 }

test('the first failures cause no pause, then each pause doubles, up to the maximum', () => {
  let now = 1_000_000
  let failures: ReturnType<typeof oneMoreFailure> | undefined
  const pauses: number[] = []
  for (let turn = 0; turn < 7; turn++) {
    failures = oneMoreFailure(failures, rule, now)
    pauses.push(failures.blockedUntil - now)
    now = failures.blockedUntil
  }
  expect(pauses).toEqual([0, 0, 0, 1_000, 2_000, 4_000, 5_000])
})

test('failures expire one by one', () => {
  let now = 0
  const failing = throttle(rule, () => now)
  const failAt = (time: number) => {
    now = time
    failing.fail('key')
    return failing.secondsToWait('key')
  }
  expect([failAt(0), failAt(0), failAt(0), failAt(0)]).toEqual([0, 0, 0, 1])
  // Three of four have expired.
  expect([failAt(30_000), failAt(30_000), failAt(30_000)]).toEqual([0, 0, 1])
  expect([failAt(1_000_000), failing.secondsToWait('other')]).toEqual([0, 0])
  expect(failing.isQuiet()).toBe(false)
  now += 10_000
  expect(failing.isQuiet()).toBe(true)
})

test('the time to wait is rounded up to whole seconds', () => {
  expect(secondsToWait(1_001, 0)).toBe(2)
  expect(secondsToWait(1_001, 1_001)).toBe(0)
})

test('a throttle stores a bounded number of keys', () => {
  const failing = throttle({ ...rule, free: 0 }, () => 0)
  for (let key = 0; key <= 10_000; key++) failing.fail(`${key}`)
  expect([failing.secondsToWait('0'), failing.secondsToWait('10000')]).toEqual([0, 1])
})
