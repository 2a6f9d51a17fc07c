// A settlement of many tips, and the process killed as soon as it has answered.

import { spawn } from 'node:child_process'
import { expect, test } from 'vitest'
import { type NoParameters, reading } from '../../src/database/database.ts'
import { brokenInvariants } from '../harness/community-invariants.ts'
import { outcomeWithTips } from '../harness/outcome-with-tips.ts'
import { newTestDatabase, OPERATOR_TOKEN, startTestService, type TestDatabase } from '../harness/service.ts'
import type { TestOutcome } from '../harness/sportsbook.ts'

const TIPS = 20_000
const main = new URL('../../src/main.ts', import.meta.url).pathname
const stillToFollow = reading<NoParameters, { count: number }>(
  'stillToFollow',
  'select count(*) as count from comment_work',
)

test('a killed settlement is finished after a restart', async () => {
  const testDatabase = await newTestDatabase()
  try {
    const outcome = await outcomeWithTips(testDatabase, TIPS)
    await settleAndDie(testDatabase, outcome)
    const service = await startTestService({ LOG_LEVEL: 'silent' }, testDatabase)
    try {
      const { database } = service.context
      while (((await database.one(stillToFollow, {}))?.count ?? 0) > 0) await pause()
      expect(await brokenInvariants(database)).toEqual({})
    } finally {
      await service.close()
    }
  } finally {
    await testDatabase.remove()
  }
})

async function settleAndDie(testDatabase: TestDatabase, outcome: TestOutcome): Promise<void> {
  const environment = { PORT: '0', OPERATOR_PORT: '0', SANDBOX_SEED: 'off', OPERATOR_TOKEN, ...testDatabase.settings }
  const child = spawn(process.execPath, [main, 'serve'], { env: { PATH: process.env.PATH, ...environment } })
  try {
    const url = await new Promise<string>((resolve, reject) => {
      let output = ''
      child.stdout.on('data', (chunk) => {
        output += chunk
        const found = /operator listener is on (\S+)/.exec(output)?.[1]
        if (found !== undefined) resolve(found)
      })
      child.once('exit', () => reject(new Error(output)))
    })
    const response = await fetch(`${url}/operator/v1/markets/${outcome.marketId}/settlement`, {
      method: 'POST',
      headers: { authorization: `Bearer ${OPERATOR_TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify({ results: { [outcome.id]: 'win' } }),
    })
    expect(response.status).toBe(200)
  } finally {
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    await ended
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 50))
}
