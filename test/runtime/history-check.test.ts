import { expect, test } from 'vitest'
import { clockDifference, historyCheck } from '../../src/platform/database/postgres/write-check.ts'

/** Whether the second heartbeat shows that history was lost since the first. */
function isLost(...[first, second]: [number, number, number][]): boolean {
  const gauges = new Map<string, number>()
  const history = historyCheck(
    { error: () => {} } as never,
    { gauge: (name: string, _: string, value: number) => void gauges.set(name, value) } as never,
  )
  for (const [number, timeline, timeline_start] of [first, second] as [number, number, number][]) {
    history.see({ number, timeline, timeline_start })
  }
  return gauges.get('paddock_history_lost') === 1
}

test.each([
  ['the next heartbeat', [100, 1, 0], [101, 1, 0], false],
  ['heartbeats of other processes in between', [100, 1, 0], [140, 1, 0], false],
  ['a failover that lost nothing', [100, 1, 0], [101, 2, 100], false],
  ['a failover that lost nothing, noticed late', [100, 1, 0], [180, 2, 105], false],
  ['a failover that lost heartbeats', [100, 1, 0], [96, 2, 95], true],
  ['the same, noticed after others have added to the number', [100, 1, 0], [140, 2, 95], true],
  ['a restored backup', [100, 1, 0], [60, 1, 0], true],
] as [string, [number, number, number], [number, number, number], boolean][])(
  'tells whether history was lost: %s',
  (_, first, second, lost) => {
    expect(isLost(first, second)).toBe(lost)
  },
)

test('clocks differ by as much as the answer of the server cannot have taken', () => {
  expect(clockDifference(5_000, [4_990, 5_010])).toBe(0)
  expect(clockDifference(4_000, [4_990, 5_010])).toBe(0.99)
  expect(clockDifference(7_000, [4_990, 5_010])).toBe(1.99)
  // A heartbeat that waited for a standby says little.
  expect(clockDifference(7_000, [4_990, 60_000])).toBe(0)
})
