// The replica is promoted while the primary that the service knows goes on, cut off from it: what is shown, and by whom.

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { listen } from '../harness/event-source.ts'
import { metric } from '../harness/metric.ts'
import { runSql, startReplicatedPostgres, type TestPostgres } from '../harness/postgres.ts'
import { POLL } from '../harness/replica-replay.ts'
import {
  engine,
  newTestDatabase,
  startTestService,
  type TestCustomer,
  type TestDatabase,
  type TestService,
} from '../harness/service.ts'

describe.runIf(engine === 'postgres')('a promotion', () => {
  let first: TestPostgres
  let second: TestPostgres
  let testDatabase: TestDatabase
  let service: TestService
  let star: TestCustomer & { profileId: number }

  beforeEach(async () => {
    const servers = await startReplicatedPostgres()
    first = servers.primary
    second = servers.replica
    testDatabase = await newTestDatabase()
    const hosts = `127.0.0.1:${first.port},127.0.0.1:${second.port}`
    service = await startTestService(
      {
        DATABASE_URL: `postgres://paddock@${hosts}/postgres?target_session_attrs=read-write`,
        DATABASE_REPLICA_URLS: `${first.url},${second.url}`,
        STALE_READS_UP_TO_SECONDS: '600',
      },
      testDatabase,
    )
    star = await service.member()
    await vi.waitFor(() => expect(stale().ageMs()).toBeLessThan(1_000), POLL)
  })

  afterEach(async () => {
    await service?.close()
    await testDatabase?.remove()
    await second?.remove()
    await first?.remove()
  })

  const stale = () =>
    service.context.replicas?.stale as NonNullable<NonNullable<TestService['context']['replicas']>['stale']>
  const write = async (text: string) => {
    const reply = await service.call('PUT', `/v1/profiles/me?biography=${text}`, { ticket: star.ticket })
    return { status: reply.status, position: reply.headers.get('x-write-position') as string }
  }
  const read = (headers: Record<string, string> = {}) =>
    service.call('GET', `/v1/profiles/${star.profileId}`, { accept: 'application/json', headers })
  const biographyOf = (reply: { json: () => { whoProfiles: { profile: { biography: string } }[] } }) =>
    reply.json().whoProfiles[0]?.profile.biography
  const untilReplicated = (text: string) =>
    vi.waitFor(() => runSql(second.url, `select 1 / count(*) from profile where biography = '${text}'`), POLL)

  const severalBeats = async () => {
    const beat = stale().watch.lastBeat()?.number ?? 0
    await vi.waitFor(() => expect(stale().watch.lastBeat()?.number).toBeGreaterThan(beat + 2), POLL)
  }

  test('a replica on a newer timeline proves that the known primary is a former one: it is cut off and never read again', async () => {
    expect((await write('kept')).status).toBe(200)
    await untilReplicated('kept')
    await runSql(second.url, 'select pg_promote()')
    // The past goes on at the former primary, and nobody may see it.
    await runSql(first.url, `update profile set biography = 'of the past' where id = ${star.profileId}`)
    await vi.waitFor(async () => expect((await write('new')).status).toBe(200), POLL)
    for (let round = 0; round < 20; round++) expect(biographyOf(await read())).toBe('new')
    expect(stale().watch.isAway()).toBe(false)
    expect(stale().watch.timeline()).toBe(2)
    expect(service.logged()).toMatch(/the primary is away: a server is on timeline 2/)
  })

  test('the promoted server answers reads until the service writes to it, and none is lost', async () => {
    expect((await write('kept')).status).toBe(200)
    await untilReplicated('kept')
    await first.stop('SIGKILL')
    const statuses = new Set<number>()
    const reading = (async () => {
      while (!stale().watch.isAway()) statuses.add((await read()).status)
      while (stale().watch.isAway()) statuses.add((await read()).status)
    })()
    await vi.waitFor(() => expect(stale().watch.isAway()).toBe(true), POLL)
    await runSql(second.url, 'select pg_promote()')
    await vi.waitFor(async () => expect((await write('new')).status).toBe(200), POLL)
    await reading
    expect([...statuses]).toEqual([200])
    expect(biographyOf(await read())).toBe('new')
  })

  test('a history without the last heartbeat that was answered is not shown; what it lost is reported', async () => {
    const stream = listen(service.publicUrl, star)
    try {
      await stream.greeted()
      expect((await write('kept')).status).toBe(200)
      await untilReplicated('kept')
      await vi.waitFor(() => expect(service.context.replicas?.leftOut()).toHaveLength(1), POLL)
      await second.stop()
      // Heartbeats before the write and after it, which only the first server has.
      await severalBeats()
      const lost = await write('lost')
      await severalBeats()
      await first.stop('SIGKILL')
      await vi.waitFor(() => expect(stale().watch.isAway()).toBe(true), POLL)
      await second.start()
      await runSql(second.url, 'select pg_promote()')
      await vi.waitFor(async () => expect((await write('new')).status).toBe(200), POLL)
      await vi.waitFor(() => expect(metric(service.context.metrics.render(), 'paddock_history_lost')).toBe(1), POLL)
      const reply = await read({ 'x-write-position': lost.position })
      expect([biographyOf(reply), reply.headers.get('x-write-position')]).toEqual(['new', 'lost'])
      await vi.waitFor(() => expect(stream.greetings()).toContain('reset'), POLL)
    } finally {
      stream.close()
    }
  })
})
