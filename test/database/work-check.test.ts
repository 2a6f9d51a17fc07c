// One statement checks for all background tasks whether they have work.

import { setTimeout as pause } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { DatabaseUnavailable, writing } from '../../src/platform/database/database.ts'
import { startWorkCheck } from '../../src/platform/database/work-check.ts'
import { workCheck } from '../../src/platform/database/work-check-store.ts'
import { useService } from '../harness/service.ts'
import { allStatementCounts } from '../harness/statement-counts.ts'

const service = useService({ LOG_LEVEL: 'silent' }, { sweeps: true, webhooks: true })

const checked = workCheck('checkedByTest', {
  some: `exists (select 1 from profile where biography = 'has work')`,
  none: '1 = 0',
})
const addWork = writing<{ profileId: number }>(
  'addWork',
  `update profile set biography = 'has work' where id = :profileId`,
)
const schedule = { everyMs: 10, onFailure: () => {} }

test('a service with nothing to do asks the database less than five times a second', async () => {
  const statements = () => [...allStatementCounts(service.context.metrics.render()).values()].reduce((a, b) => a + b, 0)
  await pause(4_000)
  const before = statements()
  await pause(5_000)
  // The heartbeat on PostgreSQL is one more a second, on a connection of its own.
  expect((statements() - before) / 5).toBeLessThanOrEqual(4)
})

test('a task runs at once, and again when it has work', async () => {
  const { database } = service.context
  const { profileId } = await service.member()
  const check = startWorkCheck(service.context, checked)
  const runs = { some: 0, none: 0 }
  const tasks = (['some', 'none'] as const).map((task) =>
    check.starter(task)(async () => {
      runs[task] += 1
    }, schedule),
  )
  expect(runs).toEqual({ some: 1, none: 1 })
  await pause(300)
  expect(runs).toEqual({ some: 1, none: 1 })
  await database.run(addWork, { profileId })
  await vi.waitFor(() => expect(runs.some).toBeGreaterThan(1), { timeout: 10_000 })
  expect(runs.none).toBe(1)
  for (const task of [...tasks, check]) await task.close()
})

test('every task runs after the database was away, and a task that failed without being told', async () => {
  const { database, log, now } = service.context
  let isAway = true
  const one: typeof database.one = (statement, parameters) => {
    if (isAway) throw new DatabaseUnavailable('away')
    return database.one(statement, parameters)
  }
  const check = startWorkCheck({ database: { ...database, one }, log, now }, checked)
  const runs = { ended: 0, failing: 0 }
  const ended = check.starter('none')(async () => {
    runs.ended += 1
  }, schedule)
  const failing = check.starter('some')(async () => {
    runs.failing += 1
    throw new Error('not yet')
  }, schedule)
  await vi.waitFor(() => expect(runs.failing).toBeGreaterThan(2), { timeout: 10_000 })
  expect(runs.ended).toBe(1)
  isAway = false
  await vi.waitFor(() => expect(runs.ended).toBe(2), { timeout: 10_000 })
  for (const task of [ended, failing, check]) await task.close()
})
