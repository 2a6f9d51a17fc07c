// Several worker processes behind one port, as an operator runs them.

import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../src/platform/config/config.ts'
import { openDatabase } from '../../src/platform/configured-database.ts'
import { type NoParameters, writing } from '../../src/platform/database/database.ts'
import { createLog } from '../../src/platform/observability/log.ts'
import { createMetrics } from '../../src/platform/observability/metrics.ts'
import { startWorker } from '../../src/service.ts'
import { metric } from '../harness/metric.ts'
import { engine, newTestDatabase, type TestDatabase } from '../harness/service.ts'
import { isAlive, type ServiceWithWorkers, startServiceWithWorkers, waitUntil } from '../harness/workers.ts'

let testDatabase: TestDatabase
let service: ServiceWithWorkers

beforeAll(async () => {
  testDatabase = await newTestDatabase()
  service = await startServiceWithWorkers(testDatabase)
})
afterAll(async () => {
  service.child.kill('SIGKILL')
  await service.ended
  await waitUntil(() => !service.pids().some(isAlive))
  await testDatabase.remove()
})

const READ = 'paddock_requests_total{operation="getProfile",status="200",fault=""}'
const CAPTURED = 'paddock_deposit_jobs_total{kind="capture",outcome="captured"}'
const requestLines = (operation: string) => service.lines().filter((line) => line.operation === operation)
/** The log is written in batches, shortly after the events. */
async function bothPids(): Promise<[number, number]> {
  await waitUntil(() => service.pids().filter(isAlive).length === 2)
  return service.pids().filter(isAlive) as [number, number]
}
const times = <T>(count: number, work: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, i) => work(i)))

