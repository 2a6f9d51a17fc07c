// A settlement of many tips, and the process killed as soon as it has answered.

import { spawn } from 'node:child_process'
import { expect, test } from 'vitest'
import { statement } from '../../src/database/database.ts'
import { brokenInvariants } from '../harness/community-invariants.ts'
import { newPlace, OPERATOR_TOKEN, type Place, startTestService } from '../harness/service.ts'
import { newMatch, type TestOutcome } from '../harness/sportsbook.ts'

const TIPS = 20_000
const main = new URL('../../src/main.ts', import.meta.url).pathname
const stillToFollow = statement<[], { count: number }>('stillToFollow', 'select count(*) as count from comment_work')

test('a killed settlement is finished after a restart', async () => {
  const place = await newPlace()
  try {
    const outcome = await withManyTips(place)
    await settleAndDie(place, outcome)
    const service = await startTestService({ LOG_LEVEL: 'silent' }, place)
    try {
      const { database } = service.context
      while (((await database.one(stillToFollow, []))?.count ?? 0) > 0) await pause()
      expect(await brokenInvariants(database)).toEqual({})
    } finally {
      await service.close()
    }
  } finally {
    await place.remove()
  }
})

async function withManyTips(place: Place): Promise<TestOutcome> {
  const service = await startTestService({ LOG_LEVEL: 'silent' }, place)
  try {
    const [outcome] = (await newMatch(service)) as [TestOutcome]
    const { profileId } = await service.member()
    const { database } = service.context
    await database.script(`
      insert into comment (author_id, outcome_id, sport_id, bet_id, starting_price, text, created_at, sooner)
      with recursive n (i) as (select 1 union all select i + 1 from n where i < ${TIPS})
      select ${profileId}, ${outcome.id}, ${outcome.sportId}, i, 0, 'tip', i, 1 from n;
      update comment set sooner = (select -start_time from event where id = ${outcome.eventId});
      insert into comment_count (comment_id, author_id, outcome_id, sport_id, listed)
      select id, author_id, outcome_id, sport_id, listed from comment;
      update profile_count set num_live = ${TIPS} where profile_id = ${profileId};
      insert into outcome_count (outcome_id, num_live) values (${outcome.id}, ${TIPS})`)
    expect(await brokenInvariants(database)).toEqual({})
    return outcome
  } finally {
    await service.close()
  }
}

async function settleAndDie(place: Place, outcome: TestOutcome): Promise<void> {
  const environment = { PORT: '0', OPERATOR_PORT: '0', SANDBOX_SEED: 'off', OPERATOR_TOKEN, ...place.settings }
  const child = spawn(process.execPath, [main, 'serve'], { env: { PATH: process.env.PATH, ...environment } })
  try {
    const url = await new Promise<string>((resolve, reject) => {
      let said = ''
      child.stdout.on('data', (chunk) => {
        said += chunk
        const found = /operator's side is on (\S+)/.exec(said)?.[1]
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
