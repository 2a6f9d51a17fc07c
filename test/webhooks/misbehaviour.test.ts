// Endpoints that hang, fail, redirect or answer without end, each beside a healthy one that must not notice.

import { beforeAll, expect, test } from 'vitest'
import { isEachChange } from '../harness/each-change.ts'
import { type TestCustomer, useService } from '../harness/service.ts'
import { newMatch, newTip, settle, type TestOutcome } from '../harness/sportsbook.ts'
import {
  accept,
  deliveriesOf,
  newWebhook,
  type startReceiver,
  status,
  untilReceived,
  untilStates,
  useReceivers,
} from '../harness/webhooks.ts'

const service = useService({ WEBHOOK_PRIVATE_ADDRESSES: 'on', WEBHOOK_TIMEOUT_MS: '2000' }, { webhooks: true })
const receiver = useReceivers(service)
let author: TestCustomer & { profileId: number }
let outcome: TestOutcome

beforeAll(async () => {
  author = await service.member()
  outcome = ((await newMatch(service)) as [TestOutcome])[0]
})

async function tips(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await newTip(service, author, outcome.id)
}

type Answer = Parameters<typeof startReceiver>[0]
const MEGABYTES = Buffer.alloc(1024 * 1024)

const ENDPOINTS: Record<string, { answer: Answer; state: string; status: number | null; error: string | null }> = {
  'answers nothing': { answer: () => {}, state: 'waiting', status: null, error: 'No answer within 2 s.' },
  'answers 500': { answer: status(500), state: 'waiting', status: 500, error: 'Answered 500.' },
  redirects: {
    answer: status(302, { location: 'http://127.0.0.1:1/' }),
    state: 'waiting',
    status: 302,
    error: 'Answered 302: redirects are not followed.',
  },
  'closes the connection': {
    answer: (response) => response.destroy(),
    state: 'waiting',
    status: null,
    error: 'The connection was closed without an answer.',
  },
  'answers 10 MB': {
    answer(response) {
      response.writeHead(200)
      for (let i = 0; i < 10; i++) response.write(MEGABYTES)
      response.end()
    },
    state: 'delivered',
    status: 200,
    error: null,
  },
  'begins an answer and never ends it': {
    answer: (response) => response.writeHead(200).write('a'),
    state: 'delivered',
    status: 200,
    error: null,
  },
  'answers with large headers': {
    answer: status(200, { 'x-large': 'x'.repeat(15_000), 'x-larger': 'x'.repeat(15_000) }),
    state: 'waiting',
    status: null,
    error: 'The headers of the answer are too large.',
  },
}

test.each(Object.entries(ENDPOINTS))('one that %s', async (_name, { answer, ...expected }) => {
  const [bad, healthy] = [await receiver(answer), await receiver()]
  const { id } = await newWebhook(service, bad.url, ['tip.created'])
  const { id: healthyId } = await newWebhook(service, healthy.url, ['tip.created'])
  // More than the bad one may have at once.
  await tips(12)
  await untilReceived(healthy, 12)
  await untilStates(service, healthyId, Array(12).fill('delivered'))
  await expect
    .poll(
      async () =>
        (await deliveriesOf(service, id)).slice(-8).map(({ state, status, error }) => ({ state, status, error })),
      {
        interval: 50,
      },
    )
    .toEqual(Array(8).fill(expected))
  expect(bad.mostAtOnce()).toBeLessThanOrEqual(8)
})

test('one that nobody listens at', async () => {
  const [gone, healthy] = [await receiver(), await receiver()]
  await gone.close()
  const { id } = await newWebhook(service, gone.url, ['tip.created'])
  await newWebhook(service, healthy.url, ['tip.created'])
  await tips(1)
  await untilReceived(healthy, 1)
  await expect.poll(async () => (await deliveriesOf(service, id))[0].error).toBe('The connection was refused.')
})

test('two endpoints at the same host do not wait for each other', async () => {
  const target = await receiver((response, { body }) => {
    if (body.type !== 'tip.created') response.end()
  })
  await newWebhook(service, target.url, ['tip.created'])
  const { id } = await newWebhook(service, target.url, ['profile.created'])
  await tips(9)
  await untilReceived(target, 8)
  await service.member()
  await untilStates(service, id, ['delivered'])
})

test('a settlement of many tips: each event once, to endpoints of different speed', async () => {
  const [settled] = (await newMatch(service)) as [TestOutcome]
  const tips = isEachChange ? 250 : 1000
  for (let i = 0; i < tips; i++) await newTip(service, author, settled.id)
  const [quick, slow] = [await receiver(), await receiver((response) => setTimeout(() => response.end(), 20))]
  await newWebhook(service, quick.url, ['tip.settled', 'market.settled'])
  await newWebhook(service, slow.url, ['tip.settled'])
  await settle(service, settled, 'win')
  await untilReceived(quick, tips + 1)
  await untilReceived(slow, tips)
  for (const { received } of [quick, slow]) expect(new Set(received.map(({ id }) => id)).size).toBe(received.length)
  expect([quick.received.length, slow.received.length]).toEqual([tips + 1, tips])
  expect(slow.mostAtOnce()).toBe(8)
})

test('metrics count attempts by outcome and what waits', async () => {
  const target = await receiver((response, _message, before) =>
    (before === 0 ? status(500) : accept)(response, _message, before),
  )
  const { id } = await newWebhook(service, target.url, ['tip.created'])
  await tips(2)
  await expect
    .poll(async () => (await deliveriesOf(service, id)).map(({ state }) => state).sort())
    .toEqual(['delivered', 'waiting'])
  const metrics = service.context.metrics.render()
  for (const outcome of ['delivered', 'retry']) {
    expect(metrics).toMatch(new RegExp(`^paddock_webhook_deliveries_total\\{outcome="${outcome}"\\} [1-9]`, 'm'))
  }
  expect(metrics).toMatch(/^paddock_webhook_waiting \d/m)
  expect(metrics).toMatch(/^paddock_webhook_waiting_oldest_seconds \d/m)
})
