// A window with many follows is counted by one process for all of them. Each of these windows is what one process
// holds; they share the database and a clock that stands still.

import { beforeAll, expect, test } from 'vitest'
import { type FollowWindows, followWindows } from '../../src/profiles/ranking-window.ts'
import { useService } from '../harness/service.ts'
import { withoutTriggers } from '../harness/without-triggers.ts'

const service = useService()
const DAYS = 7
/** How long the result for 22,350 follows is cached. */
const KEPT_MS = 112
let time = 1_800_000_000_000
let processes: FollowWindows[] = []

const newProcess = () => followWindows(service.context.database, () => time)
beforeAll(() => {
  processes = [newProcess(), newProcess(), newProcess()]
})

const bestOf = async (one: FollowWindows | undefined) => (await one?.idsOf(DAYS))?.[0]
const bestOfAll = async () => new Set(await Promise.all([...processes, ...processes].map(bestOf)))
const script = (sql: string) => service.context.database.script(sql)
const hide = (profileId: number) => script(`update follow set shown = 0 where followee_id = ${profileId}`)

/** How often the window was counted meanwhile. */
async function countsOf(work: () => Promise<unknown>): Promise<number> {
  const counted = () =>
    Number(/_count\{statement="mostFollowedSince"\} (\d+)/.exec(service.context.metrics.render())?.[1] ?? 0)
  const before = counted()
  await work()
  return counted() - before
}

test('a small window is counted at every request', async () => {
  expect(await countsOf(async () => expect(await bestOfAll()).toEqual(new Set([undefined])))).toBe(3)
  expect(await countsOf(async () => expect(await bestOfAll()).toEqual(new Set([undefined])))).toBe(3)
})

test('a large window is counted once for all processes, and again when it is stale', async () => {
  const numbers = 'with recursive n (i) as (select 1 union all select i + 1 from n where i < 150)'
  const follows = `
    insert into customer (id, status, verified, currency, funds_statement_version, created_at)
      ${numbers} select 500000 + i, 'active', 1, 'GBP', 1, 1 from n;
    insert into profile (id, customer_id, biography, status, created_at)
      ${numbers} select 500000 + i, 500000 + i, '', 'A', 1 from n;
    insert into follow (follower_id, followee_id, created_at, shown)
      ${numbers} select 500000 + a.i, 500000 + b.i, ${time}, 1 from n a cross join n b where a.i <> b.i`
  await withoutTriggers(service.context.database, () => script(follows))
  // Each process still assumes a small window, and learns its size.
  expect(await countsOf(bestOfAll)).toBe(3)
  await hide(500001)
  expect(await countsOf(async () => expect(await bestOfAll()).toEqual(new Set([500001])))).toBe(0)
  time += KEPT_MS
  const counts = await countsOf(async () => {
    // The process that counts answers the new result; the others may answer the previous one until it is done.
    const answers = await Promise.all(processes.map(bestOf))
    expect(answers).toContain(500002)
    for (const best of answers) expect([500001, 500002]).toContain(best)
  })
  expect(counts).toBe(1)
  time += KEPT_MS / 16
  expect(await countsOf(async () => expect(await bestOfAll()).toEqual(new Set([500002])))).toBe(0)
})

test('a result that nobody requested for a long time is counted again before it is answered', async () => {
  await hide(500002)
  time += 100 * KEPT_MS
  expect(await countsOf(async () => expect(await bestOfAll()).toEqual(new Set([500003])))).toBe(1)
})

test('a new process reads what others counted', async () => {
  expect(await countsOf(async () => expect(await bestOf(newProcess())).toBe(500003))).toBe(0)
})

test('the claim of a process that died while counting expires', async () => {
  time += KEPT_MS
  await script(`update ranking_window set claimed_until = ${time + 10_000}`)
  await hide(500003)
  expect(await countsOf(async () => expect(await bestOfAll()).toEqual(new Set([500003])))).toBe(0)
  time += 10_000
  expect(await countsOf(async () => expect(await bestOfAll()).toEqual(new Set([500004])))).toBe(1)
})

test('a clock that is set back makes no result live longer', async () => {
  time -= 3_600_000
  await hide(500004)
  expect(await countsOf(async () => expect(await bestOfAll()).toEqual(new Set([500005])))).toBe(1)
})

test('a window that has become small is counted at every request again', async () => {
  await script('update follow set shown = 0 where follower_id > 500050')
  time += 100 * KEPT_MS
  await bestOfAll()
  await bestOfAll()
  await hide(500051)
  expect(await countsOf(async () => expect(await bestOfAll()).toEqual(new Set([500052])))).toBe(3)
})
