// The primary is lost and its replica promoted, as a cluster manager does it, under a running service.

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { DatabaseUnavailable } from '../../src/platform/database/database.ts'
import { runSql, startReplicatedPostgres, type TestPostgres } from '../harness/postgres.ts'
import { POLL } from '../harness/replica-replay.ts'
import { engine, newTestDatabase, startTestService, type TestDatabase, type TestService } from '../harness/service.ts'

describe.runIf(engine === 'postgres')('failover', () => {
  let first: TestPostgres
  let second: TestPostgres
  let testDatabase: TestDatabase
  let service: TestService

  beforeAll(async () => {
    const servers = await startReplicatedPostgres()
    first = servers.primary
    second = servers.replica
    testDatabase = await newTestDatabase()
    const hosts = `127.0.0.1:${first.port},127.0.0.1:${second.port}`
    service = await startTestService(
      {
        DATABASE_URL: `postgres://paddock@${hosts}/postgres?target_session_attrs=read-write`,
        DATABASE_REPLICA_URLS: `postgres://paddock@${hosts}/postgres`,
      },
      testDatabase,
    )
  })

  afterAll(async () => {
    await service?.close()
    await testDatabase?.remove()
    await second?.remove()
    await first?.remove()
  })

  const ready = async () => {
    const reply = await fetch(`${service.operatorUrl}/health/ready`)
    return { code: reply.status, ...((await reply.json()) as { status: string; leftOut?: string[] }) }
  }
  const metric = (name: string) => new RegExp(`^${name} (\\d+)$`, 'm').exec(service.context.metrics.render())?.[1]
  const writes = async (ticket: string, text: string) =>
    (await service.call('PUT', `/v1/profiles/me?biography=${text}`, { ticket })).status
  const biography = async (id: number) =>
    (await service.call('GET', `/v1/profiles/${id}`, { accept: 'application/json' })).json().whoProfiles[0].profile
      .biography

  test('a start waits for the database, as long as it is told to', async () => {
    await second.stop()
    const start = (DATABASE_WAIT_SECONDS: string) =>
      startTestService({ DATABASE_URL: second.url, DATABASE_WAIT_SECONDS }, testDatabase)
    await expect(start('0')).rejects.toThrow(DatabaseUnavailable)
    // A standby takes no writes: this waits longer than the server takes to start.
    await Promise.all([second.start(), expect(start('2')).rejects.toThrow(/read-only/)])
  })

  test('while all synchronous standbys are away, reads are answered, writes get 503, and readiness says so', async () => {
    const star = await service.member()
    // So that the next use of the ticket is stored.
    await runSql(first.url, 'update session set used_at = used_at - 60000')
    await runSql(first.url, `alter system set synchronous_standby_names = 'nobody'`)
    await runSql(first.url, 'select pg_reload_conf()')
    const waiting = writes(star.ticket, 'waits')
    await vi.waitFor(async () => expect(await ready()).toMatchObject({ code: 503 }), POLL)
    expect((await ready()).status).toBe('database takes no writes')
    expect(metric('paddock_database_unwritable')).toBe('1')
    expect(await writes(star.ticket, 'fails')).toBe(503)
    expect((await service.call('GET', `/v1/profiles/${star.profileId}`, { ticket: star.ticket })).status).toBe(200)
    expect(await waiting).toBe(503)
    const used = await service.context.sessions?.ofCustomer(star.id)
    expect(used?.[0]?.lastUsedAt).toBeGreaterThan(used?.[0]?.createdAt as number)
    await runSql(first.url, 'alter system reset synchronous_standby_names')
    await runSql(first.url, 'select pg_reload_conf()')
    await vi.waitFor(async () => expect((await ready()).code).toBe(200), POLL)
    expect(await writes(star.ticket, 'again')).toBe(200)
  })

  test('a primary that is read-only is not ready, and is still read', async () => {
    const star = await service.member()
    await runSql(first.url, 'alter system set default_transaction_read_only = on')
    await runSql(first.url, 'select pg_reload_conf()')
    await vi.waitFor(async () => expect((await ready()).status).toBe('database takes no writes'), POLL)
    expect(await writes(star.ticket, 'fails')).toBe(503)
    expect((await service.call('GET', `/v1/profiles/${star.profileId}`)).status).toBe(200)
    await runSql(first.url, 'alter system reset default_transaction_read_only')
    await runSql(first.url, 'select pg_reload_conf()')
    await vi.waitFor(async () => expect(await writes(star.ticket, 'works')).toBe(200), POLL)
    await vi.waitFor(async () => expect((await ready()).code).toBe(200), POLL)
  })

  test('the service follows the new primary, reports lost history, and never reads a server that diverged', async () => {
    const star = await service.member()
    await vi.waitFor(
      async () => expect((await ready()).leftOut).toEqual(['replica 1: it is not a replica: it takes writes itself']),
      POLL,
    )
    expect(await writes(star.ticket, 'kept')).toBe(200)
    await vi.waitFor(async () => expect(await biography(star.profileId)).toBe('kept'), POLL)
    await second.stop()
    // Only the first server has these writes. It is ahead of the second for ever.
    expect(await writes(star.ticket, 'lost')).toBe(200)
    await runSql(first.url, 'create table ahead as select generate_series(1, 200000) as number')
    // Longer than the pause between heartbeats.
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    await first.stop('SIGKILL')
    await second.start()
    expect(metric('paddock_history_lost')).toBe('0')
    await runSql(second.url, 'select pg_promote()')
    await vi.waitFor(async () => expect(await writes(star.ticket, 'new')).toBe(200), POLL)
    await vi.waitFor(() => expect(metric('paddock_history_lost')).toBe('1'), POLL)
    await first.start(second.port)
    await vi.waitFor(
      async () =>
        expect((await ready()).leftOut).toEqual([
          expect.stringMatching(/^replica 1: it has not followed the primary to its timeline 2: its own is 1/),
          'replica 2: it is not a replica: it takes writes itself',
        ]),
      POLL,
    )
    for (let round = 0; round < 20; round++) {
      expect(await writes(star.ticket, `round${round}`)).toBe(200)
      expect(await biography(star.profileId)).toBe(`round${round}`)
    }
  })
})
