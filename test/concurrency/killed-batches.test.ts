// A process that is killed while it writes likes, follows and tips in batches: whatever it answered is stored, with its count and its event,
// and of a batch either everything is stored or nothing.

import { expect, test } from 'vitest'
import { type NoParameters, reading } from '../../src/platform/database/database.ts'
import { brokenInvariants } from '../harness/community-invariants.ts'
import { positioned } from '../harness/notifications.ts'
import { call, newTestDatabase, OPERATOR_TOKEN, startTestService, type TestDatabase } from '../harness/service.ts'
import { paddockProgram } from '../harness/service-program.ts'
import { newBet, newMatch, newTip, type TestOutcome } from '../harness/sportsbook.ts'
import { type Process, run } from '../torture/processes.ts'

const FANS = 30
const TIPS = 3
const KILLS = 3

const written = reading<NoParameters, { line: string }>(
  'testWritten',
  `select 'like ' || profile_id || ' ' || comment_id as line from comment_like
   union all select 'follow ' || follower_id || ' ' || followee_id from follow
   union all select 'tip ' || author_id || ' ' || bet_id from comment`,
)
const reported = reading<NoParameters, { line: string }>(
  'testReported',
  `select case kind when 'like.created' then 'like ' else 'follow ' end
     || replace(replace(data, '{"byProfileId":"', ''), '"}', '') || ' ' || subject_id as line
   from event_log where kind in ('like.created', 'follow.created')
   union all select 'tip ' || e.profile_id || ' ' || c.bet_id
   from event_log e join comment c on cast(c.id as text) = e.subject_id where e.kind = 'tip.created'`,
)

test('a killed process has stored all that it answered, each with one event', { timeout: 240_000 }, async () => {
  const testDatabase = await newTestDatabase()
  try {
    const requests = await newRequests(testDatabase)
    const answered: string[] = []
    for (let kill = 1; kill <= KILLS; kill++) {
      const process = await startProcess(testDatabase)
      const url = /listens on (\S+)/.exec(process.output())?.[1] as string
      let killing: Promise<void> | undefined
      const enough = answered.length + requests.size / (KILLS + 2)
      const sending = [...requests].map(async ([line, { path, ticket }]) => {
        const reply = await call(url, 'POST', path, { ticket }).catch(() => null)
        if (reply === null || reply.status >= 300) return
        answered.push(line)
        requests.delete(line)
        if (answered.length >= enough) killing ??= process.kill()
      })
      await Promise.all(sending)
      await killing
      expect(answered.length).toBeGreaterThanOrEqual(enough)
      await check(testDatabase, answered)
    }
  } finally {
    await testDatabase.remove()
  }
})

type Requests = Map<string, { path: string; ticket: string }>

async function newRequests(testDatabase: TestDatabase): Promise<Requests> {
  const service = await startTestService({ LOG_LEVEL: 'silent', BET_CHECK: 'trust' }, testDatabase)
  try {
    const author = await service.member()
    const [outcome] = (await newMatch(service)) as [TestOutcome]
    const tips: number[] = []
    for (let count = 0; count < TIPS; count++) tips.push(await newTip(service, author, outcome.id))
    const requests: Requests = new Map()
    for (let count = 0; count < FANS; count++) {
      const { id: customerId, profileId, ticket } = await service.member()
      const { profileId: id } = author
      requests.set(`follow ${profileId} ${id}`, { path: `/v1/profiles/me/followings/${id}`, ticket })
      for (const tip of tips) {
        requests.set(`like ${profileId} ${tip}`, { path: `/v1/communities/comments/${tip}/like`, ticket })
      }
      const betId = await newBet(service, customerId, [outcome.id])
      const path = `/v1/communities/comments/me/outcomes/${outcome.id}?betId=${betId}&text=A+fine+price`
      requests.set(`tip ${profileId} ${betId}`, { path, ticket })
    }
    return requests
  } finally {
    await service.close()
  }
}

async function check(testDatabase: TestDatabase, answered: readonly string[]): Promise<void> {
  const service = await startTestService({ LOG_LEVEL: 'silent' }, testDatabase)
  try {
    const { database } = service.context
    await positioned(database)
    const rows = (await database.query(written, {})).map(({ line }) => line).sort()
    const events = (await database.query(reported, {})).map(({ line }) => line).sort()
    expect(events).toEqual(rows)
    expect(answered.filter((line) => !rows.includes(line))).toEqual([])
    expect(await brokenInvariants(database)).toEqual({})
  } finally {
    await service.close()
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