describe('two workers', () => {
  test('share the port; their metrics are summed, and each line is logged once', async () => {
    expect(await service.ready()).toEqual({ status: 'ready', workers: { up: 2, wanted: 2 } })
    const { profileId } = await service.member(1)
    const replies = await times(20, () => service.send('GET', `/v1/profiles/${profileId}`))
    expect(replies.map((reply) => reply.status)).toEqual(new Array(20).fill(200))
    await waitUntil(() => requestLines('getProfile').length >= 20)
    expect(requestLines('getProfile')).toHaveLength(20)
    expect(new Set(requestLines('getProfile').map((line) => line.worker))).toEqual(new Set([1, 2]))
    const metrics = await service.metrics()
    expect(metric(metrics, READ)).toBe(20)
    expect(metric(metrics, 'paddock_request_seconds_count{operation="getProfile"}')).toBe(20)
    expect(metric(metrics, 'paddock_workers{state="answered"}')).toBe(2)
  })

  test('are shown in the health of the service, with what they served together', async () => {
    const health = await service.operatorOk('GET', '/health')
    const pids = health.processes.map(({ pid }: { pid: number }) => pid)
    expect(pids.sort()).toEqual([...(await bothPids())].sort())
    expect(health.processes).toMatchObject([1, 2].map(() => ({ doing: 'serving', memoryBytes: expect.any(Number) })))
    expect(health.operations.find(({ name }: { name: string }) => name === 'getProfile').count).toBe(20)
    // Looking at them does not change what a scraper reads.
    expect(metric(await service.metrics(), READ)).toBe(20)
    expect(health.workerEnds).toEqual({ count: 0, last: null })
  })

  test('show the last requests of an application together', async () => {
    const { apiKey, secret } = await service.operatorOk('POST', '/applications', { name: 'Traced' })
    const credentials = { 'who-apiKey': apiKey, 'who-secret': secret }
    await times(10, (index) => service.send('GET', `/v1/profiles/${1_000_000 + index}`, credentials))
    // Each process stores its own every second.
    const look = () => service.operatorOk('GET', `/applications/${apiKey}/requests?faultsOnly=true`)
    await expect.poll(async () => (await look()).items.length).toBe(10)
    const { items, unanswered } = await look()
    expect(unanswered).toBe(0)
    // Ids of requests begin with letters of their process.
    expect(new Set(items.map(({ id }: { id: string }) => id.split('-')[0])).size).toBe(2)
    const answeredAt = items.map(({ at }: { at: string }) => at)
    expect(answeredAt).toEqual([...answeredAt].sort().reverse())
  })

  test.each([20, 200])('enforce %d requests a minute of an application together', async (perMinute) => {
    const minute = () => Math.floor(Date.now() / 60_000)
    for (let passed: number | undefined; passed === undefined; ) {
      const rateLimit = { perSecond: 0, perMinute }
      const { apiKey, secret } = await service.operatorOk('POST', '/applications', { name: 'Limited', rateLimit })
      const credentials = { 'who-apiKey': apiKey, 'who-secret': secret }
      const begun = minute()
      const replies = await times(2 * perMinute, () => service.send('GET', '/v1/profiles/1', credentials))
      // In two minutes it may be twice as many: once more, with another application.
      if (minute() !== begun) continue
      passed = replies.filter((reply) => reply.status !== 429).length
      expect(passed).toBeLessThanOrEqual(perMinute)
      expect(passed).toBeGreaterThanOrEqual(0.9 * perMinute)
    }
  })

  test('learn of a revoked key and of new words, and keep exact counts under concurrent writes', async () => {
    const { apiKey, secret } = await service.operatorOk('POST', '/applications', { name: 'To be revoked' })
    const credentials = { 'who-apiKey': apiKey, 'who-secret': secret }
    const members = await times(10, (index) => service.member(100 + index))
    const star = members[0]?.profileId as number
    const statuses = async () =>
      new Set(
        (await times(4, () => service.send('GET', `/v1/profiles/${star}`, credentials))).map(({ status }) => status),
      )
    expect(await statuses()).toEqual(new Set([200]))
    await service.operatorOk('DELETE', `/applications/${apiKey}`)
    await service.operatorOk('PUT', '/moderation/words', { blocked: ['quibble'], allowed: [] })

    const followers = members.slice(1)
    const path = `/v1/profiles/me/followings/${star}`
    const storm = followers.map(async (member, index) => {
      const replies = [await service.send('POST', path, member.ticket), await service.deposit(member)]
      replies.push(await service.send('PUT', `/v1/profiles/me?biography=Number+${index}`, member.ticket))
      if (index % 3 === 0) replies.push(await service.send('DELETE', path, member.ticket))
      return replies
    })
    for (const { status } of (await Promise.all(storm)).flat()) expect([200, 204]).toContain(status)
    const shown = await service.send('GET', `/v1/profiles/${star}`)
    expect(shown.text).toContain('<numFollowers>6</numFollowers>')

    await waitUntil(async () => (await statuses()).has(401) && (await statuses()).size === 1)
    const [, writer] = members as [unknown, (typeof members)[0]]
    const rude = () => service.send('PUT', '/v1/profiles/me?biography=A+quibble', writer.ticket)
    await waitUntil(async () => (await times(4, rude)).every(({ text }) => text.includes('30432')))
  })

  test('leave captures to the one sweeper, which finds what they authorised', async () => {
    const captured = async () => (await service.operatorOk('GET', '/deposits?state=CAPTURED&limit=100')).items.length
    await waitUntil(async () => (await captured()) === 9)
    const metrics = await service.metrics()
    expect(metric(metrics, CAPTURED)).toBe(9)
    expect(metric(metrics, 'paddock_deposits_total{outcome="approved",fault=""}')).toBe(9)
    expect(await service.operatorOk('GET', '/ledger/check')).toMatchObject({ balanced: true })
  })

  test('leave to the supervisor what is done once: migrations, seed, sweeps and settlements', async () => {
    const config = readConfig({ PORT: '0', WORKERS: '2', ...testDatabase.settings })
    const metrics = createMetrics()
    const worker = await startWorker(config, { log: createLog('silent', () => {}, 0), metrics })
    expect(Object.keys(metrics.read().statements).sort()).toEqual([
      'appliedMigrations',
      'moderationSettingsVersion',
      'neighbours',
      'readWordLists',
      'wordListsVersion',
    ])
    await worker.close()
  })
})

