// Streams of several processes that share one database, and of a process that is killed.

import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { SANDBOX_KEY, SANDBOX_SECRET } from '../../src/sandbox/world/customers.ts'
import { type Listener, listen } from '../harness/event-source.ts'
import { freePort } from '../harness/free-port.ts'
import { metric } from '../harness/metric.ts'
import { call, callOperator, engine, newTestDatabase, OPERATOR_TOKEN, type Settings } from '../harness/service.ts'
import { paddockProgram } from '../harness/service-program.ts'
import { newMatch, type TestOutcome } from '../harness/sportsbook.ts'
import { isAlive, startServiceWithWorkers, waitUntil } from '../harness/workers.ts'
import { type Process, run } from '../torture/processes.ts'

const application = { key: SANDBOX_KEY, secret: SANDBOX_SECRET }
const running: Process[] = []
afterAll(() => Promise.all(running.map((one) => one.kill())))

/** A process of the service at a fixed port, which can be started again there. */
async function newInstance(settings: Settings) {
  const [port, operatorPort] = [await freePort(), await freePort()]
  const [url, operatorUrl] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${operatorPort}`]
  const start = async (): Promise<Process> => {
    const started = await run(paddockProgram, ['serve'], {
      ...{ PORT: `${port}`, OPERATOR_PORT: `${operatorPort}`, OPERATOR_TOKEN, SANDBOX_SEED: 'off', LOG_LEVEL: 'warn' },
      ...settings,
    })
    running.push(started)
    return started
  }
  return {
    url,
    start,
    process: await start(),
    operator: (method: string, path: string, body?: unknown) =>
      callOperator(operatorUrl, method, `/operator/v1${path}`, { body }),
    call: (method: string, path: string, ticket: string) => call(url, method, path, { ...application, ticket }),
  }
}

type Instance = Awaited<ReturnType<typeof newInstance>>

async function newMember({ operator, call }: Instance, id: number) {
  await operator('PUT', `/customers/${id}`, {})
  const { ticket } = (await operator('POST', `/customers/${id}/tickets`, {})).body as { ticket: string }
  const me = await call('GET', '/v1/profiles/me', ticket)
  return { id, ticket, profileId: Number(/<profile id="(\d+)"/.exec(me.text)?.[1]) }
}

const followers = (listener: Listener) => listener.events().map(({ data }) => data.data.byProfileId)

test('resumes after kill -9: nothing is lost, nothing comes twice', async () => {
  const testDatabase = await newTestDatabase()
  const served = await newInstance(testDatabase.settings)
  // On PostgreSQL another process goes on writing meanwhile.
  const other = engine === 'postgres' ? await newInstance(testDatabase.settings) : served
  const [star, fan] = [await newMember(served, 1), await newMember(served, 2)]
  const listener = listen(served.url, { ...star, ...application })
  await listener.greeted()
  let ended = false
  const path = `/v1/profiles/me/followings/${star.profileId}`
  const writing = (async () => {
    while (!ended) {
      for (const method of ['POST', 'DELETE']) await other.call(method, path, fan.ticket).catch(() => {})
      // Not as fast as it can: it costs the processor time of those that start meanwhile.
      await pause(20)
    }
  })()
  for (const round of [1, 2]) {
    await listener.until(listener.events().length + 20)
    await served.process.kill()
    served.process = await served.start()
    await listener.greeted(round + 1)
  }
  await listener.until(listener.events().length + 20)
  ended = true
  await writing
  const logged: number[] = []
  for (let after = 0; ; ) {
    const { events, next } = (await served.operator('GET', `/events?after=${after}&kinds=follow.created&limit=1000`))
      .body
    logged.push(...events.map(({ position }: { position: number }) => position))
    if (next === after) break
    after = next
  }
  await listener.until(logged.length)
  expect(listener.greetings().every((type) => type === 'ready')).toBe(true)
  expect(listener.events().map(({ data }) => data.position)).toEqual(logged)
  listener.close()
  await Promise.all(running.map((one) => one.kill()))
  await testDatabase.remove()
})

describe.runIf(engine === 'postgres')('several processes on one PostgreSQL', () => {
  test('each sends what was written through the other', async () => {
    const testDatabase = await newTestDatabase()
    const instances = [await newInstance(testDatabase.settings), await newInstance(testDatabase.settings)]
    const [one, other] = instances as [Instance, Instance]
    const [star, fan] = [await newMember(one, 1), await newMember(other, 2)]
    const listeners = instances.map(({ url }) => listen(url, { ...star, ...application }))
    await Promise.all(listeners.map((listener) => listener.greeted()))
    for (const { call } of instances) {
      for (const method of ['POST', 'DELETE']) {
        const { status } = await call(method, `/v1/profiles/me/followings/${star.profileId}`, fan.ticket)
        expect(status).toBeLessThan(300)
      }
    }
    for (const listener of listeners) {
      await listener.until(2)
      expect(followers(listener)).toEqual([`${fan.profileId}`, `${fan.profileId}`])
      listener.close()
    }
    await Promise.all(instances.map(({ process }) => process.kill()))
    await testDatabase.remove()
  })
})

test('two workers: a price that the operator changes reaches the streams of both', async () => {
  const testDatabase = await newTestDatabase()
  const service = await startServiceWithWorkers(testDatabase)
  const ticket = (await service.member(1)).ticket['who-ticket'] as string
  const [outcome] = (await newMatch(service)) as [TestOutcome]
  const watching = { ticket, ...application, outcomes: [outcome.id] }
  const listeners = Array.from({ length: 6 }, () => listen(service.url, watching))
  const prices = () => listeners.map((listener) => listener.states('outcome').at(-1)?.livePrice?.priceFrac)
  await expect.poll(prices).toEqual(new Array(6).fill('11/10'))
  await service.operatorOk('PATCH', `/outcomes/${outcome.id}`, { price: { num: 5, den: 2 } })
  await expect.poll(prices).toEqual(new Array(6).fill('5/2'))
  for (const listener of listeners) listener.close()
  service.child.kill('SIGTERM')
  expect(await service.ended).toBe(0)
  await testDatabase.remove()
})

test('two workers: each sends what was written through the other, and a stop ends all streams', async () => {
  const testDatabase = await newTestDatabase()
  const service = await startServiceWithWorkers(testDatabase)
  const [star, fan] = [await service.member(1), await service.member(2)]
  const ticket = star.ticket['who-ticket'] as string
  const listeners = Array.from({ length: 6 }, () => listen(service.url, { ticket, ...application }))
  await Promise.all(listeners.map((listener) => listener.greeted()))
  await expect.poll(async () => metric(await service.metrics(), 'paddock_streams')).toBe(6)
  for (const method of ['POST', 'DELETE', 'POST', 'DELETE']) {
    await service.send(method, `/v1/profiles/me/followings/${star.profileId}`, fan.ticket)
  }
  for (const listener of listeners) {
    await listener.until(2)
    expect(followers(listener)).toEqual([`${fan.profileId}`, `${fan.profileId}`])
  }
  service.child.kill('SIGTERM')
  expect(await service.ended).toBe(0)
  for (const listener of listeners) {
    expect(listener.failures.length).toBeGreaterThan(0)
    listener.close()
  }
  await waitUntil(() => !service.pids().some(isAlive))
  await testDatabase.remove()
})
