// A settlement of many tips, and the process killed while it grades them: after a restart everything is updated, and each
// tip is in the record of its author once.

import { expect, test } from 'vitest'
import { type NoParameters, reading } from '../../src/platform/database/database.ts'
import { brokenInvariants } from '../harness/community-invariants.ts'
import { outcomeWithTipsters, priceOfTipster } from '../harness/outcome-with-tips.ts'
import {
  callOperator,
  newTestDatabase,
  OPERATOR_TOKEN,
  startTestService,
  type TestDatabase,
  type TestService,
} from '../harness/service.ts'
import { paddockProgram } from '../harness/service-program.ts'
import { type Process, run } from '../torture/processes.ts'

/** SETTLED_TIPS=100000 takes some minutes. */
const TIPS = Number(process.env.SETTLED_TIPS ?? 10_000)

const stillToFollow = reading<NoParameters, { count: number }>(
  'stillToFollow',
  'select count(*) as count from comment_work',
)
const graded = reading<NoParameters, { tips: number; withdrawn: number; profit: number }>(
  'graded',
  `select count(*) as tips, coalesce(sum(withdrawn), 0) as withdrawn, cast(coalesce(sum(profit), 0) as bigint) as profit
   from tip_grade`,
)

/** On a busy machine the settlement may end before the kill: then once more, with more tips. */
test('a killed settlement is finished after a restart', { timeout: TIPS * 150 }, async () => {
  let tips = TIPS
  while (!(await settleKilled(tips)) && tips < 8 * TIPS) tips *= 2
  expect(tips).toBeLessThan(8 * TIPS)
})

/** Returns whether the process was killed while it graded. */
async function settleKilled(tips: number): Promise<boolean> {
  const testDatabase = await newTestDatabase()
  try {
    const outcome = await outcomeWithTipsters(testDatabase, tips)
    const process = await startProcess(testDatabase)
    await watching(testDatabase, async ({ context: { database } }) => {
      const url = /operator listener is on (\S+)/.exec(process.output())?.[1] as string
      const path = `/operator/v1/markets/${outcome.marketId}/settlement`
      const { status } = await callOperator(url, 'POST', path, { body: { results: { [outcome.id]: 'win' } } })
      expect(status).toBe(200)
      while ((await database.one(graded, {}))?.tips === 0) await pause()
      await process.kill()
    })
    return await watching(testDatabase, async ({ context: { database, tipStatus } }) => {
      if ((await database.one(graded, {}))?.tips === tips) return false
      await tipStatus.begin()
      while (((await database.one(stillToFollow, {}))?.count ?? 0) > 0) await pause()
      const profits = Array.from({ length: tips }, (_, index) => {
        const { num, den } = priceOfTipster(index + 1)
        return Math.round((num * 1e6) / den)
      })
      expect(await database.one(graded, {})).toEqual({
        tips,
        withdrawn: tips / 10,
        profit: profits.reduce((sum, profit) => sum + profit),
      })
      expect(await brokenInvariants(database)).toEqual({})
      return true
    })
  } finally {
    await testDatabase.remove()
  }
}

function startProcess({ settings }: TestDatabase): Promise<Process> {
  return run(paddockProgram, ['serve'], {
    PORT: '0',
    OPERATOR_PORT: '0',
    SANDBOX_SEED: 'off',
    OPERATOR_TOKEN,
    ...settings,
  })
}

/** With a service on the same data that updates no tips before it is told to. */
async function watching<T>(testDatabase: TestDatabase, look: (service: TestService) => Promise<T>): Promise<T> {
  const service = await startTestService({ LOG_LEVEL: 'silent' }, testDatabase)
  try {
    return await look(service)
  } finally {
    await service.close()
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 20))
}
