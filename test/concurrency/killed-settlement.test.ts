// A settlement of many tips, and the process killed while it grades them: after a restart everything is updated, and each
// tip is in the record of its author once.

import { expect, test } from 'vitest'
import { readConfig } from '../../src/platform/config/config.ts'
import { openDatabase } from '../../src/platform/configured-database.ts'
import { type NoParameters, reading } from '../../src/platform/database/database.ts'
import { brokenInvariants } from '../harness/community-invariants.ts'
import { outcomeWithTipsters, priceOfTipster } from '../harness/outcome-with-tips.ts'
import {
  callOperator,
  newTestDatabase,
  OPERATOR_TOKEN,
  startTestService,
  type TestDatabase,
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

test('a killed settlement is finished after a restart', { timeout: TIPS * 50 }, async () => {
  const testDatabase = await newTestDatabase()
  // No service, which would finish what the killed one leaves.
  const database = openDatabase(readConfig(testDatabase.settings))
  try {
    const outcome = await outcomeWithTipsters(testDatabase, TIPS)
    const process = await startProcess(testDatabase)
    const url = /operator listener is on (\S+)/.exec(process.output())?.[1] as string
    const path = `/operator/v1/markets/${outcome.marketId}/settlement`
    const { status } = await callOperator(url, 'POST', path, { body: { results: { [outcome.id]: 'win' } } })
    expect(status).toBe(200)
    while ((await database.one(graded, {}))?.tips === 0) await pause()
    await process.kill()
    expect((await database.one(graded, {}))?.tips).toBeLessThan(TIPS)

    const service = await startTestService({ LOG_LEVEL: 'silent' }, testDatabase)
    try {
      while (((await database.one(stillToFollow, {}))?.count ?? 0) > 0) await pause()
      const profits = Array.from({ length: TIPS }, (_, index) => {
        const { num, den } = priceOfTipster(index + 1)
        return Math.round((num * 1e6) / den)
      })
      expect(await database.one(graded, {})).toEqual({
        tips: TIPS,
        withdrawn: TIPS / 10,
        profit: profits.reduce((sum, profit) => sum + profit),
      })
      expect(await brokenInvariants(database)).toEqual({})
    } finally {
      await service.close()
    }
  } finally {
    await database.close()
    await testDatabase.remove()
  }
})

function startProcess({ settings }: TestDatabase): Promise<Process> {
  return run(paddockProgram, ['serve'], {
    PORT: '0',
    OPERATOR_PORT: '0',
    SANDBOX_SEED: 'off',
    OPERATOR_TOKEN,
    ...settings,
  })
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 20))
}
