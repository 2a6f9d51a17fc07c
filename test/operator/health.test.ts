import { expect, test } from 'vitest'
import { readHealth } from '../../src/operator/health/health.ts'
import { measureQueues, QUEUE_RULES, readQueues } from '../../src/operator/health/queues.ts'
import { type NoParameters, writing } from '../../src/platform/database/database.ts'
import { metric } from '../harness/metric.ts'
import { engine, type Json, startTestService, useService } from '../harness/service.ts'
import { newMatch, newTip, type TestOutcome } from '../harness/sportsbook.ts'

const service = useService()

async function read(): Promise<Json> {
  const reply = await service.operator('GET', '/operator/v1/health')
  expect(reply.status).toBe(200)
  return reply.body
}

const named = (items: Json[], name: string): Json => items.find((one) => one.name === name)
const lastTwo = (minutes: Json[], what: string): number =>
  minutes.slice(-2).reduce((sum: number, one: Json) => sum + one[what], 0)

test('a service that is well says so, with its process and its version', async () => {
  const health = await read()
  expect(health).toMatchObject({ ready: true, engine, replicas: [], workerEnds: { count: 0, last: null } })
  expect(named(health.checks, 'database')).toMatchObject({ state: 'good', advice: null })
  expect(named(health.checks, 'writes').state).toBe('good')
  expect(health.processes).toMatchObject([{ number: 0, pid: process.pid, doing: 'serving', state: 'good' }])
  expect(health.processes[0].memoryBytes).toBeGreaterThan(1e7)
  expect(Date.parse(health.startedAt)).toBeLessThan(Date.parse(health.at))
  expect(health.minutes).toHaveLength(60)
})

test('requests of applications are counted by outcome, and those of operators are not', async () => {
  const before = await read()
  await service.call('GET', '/v1/profiles/1000000')
  await service.call('GET', '/v1/profiles/me', { ticket: (await service.member()).ticket })
  await service.operator('GET', '/operator/v1/applications')
  const after = await read()
  // The member's own calls are among them.
  expect(lastTwo(after.minutes, 'requests')).toBeGreaterThanOrEqual(lastTwo(before.minutes, 'requests') + 2)
  expect(lastTwo(after.minutes, 'refused')).toBeGreaterThan(lastTwo(before.minutes, 'refused'))
  expect(named(after.operations, 'getProfile').count).toBeGreaterThan(0)
  const { p50Ms, p95Ms, p99Ms } = after.operations[0]
  expect([p50Ms, p95Ms, p99Ms]).toEqual([p50Ms, p95Ms, p99Ms].sort((one, other) => one - other))
})

test('what waits is counted, and too old a queue says what to do', async () => {
  const flagger = await service.member()
  const { profileId } = await service.member()
  await service.call('PUT', `/v1/profiles/${profileId}/flag`, { ticket: flagger.ticket })
  expect(named((await read()).queues, 'profileReview')).toMatchObject({ waiting: 1, state: 'good', advice: null })
  service.clock.advance(2 * 86_400_000)
  const waiting = named((await read()).queues, 'profileReview')
  expect(waiting).toMatchObject({ state: 'warning', advice: expect.stringContaining('review queue of profiles') })
  expect(waiting.oldestSeconds).toBeGreaterThanOrEqual(2 * 86_400)
  service.clock.advance(6 * 86_400_000)
  const health = await read()
  expect(named(health.queues, 'profileReview').state).toBe('critical')
  expect(health.state).toBe('critical')
})

test('queues that only the database knows are on /metrics too', async () => {
  await measureQueues(service.context)
  const { queues } = await read()
  const text = await (await fetch(`${service.operatorUrl}/metrics`)).text()
  expect(metric(text, 'paddock_queue_waiting{queue="profileReview"}')).toBe(1)
  expect(metric(text, 'paddock_queue_waiting_oldest_seconds{queue="profileReview"}')).toBeGreaterThan(8 * 86_400)
  const named = text.matchAll(/^paddock_queue_waiting_oldest_seconds\{queue="(\w+)"\}/gm)
  const measured = ['undecided', 'capture', 'cancel', 'refund', 'payout', 'approval', 'unappliedNotification']
  const known = [...measured, 'webhookDeliveries', 'appeals', ...[...named].map(([, name]) => name)]
  expect(queues.map(({ name }: Json) => name).toSorted()).toEqual(known.toSorted())
  const onThisEngine = Object.keys(QUEUE_RULES).filter((name) => engine === 'postgres' || name !== 'eventPositions')
  // Nobody has webhooks here.
  expect([...known, 'webhookEvents'].toSorted()).toEqual(onThisEngine.toSorted())
  if (engine === 'postgres') expect(metric(text, 'paddock_clock_difference_seconds')).toBeLessThan(60)
})

test('readers of events that are behind are shown with their distance', async () => {
  const behind = writing<NoParameters>('putTipLogBack', 'update tip_log set position = position - 3 where id = 1')
  const [outcome] = (await newMatch(service)) as [TestOutcome]
  await newTip(service, await service.member(), outcome.id)
  // On PostgreSQL events get their positions a moment later, and only then a reader can be behind.
  const waiting = async (name: string) => named((await read()).queues, name).waiting
  if (engine === 'postgres') await expect.poll(() => waiting('eventPositions')).toBe(0)
  await expect.poll(() => waiting('tipLog')).toBe(0)
  const names = (await read()).queues.map(({ name }: Json) => name)
  for (const name of ['capture', 'cancel', 'undecided', 'notificationEvents', 'recordBoard', 'tipLog', 'tipStatus']) {
    expect(names).toContain(name)
  }
  expect(names.includes('eventPositions')).toBe(engine === 'postgres')
  // The projection is quick: the row is changed in a transaction that reads the queues before it ends.
  const { context } = service
  await expect(
    context.database.transaction(async (transaction) => {
      await transaction.run(behind, {})
      const queues = await readQueues({ ...context, database: transaction }, context.metrics.peek())
      expect(named(queues as Json[], 'tipLog')).toMatchObject({ waiting: 3, oldestSeconds: expect.any(Number) })
      throw new Error('put it back')
    }),
  ).rejects.toThrow('put it back')
})

test('without extensions nobody waits for notifications', async () => {
  const contractOnly = await startTestService({ EXTENSIONS: 'off' })
  try {
    const { body } = await contractOnly.operator('GET', '/operator/v1/health')
    const names = body.queues.map(({ name }: Json) => name)
    expect(names).toContain('tipLog')
    expect(names).not.toContain('notificationEvents')
    expect(names).not.toContain('recordBoard')
  } finally {
    await contractOnly.close()
  }
})

test('a database that does not answer is critical, and the answer says so', async () => {
  const down = await startTestService()
  await down.context.database.close()
  const health = await readHealth(down.context)
  expect(health).toMatchObject({ state: 'critical', ready: false, queues: null })
  expect(health.checks[0]).toMatchObject({ name: 'database', state: 'critical', advice: expect.any(String) })
  await down.close().catch(() => {})
})
