// Reads on a real streaming replica: a writer sees the write whatever the replica does, and no request fails because of a replica.

import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { allOperations } from '../../src/operations.ts'
import { expectFault } from '../harness/answers.ts'
import { type FreezableProxy, freezableProxy } from '../harness/freezable-proxy.ts'
import { runSql, startReplicatedPostgres, type TestPostgres } from '../harness/postgres.ts'
import { expectOwnWritesSeen } from '../harness/read-your-writes.ts'
import { withReplayDelayed as late, POLL, withReplayPaused as paused } from '../harness/replica-replay.ts'
import {
  engine,
  newTestDatabase,
  type Settings,
  startTestService,
  type TestDatabase,
  type TestService,
} from '../harness/service.ts'
import { newMatch, newTip, operatorOk, settle } from '../harness/sportsbook.ts'

const JSON_TYPE = 'application/json'

describe.runIf(engine === 'postgres')('replicas', () => {
  let primary: TestPostgres
  let replica: TestPostgres
  let way: FreezableProxy
  let testDatabase: TestDatabase
  let service: TestService
  const others: TestService[] = []

  beforeAll(async () => {
    const servers = await startReplicatedPostgres()
    primary = servers.primary
    replica = servers.replica
    way = await freezableProxy(replica.port)
    testDatabase = await newTestDatabase()
    service = await serviceWith({ DATABASE_REPLICA_MAX_LAG_MS: '60000' })
  })

  afterEach(async () => {
    for (const other of others.splice(0)) await other.close()
  })

  afterAll(async () => {
    await service.close()
    await testDatabase.remove()
    await way.close()
    await replica.remove()
    await primary.remove()
  })

  function serviceWith(settings: Settings): Promise<TestService> {
    const DATABASE_REPLICA_URLS = `postgres://paddock@127.0.0.1:${way.port}/postgres`
    return startTestService({ DATABASE_URL: primary.url, DATABASE_REPLICA_URLS, ...settings }, testDatabase)
  }

  async function anotherWith(settings: Settings): Promise<TestService> {
    const other = await serviceWith(settings)
    others.push(other)
    return other
  }

  const onReplica = (sql: string) => runSql(replica.url, sql)
  const withReplayLate = (by: string, work: () => Promise<void>) => late(replica, by, work)

  async function withReplayPaused(work: () => Promise<void>): Promise<void> {
    await caughtUp()
    await paused(replica, work)
  }

  async function profile(id: number, ticket?: string, at = service) {
    const reply = await at.call('GET', `/v1/profiles/${id}`, {
      accept: JSON_TYPE,
      ...(ticket === undefined ? {} : { ticket }),
    })
    expect([reply.status, reply.text]).toEqual([200, reply.text])
    return reply.json().whoProfiles[0].profile
  }

  function readsAt(where: 'primary' | 'replica 1' | 'replica 2', at = service): number {
    const count = new RegExp(`^paddock_reads_total\\{place="${where}"\\} (\\d+)$`, 'm').exec(
      at.context.metrics.render(),
    )
    return Number(count?.[1] ?? 0)
  }

  /** Where the reads of `work` went. */
  async function readBy(work: () => Promise<unknown>, at = service) {
    const [before, beforeThere] = [readsAt('primary', at), readsAt('replica 1', at)]
    await work()
    return { primary: readsAt('primary', at) - before, replica: readsAt('replica 1', at) - beforeThere }
  }

  const AT_REPLICA = { primary: 0, replica: expect.toSatisfy((reads) => reads > 0) }
  const AT_PRIMARY = { primary: expect.toSatisfy((reads) => reads > 0), replica: 0 }

  /** On a busy machine a replica may be skipped for a moment. */
  function soonAtReplica(work: () => Promise<unknown>, at = service): Promise<void> {
    return vi.waitFor(async () => expect(await readBy(work, at)).toEqual(AT_REPLICA), POLL)
  }

  /** The replica serves everybody, with and without a ticket. */
  async function caughtUp(tickets: string[] = []): Promise<void> {
    for (const who of [{}, ...tickets.map((ticket) => ({ ticket }))]) {
      await soonAtReplica(() => service.call('GET', '/v1/profiles/followers/mostFollowed', who))
    }
  }

  async function health(at = service): Promise<{ status: string; leftOut?: string[] }> {
    const reply = await fetch(`${at.operatorUrl}/health/ready`)
    expect(reply.status).toBe(200)
    return reply.json() as never
  }

  const leftOut = (at = service) => vi.waitFor(async () => expect((await health(at)).leftOut).toHaveLength(1), POLL)
  const takenBack = (at = service) =>
    vi.waitFor(async () => expect(await health(at)).toEqual({ status: 'ready' }), POLL)

  test('the replica serves requests that only read, the primary all others', async () => {
    const [fan, star] = [await service.member(), await service.member()]
    await caughtUp([fan.ticket])
    await soonAtReplica(() => profile(star.profileId, fan.ticket))
    const update = () => service.call('PUT', '/v1/profiles/me?biography=Mine', { ticket: fan.ticket })
    expect(await readBy(update)).toEqual(AT_PRIMARY)
    await takenBack()
    expect(service.context.metrics.render()).toMatch(/^paddock_replica_left_out\{replica="1"\} 0$/m)
  })

  test('a writer sees the write while replay is paused; the replica serves others meanwhile', async () => {
    const [fan, other, star] = [await service.member(), await service.member(), await service.member()]
    await caughtUp([fan.ticket, other.ticket])
    await withReplayPaused(async () => {
      await service.call('POST', `/v1/profiles/me/followings/${star.profileId}`, { ticket: fan.ticket })
      const mine = await readBy(async () => {
        expect(await profile(star.profileId, fan.ticket)).toMatchObject({ numFollowers: '1', isFollowed: 'Y' })
      })
      expect(mine).toEqual(AT_PRIMARY)
      await soonAtReplica(async () => {
        expect(await profile(star.profileId, other.ticket)).toMatchObject({ numFollowers: '0' })
        expect(await profile(star.profileId)).toMatchObject({ numFollowers: '0' })
      })
    })
    await caughtUp([fan.ticket])
    await soonAtReplica(async () => {
      expect(await profile(star.profileId, fan.ticket)).toMatchObject({ numFollowers: '1', isFollowed: 'Y' })
    })
  })

  test('a write notice of another process keeps the writer off the replica too', async () => {
    const star = await service.member()
    await caughtUp([star.ticket])
    await withReplayPaused(async () => {
      await service.context.database.script('select pg_logical_emit_message(false, $$test$$, $$a write$$, true)')
      service.context.replicas?.writes.record(star.id)
      expect(await readBy(() => profile(star.profileId, star.ticket))).toEqual(AT_PRIMARY)
      await soonAtReplica(() => profile(star.profileId))
    })
  })

  test('everybody sees an operator’s change at once, also while replay is paused', async () => {
    const author = await service.member()
    const [outcome, second] = await newMatch(service)
    const tip = await newTip(service, author, outcome?.id as number)
    const kept = await newTip(service, author, second?.id as number)
    const read = (id: number) => service.call('GET', `/v1/communities/comments/${id}`)
    await vi.waitFor(async () => expect((await read(kept)).status).toBe(200), POLL)
    await caughtUp()
    await withReplayPaused(async () => {
      await soonAtReplica(async () => expect((await read(tip)).status).toBe(200))
      await operatorOk(service, 'POST', `/moderation/comments/${tip}`, { action: 'remove', note: 'n' })
      expectFault(await read(tip), '/v1/communities', 'noComment', 'id')
      await settle(service, second as never, 'win')
      expect((await read(kept)).text).toContain('<status>W</status>')
      expect(await readBy(() => read(kept))).toEqual(AT_PRIMARY)
    })
    await caughtUp()
    expectFault(await read(tip), '/v1/communities', 'noComment', 'id')
  })

  test('an operator’s answer waits for replicas, so that another process shows it too', async () => {
    const other = await anotherWith({})
    const author = await service.member()
    const [outcome] = await newMatch(service)
    const tip = await newTip(service, author, outcome?.id as number)
    const read = () => other.call('GET', `/v1/communities/comments/${tip}`)
    await soonAtReplica(async () => expect((await read()).status).toBe(200), other)
    await withReplayLate('50ms', async () => {
      await operatorOk(service, 'POST', `/moderation/comments/${tip}`, { action: 'remove', note: 'n' })
      expectFault(await read(), '/v1/communities', 'noComment', 'id')
    })
  })

  test('a revoked key and an ended session are refused everywhere within 5 seconds, also while replay is paused', async () => {
    const other = await anotherWith({})
    const created = await operatorOk(service, 'POST', '/applications', { name: 'Soon gone' })
    const caller = await service.member()
    await withReplayPaused(async () => {
      const byKey = () => other.call('GET', '/v1/profiles/1', { key: created.apiKey, secret: created.secret })
      const byTicket = () => other.call('GET', '/v1/profiles/me', { ticket: caller.ticket })
      expect([(await byKey()).status, (await byTicket()).status]).toEqual([200, 200])
      await operatorOk(service, 'DELETE', `/applications/${created.apiKey}`, undefined)
      await service.call('DELETE', `/v1/sessions/tickets/${caller.ticket}`)
      other.clock.advance(5_000)
      expect([(await byKey()).status, (await byTicket()).status]).toEqual([401, 401])
    })
  })

  test('callers of every operation see their write in the next request, although the replica always lags', async () => {
    await withReplayLate('300ms', async () => {
      const called = await expectOwnWritesSeen(service)
      const writing = allOperations.filter((operation) => operation.method !== 'GET')
      expect(called.sort()).toEqual(writing.map((operation) => operation.name).sort())
    })
  })

  /** Sends requests of many clients until `work` is done; returns the unexpected answers. */
  async function failuresDuring(work: (everybodyGoesOn: () => Promise<void>) => Promise<void>): Promise<string[]> {
    const star = await service.member()
    const fans = await Promise.all(Array.from({ length: 8 }, () => service.member()))
    const path = `/v1/profiles/me/followings/${star.profileId}`
    const failures: string[] = []
    const rounds = fans.map(() => 0)
    let running = true
    const load = fans.map(async ({ ticket }, fan) => {
      for (let round = 0; running; round++) {
        rounds[fan] = round
        const written = await service.call(round % 2 === 0 ? 'POST' : 'DELETE', path, { ticket })
        if (written.status > 204) failures.push(`${written.status} ${written.text}`)
        const seen = await profile(star.profileId, ticket).catch((error) => ({ isFollowed: `${error}` }))
        if (seen.isFollowed !== (round % 2 === 0 ? 'Y' : 'N')) failures.push(`round ${round}: ${seen.isFollowed}`)
        await profile(star.profileId).catch((error) => failures.push(`${error}`))
      }
    })
    const everybodyGoesOn = () => {
      const before = [...rounds]
      return vi.waitFor(
        () => expect(rounds.every((round, fan) => round > (before[fan] as number) + 1)).toBe(true),
        POLL,
      )
    }
    await work(everybodyGoesOn).finally(() => {
      running = false
    })
    await Promise.all(load)
    return failures
  }

  test('no request fails when a replica is killed under load; it is skipped, and used again after its restart', async () => {
    await caughtUp()
    const failures = await failuresDuring(async (everybodyGoesOn) => {
      const reads = readsAt('replica 1')
      await vi.waitFor(() => expect(readsAt('replica 1')).toBeGreaterThan(reads), POLL)
      await replica.stop('SIGQUIT')
      await leftOut()
      expect(service.context.metrics.render()).toMatch(/^paddock_replica_left_out\{replica="1"\} 1$/m)
      await everybodyGoesOn()
      await replica.start()
      await takenBack()
    })
    expect(failures).toEqual([])
    await caughtUp()
    expect(service.logged()).toMatch(/"replica 1 \(127\.0\.0\.1:\d+\) is not used: [^"]+; its reads go to the primary"/)
    expect(service.logged()).toMatch(/"replica 1 \(127\.0\.0\.1:\d+\) is in use"/)
  })

  test('no request fails when a replica cancels a read that conflicts with its replay', async () => {
    await caughtUp()
    const theReads = `from pg_stat_activity where application_name like 'paddock %' and state = 'active'`
    const failures = await failuresDuring(async (everybodyGoesOn) => {
      for (let round = 0; round < 20; round++) await onReplica(`select pg_cancel_backend(pid) ${theReads}`)
      await onReplica(`select pg_terminate_backend(pid) ${theReads.replace(/ and state.*/, '')}`)
      await everybodyGoesOn()
    })
    expect(failures).toEqual([])
  })

  test('no request fails when a replica hangs under load', async () => {
    await caughtUp()
    const failures = await failuresDuring(async (everybodyGoesOn) => {
      way.freeze()
      await leftOut()
      await everybodyGoesOn()
      way.thaw()
      await takenBack()
    })
    expect(failures).toEqual([])
    await caughtUp()
  })

  test('readers are spread over replicas, and those of a lost one move to the others', async () => {
    const both = `postgres://paddock@127.0.0.1:${way.port}/postgres,${replica.url}`
    const other = await anotherWith({ DATABASE_REPLICA_URLS: both })
    const readers = [await other.member(), await other.member()]
    const readAll = async () => {
      const [one, two] = [readsAt('replica 1', other), readsAt('replica 2', other)]
      for (const { profileId, ticket } of readers) await profile(profileId, ticket, other)
      return { one: readsAt('replica 1', other) - one, two: readsAt('replica 2', other) - two }
    }
    await vi.waitFor(async () => expect(await readAll()).toEqual({ one: 1, two: 1 }), POLL)
    way.freeze()
    await leftOut(other)
    await vi.waitFor(async () => expect(await readAll()).toEqual({ one: 0, two: 2 }), POLL)
    way.thaw()
    await takenBack(other)
    await takenBack()
  })

  test('a replica that lags too far is skipped for everybody until it has caught up', async () => {
    const strict = await anotherWith({ DATABASE_REPLICA_MAX_LAG_MS: '500' })
    const star = await service.member()
    await withReplayPaused(async () => {
      await service.call('PUT', '/v1/profiles/me?biography=News', { ticket: star.ticket })
      const behind = ['replica 1: it is more than 500 ms behind']
      await vi.waitFor(async () => expect((await health(strict)).leftOut).toEqual(behind), POLL)
      const read = async () =>
        expect(await profile(star.profileId, undefined, strict)).toMatchObject({ biography: 'News' })
      expect(await readBy(read, strict)).toEqual(AT_PRIMARY)
    })
    await takenBack(strict)
  })

  test('a server that is no replica of this database is never read', async () => {
    const elsewhere = replica.url.replace(/postgres$/, 'template1')
    const other = await anotherWith({ DATABASE_REPLICA_URLS: `${primary.url}, ${elsewhere}` })
    const reasons = [
      'replica 1: it is not a replica: it takes writes itself',
      'replica 2: it has no heartbeat of the database in DATABASE_URL',
    ]
    await vi.waitFor(async () => expect((await health(other)).leftOut).toEqual(reasons), POLL)
    const star = await service.member()
    expect(await readBy(() => profile(star.profileId, undefined, other), other)).toEqual(AT_PRIMARY)
  })
})
