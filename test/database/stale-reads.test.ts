// Reads while the primary is away: a real primary that falls silent, and a real replica.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { responseWriter } from '../../src/http/answers/raw-response.ts'
import { allOperations } from '../../src/operations.ts'
import { DatabaseUnavailable } from '../../src/platform/database/database.ts'
import { expectFault } from '../harness/answers.ts'
import { isEachChange } from '../harness/each-change.ts'
import { listen } from '../harness/event-source.ts'
import { metric } from '../harness/metric.ts'
import { runSql } from '../harness/postgres.ts'
import { POLL, withReplayPaused as paused } from '../harness/replica-replay.ts'
import { type ReplicatedService, startReplicatedService } from '../harness/replicated-service.ts'
import { type CallOptions, engine, type TestCustomer, type TestService } from '../harness/service.ts'
import { newMatch, newTip, operatorOk } from '../harness/sportsbook.ts'

const NEVER_STALE = [
  'checkTicket',
  'getDeposit',
  'getLog',
  'getLogConsistency',
  'getLogEntries',
  'getLogKeys',
  'getLogProofs',
  'getMyBalance',
  'getMyDeposits',
  'getMyLimits',
  'getMyStatement',
  'getMyWithdrawals',
  'getPaymentMethodsByGet',
  'getWithdrawal',
  'getWithdrawalOptions',
  'openStream',
]

test('each operation that reads says whether a replica may answer it while the primary is away', () => {
  const reading = allOperations.filter(({ method }) => method === 'GET' || method === 'HEAD')
  expect(reading.filter(({ mayBeStale }) => mayBeStale === undefined).map(({ name }) => name)).toEqual([])
  const never = reading.filter(({ mayBeStale }) => mayBeStale === false).map(({ name }) => name)
  expect(never.sort()).toEqual(NEVER_STALE)
  const writing = allOperations.filter((one) => !reading.includes(one))
  expect(writing.filter(({ mayBeStale }) => mayBeStale !== undefined)).toEqual([])
})

