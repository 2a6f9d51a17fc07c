// A settlement of many tips, and the process killed as soon as it has answered.

import { spawn } from 'node:child_process'
import { expect, test } from 'vitest'
import { type NoParameters, reading } from '../../src/database/database.ts'
import { brokenInvariants } from '../harness/community-invariants.ts'
import { outcomeWithTips } from '../harness/outcome-with-tips.ts'
import { newPlace, OPERATOR_TOKEN, type Place, startTestService } from '../harness/service.ts'
import type { TestOutcome } from '../harness/sportsbook.ts'

const TIPS = 20_000
const main = new URL('../../src/main.ts', import.meta.url).pathname
const stillToFollow = reading<NoParameters, { count: number }>(
  'stillToFollow',
  'select count(*) as count from comment_work',
)

test('a killed settlement is finished after a restart', async () => {
  const place = await newPlace()
  try {
    const outcome = await outcomeWithTips(place, TIPS)
    await settleAndDie(place, outcome)
    const service = await startTestService({ LOG_LEVEL: 'silent' }, place)
    try {
      const { database } = service.context
      while (((await database.one(stillToFollow, {}))?.count ?? 0) > 0) await pause()
      expect(await brokenInvariants(database)).toEqual({})
    } finally {
      await service.close()
    }
  } finally {
    await place.remove()
  }
})

async function settleAndDie(place: Place, outcome: TestOutcome): Promise<void> {
  const environment = { PORT: '0', OPERATOR_PORT: '0', SANDBOX_SEED: 'off', OPERATOR_TOKEN, ...place.settings }
  const child = spawn(process.execPath, [main, 'serve'], { env: { PATH: process.env.PATH, ...environment } })
  try {
    const url = await new Promise<string>((resolve, reject) => {
      let said = ''
      child.stdout.on('data', (chunk) => {
        said += chunk
        const found = /operator listener is on (\S+)/.exec(said)?.[1]
        if (found !== undefined) resolve(found)
      })
      child.once('exit', () => reject(new Error(said)))
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
