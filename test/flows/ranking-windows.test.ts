// A window with many follows is counted by one process for all of them. Each of these windows is what one process
// holds; they share the database and a clock that stands still.

import { beforeAll, expect, test } from 'vitest'
import { type FollowWindows, followWindows } from '../../src/profiles/ranking-window.ts'
import { useService } from '../harness/service.ts'

const service = useService()
const DAYS = 7
/** What 22,350 follows are kept for. */
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

test('a small window is counted whenever it is asked for', async () => {
  expect(await countsOf(async () => expect(await bestOfAll()).toEqual(new Set([undefined])))).toBe(3)
  expect(await countsOf(async () => expect(await bestOfAll()).toEqual(new Set([undefined])))).toBe(3)
})

test('a large one is counted once for all processes, and again when it is no longer fresh', async () => {
  const numbers = 'with recursive n (i) as (select 1 union all select i + 1 from n where i < 150)'
  await script(`
    insert into customer (id, status, verified, currency, funds_statement_version, created_at)
      ${numbers} select 500000 + i, 'active', 1, 'GBP', 1, 1 from n;
    insert into profile (id, customer_id, biography, status, created_at)
      ${numbers} select 500000 + i, 500000 + i, '', 'A', 1 from n;
    insert into follow (follower_id, followee_id, created_at, shown)
      ${numbers} select 500000 + a.i, 500000 + b.i, ${time}, 1 from n a cross join n b where a.i <> b.i`)
  // Each takes it for a small one still, and learns.
  expect(await countsOf(bestOfAll)).toBe(3)
  await hide(500001)
  expect(await countsOf(async () => expect(await bestOfAll()).toEqual(new Set([500001])))).toBe(0)
  time += KEPT_MS
  const counts = await countsOf(async () => {
    // Who counts answers what is; the others may answer what was fresh a moment ago, until it is done.
    const answers = await Promise.all(processes.map(bestOf))
    expect(answers).toContain(500002)
    for (const best of answers) expect([500001, 500002]).toContain(best)
  })
  expect(counts).toBe(1)
  time += KEPT_MS / 16
  expect(await countsOf(async () => expect(await bestOfAll()).toEqual(new Set([500002])))).toBe(0)
})

test('what nobody asked for in a long time is waited for, not answered', async () => {
  await hide(500002)
  time += 100 * KEPT_MS
  expect(await countsOf(async () => expect(await bestOfAll()).toEqual(new Set([500003])))).toBe(1)
})

test('a process that starts reads what others counted', async () => {
  expect(await countsOf(async () => expect(await bestOf(newProcess())).toBe(500003))).toBe(0)
})

test('the claim of one that died while counting is over after a while', async () => {
  time += KEPT_MS
  await script(`update ranking_window set claimed_until = ${time + 10_000}`)
  await hide(500003)
  expect(await countsOf(async () => expect(await bestOfAll()).toEqual(new Set([500003])))).toBe(0)
  time += 10_000
  expect(await countsOf(async () => expect(await bestOfAll()).toEqual(new Set([500004])))).toBe(1)
})

test('a clock that is set back makes nothing live longer', async () => {
  time -= 3_600_000
  await hide(500004)
  expect(await countsOf(async () => expect(await bestOfAll()).toEqual(new Set([500005])))).toBe(1)
})

test('one that has become small is counted whenever it is asked for again', async () => {
  await script('update follow set shown = 0 where follower_id > 500050')
  time += 100 * KEPT_MS
  await bestOfAll()
  await bestOfAll()
  await hide(500051)
  expect(await countsOf(async () => expect(await bestOfAll()).toEqual(new Set([500052])))).toBe(3)
})
