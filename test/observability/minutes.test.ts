import { expect, test } from 'vitest'
import { quantileMs, slowestOperations } from '../../src/operator/health/latency.ts'
import { BUCKETS } from '../../src/platform/observability/metric-snapshot.ts'
import { minuteRing, sumMinutes } from '../../src/platform/observability/minutes.ts'

const MINUTE_MS = 60_000

test('requests are counted by minute and outcome, and forgotten after an hour', () => {
  let now = 1_000 * MINUTE_MS
  const ring = minuteRing(() => now)
  ring.count(200, '')
  for (const status of [404, 200, 503]) ring.count(status, '10071')
  now += MINUTE_MS
  ring.count(204, '')
  expect(ring.read()).toEqual({
    1000: { requests: 4, refused: 2, failed: 1 },
    1001: { requests: 1, refused: 0, failed: 0 },
  })
  now += 59 * MINUTE_MS
  expect(Object.keys(ring.read())).toEqual(['1001'])
  ring.count(500, '10000')
  // The slot of minute 1000 is used again.
  expect(ring.read()[1060]).toEqual({ requests: 1, refused: 0, failed: 1 })
})

test('the minutes of several processes are summed, and only an hour stays', () => {
  const one = { 1000: { requests: 4, refused: 2, failed: 1 }, 1001: { requests: 1, refused: 0, failed: 0 } }
  const other = { 1001: { requests: 2, refused: 1, failed: 1 } }
  expect(sumMinutes([])).toEqual({})
  expect(sumMinutes([one, other])).toEqual({ ...one, 1001: { requests: 3, refused: 1, failed: 1 } })
  const later = { 1060: { requests: 1, refused: 0, failed: 0 } }
  expect(Object.keys(sumMinutes([one, later]))).toEqual(['1001', '1060'])
})

/** How many took at most each bound; the last number: longer than all. */
function histogram(counts: Record<number, number>, beyond = 0) {
  const all = [...BUCKETS.map((bound) => counts[bound] ?? 0), beyond]
  return { counts: all, sum: 0, count: all.reduce((sum, value) => sum + value, 0) }
}

test('quantiles lie on straight lines between the bounds of buckets', () => {
  const even = histogram({ 0.001: 50, 0.0025: 50 })
  expect(quantileMs(even, 0.5)).toBe(1)
  expect(quantileMs(even, 0.75)).toBe(1.75)
  expect(quantileMs(histogram({ 0.0005: 1 }), 0.5)).toBe(0.25)
  expect(quantileMs(histogram({}, 3), 0.5)).toBe(10_000)
})

test('the slowest operations come first, without probes and unknown paths', () => {
  const latency = {
    quick: histogram({ 0.001: 90 }),
    slow: histogram({ 0.001: 90, 0.5: 10 }),
    none: histogram({ 1: 1 }),
    health: histogram({ 1: 1 }),
    unused: histogram({}),
  }
  const found = slowestOperations({ latency })
  expect(found.map(({ name }) => name)).toEqual(['slow', 'quick'])
  expect(found[0]).toMatchObject({ count: 100, p95Ms: 375 })
})