describe('a worker that dies', () => {
  test('is replaced while the other serves, and its metrics are not lost', async () => {
    const before = metric(await service.metrics(), READ)
    const [first] = await bothPids()
    let answered = 0
    let over = false
    const reading = times(3, async () => {
      while (!over) {
        // Only requests that the dead worker was serving may fail.
        const reply = await service.send('GET', '/v1/profiles/1').catch(() => undefined)
        if (reply !== undefined) expect(reply.status).toBe(200)
        if (reply !== undefined) answered++
      }
    })
    process.kill(first, 'SIGKILL')
    await waitUntil(async () => (await service.ready()).workers.up === 1)
    const whileOne = answered
    await waitUntil(async () => (await service.ready()).workers.up === 2)
    expect(answered).toBeGreaterThan(whileOne)
    over = true
    await reading
    const metrics = await service.metrics()
    expect(metric(metrics, READ)).toBeGreaterThan(before)
    expect(metric(metrics, 'paddock_worker_ends_total')).toBe(1)
    expect(await bothPids()).not.toContain(first)
    expect(isAlive(first)).toBe(false)
  })

  test('is replaced also when no other is left, on the same port', async () => {
    for (const pid of await bothPids()) process.kill(pid, 'SIGKILL')
    await waitUntil(async () => (await service.ready()).status === 'no worker is up')
    await waitUntil(async () => (await service.ready()).workers.up === 2)
    expect((await service.send('GET', '/v1/profiles/1')).status).toBe(200)
  })

  test('repeatedly is replaced after growing pauses, with the reason in the log', async () => {
    const database = openDatabase(readConfig({ WORKERS: '2', ...testDatabase.settings }))
    const later = writing<NoParameters>('testLater', `insert into migration values (9999, '9999-later', 'x', 0)`)
    const gone = writing<NoParameters>('testGone', 'delete from migration where number = 9999')
    const ends = () => service.lines().filter((line) => /^a worker ended/.test(line.msg))
    const refused = () => ends().filter((line) => /newer version/.test(line.reason))
    await database.run(later, {})
    try {
      process.kill((await bothPids())[0], 'SIGKILL')
      await waitUntil(() => refused().length >= 2)
      const [first = 0, second] = refused().map((line) => Number(/in (\d+) ms/.exec(line.msg)?.[1]))
      expect(first).toBeGreaterThan(0)
      expect(second).toBe(2 * first)
      expect((await service.send('GET', '/v1/profiles/1')).status).toBe(200)
    } finally {
      await database.run(gone, {})
      await database.close()
    }
    await waitUntil(async () => (await service.ready()).workers.up === 2)
  })
})

describe('stopping', () => {
  test('SIGTERM lets requests in progress finish, exit code 0, and no process remains', async () => {
    const slow = await service.member(500, 'sandbox:slow-400')
    const paying = service.deposit(slow)
    await waitUntil(async () => (await service.operatorOk('GET', '/deposits?customerId=500')).items.length === 1)
    service.child.kill('SIGTERM')
    expect((await paying).text).toContain('<paymentId>')
    expect(await service.ended).toBe(0)
    expect(service.pids().filter(isAlive)).toEqual([])
    expect(service.output.err).toBe('')
  })

  test('the workers of a killed supervisor end too', async () => {
    service = await startServiceWithWorkers(testDatabase)
    await bothPids()
    service.child.kill('SIGKILL')
    await service.ended
    await waitUntil(() => !service.pids().some(isAlive))
  })

  test.runIf(engine === 'sqlite')('a port in use is reported once, exit code 1', async () => {
    const occupant = createServer().listen(0, '127.0.0.1')
    await once(occupant, 'listening')
    const { port } = occupant.address() as AddressInfo
    service = await startServiceWithWorkers(testDatabase, { PORT: `${port}` })
    expect(await service.ended).toBe(1)
    expect(service.output.err.match(/is in use/g)).toHaveLength(1)
    expect(service.output.err).toContain(`Port ${port} is in use`)
    occupant.close()
  })
})
