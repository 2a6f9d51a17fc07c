import { expect, vi } from 'vitest'
import { logAt } from '../../src/commands/log-source.ts'
import { catchUp } from '../../src/event-log/projection.ts'
import { type Database, type NoParameters, reading } from '../../src/platform/database/database.ts'
import { tipLogProjection } from '../../src/tip-log/projection.ts'
import { type SeenLog, type Verification, verifyLog } from '../../src/tip-log/verify.ts'
import { positioned } from './notifications.ts'
import type { Json, TestService } from './service.ts'

const lag = reading<NoParameters, { behind: number }>(
  'appenderLag',
  `select (select coalesce(max(position), 0) from event_log) - position as behind from tip_log`,
)

const work = reading<NoParameters, { outcome_id: number }>(
  'outcomesToUpdate',
  'select outcome_id from comment_work limit 1',
)

/** Everything that happened so far is in the log of tips, and every settlement has reached its tips. */
export async function logged(database: Database): Promise<void> {
  await vi.waitFor(async () => expect(await database.one(work, {})).toBeUndefined(), { timeout: 60_000, interval: 20 })
  await positioned(database)
  const upToDate = async () => {
    await catchUp(database, tipLogProjection(Date.now))
    expect(await database.one(lag, {})).toEqual({ behind: 0 })
  }
  await vi.waitFor(upToDate, { timeout: 60_000, interval: 20 })
}

/** Without credentials, as anybody may. */
export async function readLog(service: TestService, path = ''): Promise<Json> {
  const options = { key: null, secret: null, accept: 'application/json' }
  const reply = await service.call('GET', `/v1/communities/log${path}`, options)
  expect([path, reply.status, reply.text]).toEqual([path, 200, expect.any(String)])
  return reply.json().whoLog
}

export async function entriesOf(service: TestService, query = '?count=1000'): Promise<Json[]> {
  return [(await readLog(service, `/entries${query}`)).entry].flat()
}

/** Without patience: nothing is on its way to the log. */
export function verify(service: Pick<TestService, 'publicUrl'>, seen: SeenLog | null = null): Promise<Verification> {
  const patience = { times: 0, pause: async () => {} }
  return verifyLog(logAt(service.publicUrl), { seen, patience, progress: () => {} })
}

/** What the next verification compares with. */
export function seenBy({ checkpoint: { origin, size, root, time }, keys }: Verification): SeenLog {
  return { origin, size, root, time, keys: Object.fromEntries(keys.map(({ id, publicKey }) => [id, publicKey])) }
}
