// Deliveries survive a killed process, a stopped one and several at once.

import { afterEach, describe, expect, test } from 'vitest'
import { callOperator, engine, newTestDatabase, OPERATOR_TOKEN, startTestService } from '../harness/service.ts'
import { paddockProgram } from '../harness/service-program.ts'
import { newWebhook, type Receiver, startReceiver, untilReceived, untilStates } from '../harness/webhooks.ts'
import { run } from '../torture/processes.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function receiver(answer?: Parameters<typeof startReceiver>[0]): Promise<Receiver> {
  const started = await startReceiver(answer)
  closing.push(started.close)
  return started
}

const settings = { WEBHOOK_PRIVATE_ADDRESSES: 'on' }

test('a killed process: what it was sending and what waited is sent after a restart', async () => {
  const database = await newTestDatabase()
  closing.push(database.remove)
  const start = async (timeoutMs: number) => {
    const process = await run(paddockProgram, ['serve'], {
      PORT: '0',
      OPERATOR_PORT: '0',
      OPERATOR_TOKEN,
      SANDBOX_SEED: 'off',
      LOG_LEVEL: 'warn',
      ...database.settings,
      ...settings,
      WEBHOOK_TIMEOUT_MS: `${timeoutMs}`,
    })
    closing.push(process.kill)
    const url = /operator listener is on (\S+)/.exec(process.output())?.[1] as string
    return {
      ...process,
      operator: (method: string, path: string, body?: unknown) => callOperator(url, method, path, { body }),
    }
  }
  const target = await receiver(() => {})
  // What a process was sending may be sent by others after twice its timeout.
  const first = await start(2_000)
  const { id } = await newWebhook(first, target.url, ['customer.changed'])
  const customers = Array.from({ length: 20 }, (_, index) => `${5000 + index}`)
  for (const customer of customers) await first.operator('PUT', `/operator/v1/customers/${customer}`, {})
  await untilReceived(target, 8)
  await first.kill()
  await expect.poll(target.openNow).toBe(0)
  // More than eight if the machine is so busy that attempts ended before the process.
  const unanswered = target.received.splice(0)
  target.answerWith((response) => response.end())
  const second = await start(60_000)
  await untilStates(second, id, Array(20).fill('delivered'))
  expect(new Set(target.received.map(({ body }) => body.data.subject.id))).toEqual(new Set(customers))
  expect(target.received).toHaveLength(20)
  for (const { id } of unanswered) expect(target.received.map((message) => message.id)).toContain(id)
})

test('a service that stops interrupts attempts, and the next one repeats them at once', async () => {
  const database = await newTestDatabase()
  closing.push(database.remove)
  const target = await receiver(() => {})
  const first = await startTestService(settings, database, { webhooks: true })
  const { id } = await newWebhook(first, target.url, ['customer.changed'])
  await first.customer()
  await untilReceived(target, 1)
  await first.close()
  target.answerWith((response) => response.end())
  const second = await startTestService(settings, database, { webhooks: true })
  closing.push(second.close)
  const [delivered] = await untilStates(second, id, ['delivered'])
  expect([delivered.attempts, target.received.length]).toEqual([1, 2])
})

describe.runIf(engine === 'postgres')('two services on one database', () => {
  test('send each event once, in order, eight at once', async () => {
    const database = await newTestDatabase()
    closing.push(database.remove)
    const target = await receiver((response) => setTimeout(() => response.end(), 5))
    const services = []
    for (let i = 0; i < 2; i++) {
      const service = await startTestService(settings, database, { webhooks: true })
      closing.push(service.close)
      services.push(service)
    }
    const [one, other] = services as [(typeof services)[0], (typeof services)[0]]
    const { id } = await newWebhook(one, target.url, ['customer.changed'])
    const customers = Array.from({ length: 40 }, (_, index) => 6000 + index)
    const put = (service: typeof one, customer: number, verified: boolean) =>
      service.operator('PUT', `/operator/v1/customers/${customer}`, { verified })
    for (const verified of [true, false, true]) {
      await Promise.all(customers.map((customer) => put(customer % 2 === 0 ? one : other, customer, verified)))
    }
    await untilReceived(target, 120)
    await untilStates(other, id, Array(100).fill('delivered'))
    expect(target.received).toHaveLength(120)
    expect(new Set(target.received.map((message) => message.id)).size).toBe(120)
    expect(target.mostAtOnce()).toBeLessThanOrEqual(8)
    for (const customer of customers) {
      const own = target.received.filter(({ body }) => body.data.subject.id === `${customer}`)
      expect(own.map(({ body }) => body.data.data.verified)).toEqual([true, false, true])
    }
    const sent = services.map((service) =>
      Number(/deliveries_total\{outcome="delivered"\} (\d+)/.exec(service.context.metrics.render())?.[1] ?? 0),
    )
    expect(sent.reduce((sum, count) => sum + count)).toBe(120)
  })
})
