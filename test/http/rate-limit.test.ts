import { describe, expect, test } from 'vitest'
import {
  localShares,
  type RateLimiter,
  rateLimiter,
  type Shares,
  shareGranter,
} from '../../src/http/limits/rate-limit.ts'

const START = 1_800_000_000_000

/** Processes that share one granter, which answers after a turn of the event loop. */
function processes(count: number) {
  const clock = { now: START }
  const take = shareGranter()
  let asked = 0
  const shares: Shares = {
    processes: count,
    async take(request) {
      asked++
      await new Promise((resolve) => setImmediate(resolve))
      return take(request)
    },
  }
  const limiters = Array.from({ length: count }, () => rateLimiter(() => clock.now, shares))
  return { clock, limiters, asked: () => asked }
}

async function passes(limiter: RateLimiter, limit: { perSecond: number; perMinute: number }): Promise<boolean> {
  try {
    await limiter.take('app', limit)
    return true
  } catch {
    return false
  }
}

async function countPassed(limiters: RateLimiter[], requests: number, limit: { perSecond: number; perMinute: number }) {
  let passed = 0
  for (let request = 0; request < requests; request++) {
    if (await passes(limiters[request % limiters.length] as RateLimiter, limit)) passed++
  }
  return passed
}

describe.each([
  { count: 2, limit: 20 },
  { count: 2, limit: 200 },
  { count: 4, limit: 5 },
  { count: 4, limit: 3_000 },
  { count: 16, limit: 1_000 },
])('$limit a minute in $count processes', ({ count, limit }) => {
  const perMinute = { perSecond: 0, perMinute: limit }

  test('accept at most the limit and at least nine tenths of it, however requests are spread', async () => {
    const even = processes(count)
    const passed = await countPassed(even.limiters, 2 * limit, perMinute)
    expect(passed).toBeLessThanOrEqual(limit)
    expect(passed).toBeGreaterThanOrEqual(0.9 * limit)
    even.clock.now += 60_000
    const atOnce = await Promise.all(
      Array.from({ length: 2 * limit }, (_, request) =>
        passes(even.limiters[request % count] as RateLimiter, perMinute),
      ),
    )
    expect(atOnce.filter(Boolean).length).toBeLessThanOrEqual(limit)
    expect(atOnce.filter(Boolean).length).toBeGreaterThanOrEqual(0.9 * limit)
    const one = processes(count)
    expect(await countPassed(one.limiters.slice(0, 1), 2 * limit, perMinute)).toBe(limit)
  })

  test('request a share, not each request, unless the limit is tiny', async () => {
    const { limiters, asked } = processes(count)
    await countPassed(limiters, 3 * limit, perMinute)
    if (limit >= 40 * count) expect(asked()).toBeLessThanOrEqual(limit / 2 + 2 * count)
    else expect(asked()).toBeLessThanOrEqual(limit + count)
  })
})

test('the limits of seconds and minutes both apply, and a refused request counts in neither', async () => {
  const { clock, limiters } = processes(2)
  const limit = { perSecond: 100, perMinute: 150 }
  const first = await countPassed(limiters, 300, limit)
  expect(first).toBeGreaterThanOrEqual(90)
  expect(first).toBeLessThanOrEqual(100)
  clock.now += 1_000
  const second = await countPassed(limiters, 300, limit)
  expect(first + second).toBeGreaterThanOrEqual(135)
  expect(first + second).toBeLessThanOrEqual(150)
  clock.now += 1_000
  expect(await countPassed(limiters, 10, limit)).toBe(0)
  clock.now += 60_000
  expect(await countPassed(limiters, 10, limit)).toBe(10)
})

test('a clock that is set back begins a new window', async () => {
  const { clock, limiters } = processes(2)
  const limit = { perSecond: 0, perMinute: 20 }
  await countPassed(limiters, 40, limit)
  clock.now -= 3_600_000
  expect(await countPassed(limiters, 40, limit)).toBe(20)
})

test('a single process accepts exactly the limit, synchronously', () => {
  const limiter = rateLimiter(() => START + 10_000, localShares())
  const limit = { perSecond: 3, perMinute: 0 }
  for (let request = 0; request < 3; request++) expect(limiter.take('app', limit)).toBeUndefined()
  expect(() => limiter.take('app', limit)).toThrow(expect.objectContaining({ kind: 'tooManyRequests', retryAfter: 1 }))
  expect(limiter.take('other', limit)).toBeUndefined()
  const slow = { perSecond: 0, perMinute: 1 }
  expect(limiter.take('third', slow)).toBeUndefined()
  expect(() => limiter.take('third', slow)).toThrow(expect.objectContaining({ retryAfter: 50 }))
  expect(limiter.take('unlimited', { perSecond: 0, perMinute: 0 })).toBeUndefined()
})