test('an answer of 304 has the age that was set before', async () => {
  const writer = responseWriter({ raw: true })
  const body = { text: 'x', bytes: 1 }
  const server = createServer((_, response) => {
    response.setHeader('x-read-age', '3')
    writer.sendCacheable(response, '"a"', { status: 200, representation: 'json', body, id: 'id' })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const reply = await fetch(address, { headers: { 'if-none-match': '"a"' } })
  expect([reply.status, reply.headers.get('x-read-age')]).toEqual([304, '3'])
  server.close()
})

describe.runIf(engine === 'postgres')('while the primary is away', () => {
  let cluster: ReplicatedService
  let service: TestService
  let star: TestCustomer & { profileId: number }

  beforeAll(async () => {
    cluster = await startReplicatedService({ DATABASE_REPLICA_MAX_LAG_MS: '60000' })
    service = cluster.service
    star = await service.member()
  })
  afterEach(() => cluster.endOthers())
  afterAll(() => cluster?.close())

  /** They wait for seconds. */
  const inAll = test.skipIf(isEachChange)
  const read = (options: CallOptions = {}, at = service) =>
    at.call('GET', `/v1/profiles/${star.profileId}`, { accept: 'application/json', ...options })
  const AGE = expect.stringMatching(/^\d+$/)
  const age = (reply: { headers: Headers }) => reply.headers.get('x-read-age')
  const write = (ticket: string, text = 'written', at = service) =>
    at.call('PUT', `/v1/profiles/me?biography=${text}`, { ticket })
  const withReplayPaused = async (work: () => Promise<void>) => {
    await cluster.caughtUp()
    await paused(cluster.replica, work)
  }

  test('reads are answered by the replica, with their age; with the primary there is none', async () => {
    const reader = await service.member()
    await cluster.caughtUp()
    expect(age(await read({ ticket: reader.ticket }))).toBe(null)
    await cluster.whileAway(async () => {
      const ages: number[] = []
      for (const ticket of [undefined, reader.ticket, undefined]) {
        const reply = await read(ticket === undefined ? {} : { ticket })
        expect([reply.status, age(reply)]).toEqual([200, AGE])
        ages.push(Number(age(reply)))
      }
      expect(ages).toEqual(ages.toSorted((one, other) => one - other))
      expect(ages[0]).toBeGreaterThan(0)
      const fault = await service.call('GET', '/v1/profiles/999999999', {})
      expectFault(fault, '/v1/profiles', 'noProfile', 'id')
      expect(age(fault)).toEqual(AGE)
      const own = await service.call('GET', '/v1/profiles/me', { ticket: reader.ticket })
      expect([own.status, age(own)]).toEqual([200, AGE])
    })
    expect(age(await read({ ticket: reader.ticket }))).toBe(null)
  })

  test('a read that waits for a primary that falls silent is answered by the replica', async () => {
    const other = await cluster.another({ DATABASE_REPLICA_MAX_LAG_MS: '500', DATABASE_SILENT_MS: '500' })
    await cluster.caughtUp(other)
    cluster.way.freeze()
    // Also before it counts as away.
    const replies = await Promise.all(Array.from({ length: 40 }, () => read({}, other)))
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200))
    await cluster.away(other)
    cluster.way.thaw()
    await cluster.back(other)
    await cluster.back()
  })

  inAll('a primary that ends all connections is away too', async () => {
    await cluster.caughtUp()
    cluster.way.freeze()
    cluster.way.cut()
    await cluster.away()
    expect((await read()).status).toBe(200)
    cluster.way.thaw()
    await cluster.back()
  })

  inAll('what may never be stale is 503, and so are writes', async () => {
    const me = await service.member()
    await cluster.caughtUp()
    await cluster.whileAway(async () => {
      const { ticket } = me
      const refused: [string, string][] = [
        ['GET', '/v1/wallets/me/balance'],
        ['GET', '/v1/wallets/me/methods'],
        ['HEAD', `/v1/profiles/${me.profileId}`],
        ['HEAD', `/v1/sessions/tickets/${ticket}`],
        ['GET', '/v1/communities/log'],
        ['GET', '/v1/stream'],
        ['POST', '/v1/sessions/tickets?username=nobody&password=wrong'],
        ['PUT', '/v1/profiles/me?biography=no'],
      ]
      const answers = refused.map(async ([method, path]) => {
        const reply = await service.call(method, path, path.startsWith('/v1/sessions') ? {} : { ticket })
        return [method, path, reply.status, age(reply), reply.headers.get('x-write-position')]
      })
      expect(await Promise.all(answers)).toEqual(refused.map(([method, path]) => [method, path, 503, null, null]))
      expect((await service.operator('GET', `/operator/v1/customers/${me.id}`)).status).toBe(503)
    })
  })

  inAll('who has no profile yet gets 503, because nothing can be created', async () => {
    const { ticket } = await service.customer()
    await cluster.caughtUp()
    await cluster.whileAway(async () => {
      expect((await service.call('GET', '/v1/profiles/me', { ticket })).status).toBe(503)
    })
  })

  inAll('a writer of the last moments waits for the primary and gets 503; others see what was before', async () => {
    const [writer, other] = [await service.member(), await service.member()]
    await withReplayPaused(async () => {
      expect((await write(writer.ticket)).status).toBe(200)
      await cluster.whileAway(async () => {
        expect((await read({ ticket: writer.ticket })).status).toBe(503)
        const reply = await read({ ticket: other.ticket })
        expect([reply.status, age(reply)]).toEqual([200, AGE])
      })
    })
    expect((await read({ ticket: writer.ticket })).status).toBe(200)
  })

  inAll('a write of unknown fate keeps its customer off the replica; one that was never sent does not', async () => {
    const [sent, unsent] = [await service.member(), await service.member()]
    await cluster.caughtUp()
    cluster.way.freeze()
    const lost = write(sent.ticket, 'lost')
    await cluster.away()
    // The connection on which it was sent ends without an answer; no other one can be opened.
    cluster.way.cut()
    expect((await lost).status).toBe(503)
    expect((await write(unsent.ticket, 'unsent')).status).toBe(503)
    expect((await read({ ticket: sent.ticket })).status).toBe(503)
    expect((await read({ ticket: unsent.ticket })).status).toBe(200)
    cluster.way.thaw()
    await cluster.back()
    expect((await read({ ticket: sent.ticket })).status).toBe(200)
  })

  inAll('an operator’s change that is refused ends nobody’s reads; one that was answered binds all', async () => {
    const author = await service.member()
    const [outcome] = await newMatch(service)
    const tip = await newTip(service, author, outcome?.id as number)
    await cluster.caughtUp()
    await cluster.whileAway(async () => {
      const path = `/operator/v1/moderation/comments/${tip}`
      const refused = await service.operator('POST', path, { action: 'remove', note: 'n' })
      expect(refused.status).toBe(503)
      expect((await read()).status).toBe(200)
    })
    await withReplayPaused(async () => {
      await operatorOk(service, 'POST', `/moderation/comments/${tip}`, { action: 'remove', note: 'n' })
      await cluster.whileAway(async () => {
        expect((await service.call('GET', `/v1/communities/comments/${tip}`)).status).toBe(503)
      })
    })
  })

  test('an unknown key, a wrong secret and an unknown ticket are 503, because a replica may lack them', async () => {
    await cluster.caughtUp()
    await cluster.whileAway(async () => {
      service.clock.advance(5_000)
      expect((await read()).status).toBe(200)
      const refused = [{ key: 'nobody' }, { secret: 'wrong' }, { ticket: 'TGT-unknown' }]
      const statuses = await Promise.all(refused.map(async (options) => (await read(options)).status))
      expect(statuses).toEqual([503, 503, 503])
    })
    expect((await read({ ticket: 'TGT-unknown' })).status).toBe(401)
  })

  test('what was ended here is refused, whatever the replica says', async () => {
    const [loggedOut, excluded, other] = await Promise.all([service.member(), service.member(), service.member()])
    await withReplayPaused(async () => {
      await service.call('DELETE', `/v1/sessions/tickets/${loggedOut.ticket}`)
      const timeOut = await service.call('PUT', '/v1/wallets/me/time-out?hours=24', { ticket: excluded.ticket })
      expect(timeOut.status).toBe(200)
      await cluster.whileAway(async () => {
        service.clock.advance(5_000)
        const answers = [loggedOut, excluded, other].map(async ({ ticket }) => (await read({ ticket })).status)
        expect(await Promise.all(answers)).toEqual([401, 503, 200])
      })
    })
  })

  inAll('what an operator has ended is refused too', async () => {
    const suspended = await service.member()
    const gone = await operatorOk(service, 'POST', '/applications', { name: 'Soon gone' })
    const changed = await operatorOk(service, 'POST', '/applications', { name: 'New secret' })
    const as = async ({ apiKey, secret }: { apiKey: string; secret: string }) =>
      (await read({ key: apiKey, secret })).status
    await withReplayPaused(async () => {
      await operatorOk(service, 'PUT', `/customers/${suspended.id}/status`, { status: 'suspended', reason: 'test' })
      await operatorOk(service, 'DELETE', `/applications/${gone.apiKey}`, undefined)
      await operatorOk(service, 'POST', `/applications/${changed.apiKey}/secret`, { graceSeconds: 0 })
      await cluster.whileAway(async () => {
        service.clock.advance(5_000)
        const statuses = [(async () => (await read({ ticket: suspended.ticket })).status)(), as(gone), as(changed)]
        for (const status of await Promise.all(statuses)) expect([401, 503]).toContain(status)
      })
    })
  })

  test('open streams say that they are behind, and go on when the primary is back', async () => {
    const fan = await service.member()
    const stream = listen(service.publicUrl, star)
    try {
      await stream.greeted()
      await cluster.caughtUp()
      await cluster.whileAway(async () => {
        await vi.waitFor(() => expect(stream.received.at(-1)?.type).toBe('behind'), POLL)
        expect(Date.parse(stream.received.at(-1)?.data.since)).not.toBeNaN()
      })
      expect(stream.received.map(({ type }) => type)).toEqual(['ready', 'behind'])
      await service.call('POST', `/v1/profiles/me/followings/${star.profileId}`, { ticket: fan.ticket })
      await vi.waitFor(() => expect(stream.received.at(-1)?.type).toBe('follow.created'), POLL)
    } finally {
      stream.close()
    }
  })

  test('/health/ready means writes, /health/reads says whether reads are answered', async () => {
    const health = async (path: string, at = service) => {
      const reply = await fetch(`${at.operatorUrl}/health/${path}`)
      return [reply.status, ((await reply.json()) as { status: string }).status]
    }
    expect(await health('reads')).toEqual([200, 'reads are answered'])
    await cluster.whileAway(async () => {
      expect(await health('ready')).toEqual([503, 'database unavailable'])
      expect(await health('reads')).toEqual([200, 'reads are answered'])
      expect(metric(service.context.metrics.render(), 'paddock_primary_away')).toBe(1)
    })
    expect(metric(service.context.metrics.render(), 'paddock_primary_away')).toBe(0)
  })

  inAll('beyond the limit reads are 503, and streams end', async () => {
    const strict = await cluster.another({ STALE_READS_UP_TO_SECONDS: '1' })
    await cluster.caughtUp(strict)
    const stream = listen(strict.publicUrl, star)
    try {
      await stream.greeted()
      await cluster.whileAway(async () => {
        await vi.waitFor(async () => expect((await read({}, strict)).status).toBe(503), POLL)
        await vi.waitFor(() => expect(stream.failures.length).toBeGreaterThan(0), POLL)
        const reads = await fetch(`${strict.operatorUrl}/health/reads`)
        expect(reads.status).toBe(503)
        expect((await read()).status).toBe(200)
      }, [service, strict])
    } finally {
      stream.close()
    }
  })

  inAll('a replica that falls silent with the primary is left out for the other one', async () => {
    const both = `${cluster.urlOf(cluster.wayToReplica)},${cluster.replica.url}`
    const other = await cluster.another({ DATABASE_REPLICA_URLS: both })
    await cluster.caughtUp(other)
    cluster.wayToReplica.freeze()
    cluster.way.freeze()
    const replies = await Promise.all(Array.from({ length: 20 }, () => read({}, other)))
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200))
    await cluster.away(other)
    expect((await read({}, other)).status).toBe(200)
    cluster.way.thaw()
    cluster.wayToReplica.thaw()
    await cluster.back(other)
    await cluster.back()
  })

  inAll('a process that starts meanwhile knows no age, and serves nothing', async () => {
    await cluster.whileAway(async () => {
      await expect(cluster.another({ DATABASE_WAIT_SECONDS: '0' })).rejects.toThrow(DatabaseUnavailable)
    })
  })

  inAll('probes go to DATABASE_PROBE_URL: a pool that hangs does not make the primary silent', async () => {
    const other = await cluster.another({ DATABASE_PROBE_URL: cluster.primary.url })
    await cluster.whileAway(async () => {
      expect(other.context.replicas?.stale?.watch.isAway()).toBe(false)
    })
  })

  inAll('a primary that is read-only answers reads itself, without an age', async () => {
    await runSql(cluster.primary.url, 'alter system set default_transaction_read_only = on')
    await runSql(cluster.primary.url, 'select pg_reload_conf()')
    const ready = async () => (await fetch(`${service.operatorUrl}/health/ready`)).status
    await vi.waitFor(async () => expect(await ready()).toBe(503), POLL)
    const reply = await read({ ticket: star.ticket })
    expect([reply.status, age(reply)]).toEqual([200, null])
    expect(service.context.replicas?.stale?.watch.isAway()).toBe(false)
    await runSql(cluster.primary.url, 'alter system reset default_transaction_read_only')
    await runSql(cluster.primary.url, 'select pg_reload_conf()')
    await vi.waitFor(async () => expect(await ready()).toBe(200), POLL)
  })

  inAll('without the setting nothing is stale, and answers have neither header', async () => {
    const plain = await cluster.another({ STALE_READS_UP_TO_SECONDS: '0' })
    const reply = await write(star.ticket, 'plain', plain)
    expect([reply.status, reply.headers.get('x-write-position')]).toEqual([200, null])
    expect(plain.context.replicas?.stale).toBe(null)
  })
})
