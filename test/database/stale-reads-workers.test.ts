// Several workers while the primary is away: what one of them, or an operator, has ended or written counts in all.

import { rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { newDataFolder } from '../harness/data-folder.ts'
import { type FreezableProxy, freezableProxy } from '../harness/freezable-proxy.ts'
import { startReplicatedPostgres, type TestPostgres } from '../harness/postgres.ts'
import { POLL, withReplayPaused } from '../harness/replica-replay.ts'
import { engine } from '../harness/service.ts'
import { type ServiceWithWorkers, startServiceWithWorkers } from '../harness/workers.ts'

type Ticket = Record<string, string>

/** On connections of their own, which the supervisor hands to the workers in turn. */
const FRESH_READS = 6

describe.runIf(engine === 'postgres')('workers while the primary is away', () => {
  let folder: string
  let primary: TestPostgres
  let replica: TestPostgres
  let way: FreezableProxy
  let service: ServiceWithWorkers

  beforeAll(async () => {
    folder = newDataFolder()
    const servers = await startReplicatedPostgres()
    primary = servers.primary
    replica = servers.replica
    way = await freezableProxy(primary.port)
    const testDatabase = { settings: { DATA_DIR: folder }, remove: async () => {} }
    service = await startServiceWithWorkers(testDatabase, {
      DATABASE_URL: `postgres://paddock@127.0.0.1:${way.port}/postgres`,
      DATABASE_REPLICA_URLS: replica.url,
      DATABASE_REPLICA_MAX_LAG_MS: '60000',
      DATABASE_SILENT_MS: '1500',
      STALE_READS_UP_TO_SECONDS: '600',
    })
  })

  afterAll(async () => {
    way?.thaw()
    service?.child.kill('SIGTERM')
    await service?.ended
    await way?.close()
    await replica?.remove()
    await primary?.remove()
    rmSync(folder, { recursive: true, force: true })
  })

  async function statuses(ticket: Ticket): Promise<number[]> {
    const reads = Array.from({ length: FRESH_READS }, () => service.send('GET', '/v1/profiles/1', ticket))
    return (await Promise.all(reads)).map(({ status }) => status)
  }
  const all = (status: number) => Array.from({ length: FRESH_READS }, () => status)

  test('a log-out in one of them is refused by all, and a write keeps its customer off the replica in all', async () => {
    const [gone, writer, other] = [await service.member(11), await service.member(12), await service.member(13)]
    const ticketOf = ({ ticket }: { ticket: Ticket }) => Object.values(ticket)[0] as string
    // The replica must have the tickets.
    await vi.waitFor(async () => expect(await statuses(other.ticket)).toEqual(all(200)), POLL)
    await new Promise((resolve) => setTimeout(resolve, 500))
    await withReplayPaused(replica, async () => {
      expect((await service.send('DELETE', `/v1/sessions/tickets/${ticketOf(gone)}`)).status).toBe(200)
      expect((await service.send('PUT', '/v1/profiles/me?biography=Mine', writer.ticket)).status).toBe(200)
      way.freeze()
      // Until no worker has the session in its cache.
      await vi.waitFor(async () => expect(await statuses(gone.ticket)).toEqual(all(401)), POLL)
      expect(await statuses(other.ticket)).toEqual(all(200))
      expect(await statuses(writer.ticket)).toEqual(all(503))
      way.thaw()
      await vi.waitFor(async () => expect(await statuses(writer.ticket)).toEqual(all(200)), POLL)
      expect(await statuses(gone.ticket)).toEqual(all(401))
    })
  })
})
