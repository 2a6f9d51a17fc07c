// Webhooks as an operator and a receiver see them: what is sent, signed how, in which order, and how often.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deleteOldEvents } from '../../src/event-log/retention.ts'
import { newestPosition } from '../../src/event-log/store.ts'
import { maskedAddress } from '../../src/platform/masking/masked-addresses.ts'
import { deleteOldDeliveries } from '../../src/webhooks/retention.ts'
import { type Json, type TestCustomer, useService } from '../harness/service.ts'
import { newMatch, newTip, operatorOk, type TestOutcome } from '../harness/sportsbook.ts'
import {
  accept,
  changeWebhook,
  deliveriesOf,
  newWebhook,
  status,
  untilReceived,
  untilStates,
  useReceivers,
  verified,
  webhook,
} from '../harness/webhooks.ts'

const service = useService({ WEBHOOK_PRIVATE_ADDRESSES: 'on' }, { webhooks: true })
const receiver = useReceivers(service)
let author: TestCustomer & { profileId: number }
let outcome: TestOutcome

beforeAll(async () => {
  // Attempts are repeated when a test moves the clock, and not while it looks.
  service.clock.hold()
  author = await service.member()
  outcome = ((await newMatch(service)) as [TestOutcome])[0]
})

afterAll(() => expect(service.logged()).not.toContain('whsec_'))

const audit = async () => (await service.operator('GET', '/operator/v1/audit?limit=5')).body.items as Json[]
/** With a new ticket, because the clock moves. */
async function tip(): Promise<number> {
  const ticket = (await service.context.sessions?.issue(author.id, null))?.ticket ?? ''
  return newTip(service, { ...author, ticket }, outcome.id)
}
/** Each is an event of its subject, the tip. */
async function decide(tipId: number, actions: string[]): Promise<void> {
  for (const action of actions) await operatorOk(service, 'POST', `/moderation/comments/${tipId}`, { action, note: '' })
}
const SECOND = 1_000
const HOUR = 3_600_000
const DAY = 24 * HOUR

describe('what is sent', () => {
  test('the event as pull shows it, signed, from the moment the webhook is created', async () => {
    await tip()
    const target = await receiver()
    // PostgreSQL gives positions a little later.
    await expect.poll(async () => (await service.context.database.one(newestPosition, {}))?.position).toBeGreaterThan(2)
    const { id, secret, ...created } = await newWebhook(service, target.url, ['tip.created', 'tip.removed'])
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(created).toMatchObject({ url: target.url, kinds: ['tip.created', 'tip.removed'], enabled: true })
    const tipId = await tip()
    await decide(tipId, ['remove'])
    const ofTip = () => target.received.filter(({ body }) => body.data.subject.id === `${tipId}`)
    await expect.poll(() => ofTip().length).toBe(2)
    const pulled = (await service.operator('GET', '/operator/v1/events?after=0&limit=1000')).body.events as Json[]
    const events = pulled.filter((event) => event.subject.id === `${tipId}` && event.type !== 'decision.made')
    expect(ofTip().map(({ body }) => body)).toEqual(
      events.map((event) => ({ type: event.type, timestamp: event.timestamp, data: event })),
    )
    for (const message of ofTip()) {
      expect(verified(secret, message, service)).toEqual(message.body)
      expect(message.headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': message.body.data.id })
      expect(() => verified(`whsec_${Buffer.alloc(32).toString('base64')}`, message, service)).toThrow(/signature/i)
    }
    const [newest, first] = await untilStates(service, id, ['delivered', 'delivered'])
    expect(newest).toEqual({
      id: expect.any(String),
      eventId: events[1].id,
      type: 'tip.removed',
      subject: { type: 'comment', id: `${tipId}` },
      state: 'delivered',
      attempts: 1,
      status: 204,
      durationMs: expect.any(Number),
      error: null,
      nextAttemptAt: null,
      createdAt: expect.any(String),
      finishedAt: expect.any(String),
      resentAt: null,
    })
    expect(first.type).toBe('tip.created')
    expect(JSON.stringify([await webhook(service, id), await audit()])).not.toContain('whsec_')
  })

  test('during a rotation with both secrets, for a day', async () => {
    const target = await receiver()
    const { id, secret: old } = await newWebhook(service, target.url, ['tip.created'])
    const rotated = await service.operator('POST', `/operator/v1/webhooks/${id}/secret`)
    expect([rotated.status, rotated.body.secret === old]).toEqual([201, false])
    expect((await webhook(service, id)).previousSecretUntil).toBe(rotated.body.previousSecretUntil)
    await tip()
    await untilReceived(target, 1)
    const [during] = target.received as [(typeof target.received)[0]]
    expect(during.headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/)
    for (const secret of [old, rotated.body.secret]) verified(secret, during, service)
    service.clock.advance(DAY)
    await tip()
    await untilReceived(target, 2)
    const after = target.received[1] as typeof during
    verified(rotated.body.secret, after, service)
    expect(() => verified(old, after, service)).toThrow(/signature/i)
    expect((await webhook(service, id)).previousSecretUntil).toBe(null)
  })

  test('a test, once, whatever the answer', async () => {
    const target = await receiver(status(500))
    const { id, secret } = await newWebhook(service, target.url, ['customer.erased'])
    const sent = await service.operator('POST', `/operator/v1/webhooks/${id}/test`)
    expect([sent.status, sent.body]).toMatchObject([201, { type: 'test', state: 'waiting', attempts: 0 }])
    const [failed] = await untilStates(service, id, ['failed'])
    expect(failed).toMatchObject({ id: sent.body.id, attempts: 1, status: 500, error: 'Answered 500.' })
    const [message] = target.received as [(typeof target.received)[0]]
    const { data } = verified(secret, message, service)
    expect(data).toMatchObject({ position: 0, id: failed.eventId, type: 'test', subject: { type: 'webhook', id } })
    target.answerWith(accept)
    await service.operator('POST', `/operator/v1/webhooks/${id}/test`)
    await untilStates(service, id, ['delivered', 'failed'])
    expect(target.received.map(({ body }) => body.type)).toEqual(['test', 'test'])
  })
})

describe('order and retries', () => {
  test('events of one subject wait for an earlier one, those of others do not', async () => {
    const target = await receiver()
    const [blocked, free] = [await tip(), await tip()]
    const { id } = await newWebhook(service, target.url, ['tip.removed', 'tip.restored'])
    const isBlocked = (body: Json) => body.data.subject.id === `${blocked}`
    target.answerWith((response, { body }) => response.writeHead(isBlocked(body) ? 503 : 200).end())
    await decide(blocked, ['remove', 'restore', 'remove'])
    await decide(free, ['remove', 'restore'])
    const of = (tipId: number) =>
      target.received.filter(({ body }) => body.data.subject.id === `${tipId}`).map(({ body }) => body.type)
    await expect.poll(() => of(free), { interval: 20 }).toEqual(['tip.removed', 'tip.restored'])
    await expect.poll(() => of(blocked), { interval: 20 }).toEqual(['tip.removed'])
    const states = async () => (await deliveriesOf(service, id)).map(({ state, attempts }) => `${state} ${attempts}`)
    await expect
      .poll(states, { interval: 20 })
      .toEqual(['delivered 1', 'delivered 1', 'waiting 0', 'waiting 0', 'waiting 1'])
    expect((await deliveriesOf(service, id)).map(({ nextAttemptAt }) => nextAttemptAt !== null)).toEqual([
      false,
      false,
      false,
      false,
      true,
    ])
    target.answerWith(accept)
    service.clock.advance(6 * SECOND)
    await untilStates(service, id, Array(5).fill('delivered'))
    expect(of(blocked)).toEqual(['tip.removed', 'tip.removed', 'tip.restored', 'tip.removed'])
    const ids = target.received.filter(({ body }) => isBlocked(body)).map((message) => message.id)
    expect([ids[0] === ids[1], new Set(ids).size]).toEqual([true, 3])
  })

  test('a delivery is tried ten times, at growing intervals, and then the next of its subject', async () => {
    const target = await receiver(status(500))
    const tipId = await tip()
    const { id } = await newWebhook(service, target.url, ['tip.removed', 'tip.restored'])
    await decide(tipId, ['remove', 'restore'])
    const pauses = [5 * SECOND, 300 * SECOND, 1800 * SECOND, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, DAY]
    const first = async () => (await deliveriesOf(service, id))[1]
    for (const [index, pause] of pauses.entries()) {
      await expect.poll(async () => (await first())?.error, { interval: 20 }).toBe('Answered 500.')
      await expect
        .poll(async () => [(await first()).attempts, (await first()).nextAttemptAt !== null], { interval: 20 })
        .toEqual([index + 1, true])
      const wait = Date.parse((await first()).nextAttemptAt) - service.clock.now()
      // As long as the clock has gone on since, and a tenth more.
      expect(wait).toBeLessThanOrEqual(1.1 * pause)
      expect(wait).toBeGreaterThan(pause - 60 * SECOND)
      if (index === pauses.length - 1)
        target.answerWith((response, { body }) => response.writeHead(body.type === 'tip.removed' ? 500 : 200).end())
      service.clock.advance(wait + 1)
    }
    const [second, last] = await untilStates(service, id, ['delivered', 'failed'])
    expect([last.attempts, second.attempts]).toEqual([10, 1])
    expect(target.received.map(({ body }) => body.type)).toEqual([...Array(10).fill('tip.removed'), 'tip.restored'])
  })

  test('send again: another delivery of what has ended, at once what waits', async () => {
    const target = await receiver()
    const { id } = await newWebhook(service, target.url, ['tip.created'])
    await tip()
    const [delivered] = await untilStates(service, id, ['delivered'])
    const resend = (deliveryId: string) =>
      service.operator('POST', `/operator/v1/webhooks/${id}/deliveries/${deliveryId}/resend`)
    const again = await resend(delivered.id)
    expect([again.status, again.body.eventId, again.body.id === delivered.id]).toEqual([201, delivered.eventId, false])
    await untilStates(service, id, ['delivered', 'delivered'])
    expect(target.received.map((message) => message.id)).toEqual([delivered.eventId, delivered.eventId])
    target.answerWith(status(500))
    await tip()
    await expect.poll(async () => (await deliveriesOf(service, id))[0].nextAttemptAt, { interval: 20 }).not.toBe(null)
    await expect.poll(async () => (await deliveriesOf(service, id))[0].status, { interval: 20 }).toBe(500)
    const [waiting] = await deliveriesOf(service, id)
    service.clock.hold()
    target.answerWith(accept)
    const hurried = await resend(waiting.id)
    expect([hurried.status, hurried.body.id]).toEqual([200, waiting.id])
    await untilStates(service, id, ['delivered', 'delivered', 'delivered'])
    expect((await resend('999999')).status).toBe(404)
    await changeWebhook(service, id, { enabled: false })
    expect((await resend(waiting.id)).status).toBe(409)
    expect((await service.operator('POST', `/operator/v1/webhooks/${id}/test`)).status).toBe(409)
  })
})

describe('disabling', () => {
  test('by an operator: events wait, and are sent when it is enabled again', async () => {
    const target = await receiver()
    const { id } = await newWebhook(service, target.url, ['tip.created'])
    expect(await changeWebhook(service, id, { enabled: false })).toMatchObject({ enabled: false, disabledReason: null })
    const tips = [await tip(), await tip()]
    const healthy = await receiver()
    await newWebhook(service, healthy.url, ['tip.created'])
    const third = await tip()
    await untilReceived(healthy, 1)
    expect(target.received).toEqual([])
    await changeWebhook(service, id, { enabled: true })
    await untilReceived(target, 3)
    expect(target.received.map(({ body }) => Number(body.data.subject.id)).sort()).toEqual([...tips, third].sort())
  })

  test('by 410, with an entry in the audit trail', async () => {
    const target = await receiver(status(410))
    const { id } = await newWebhook(service, target.url, ['tip.created'])
    await tip()
    await expect.poll(async () => (await webhook(service, id)).enabled, { interval: 20 }).toBe(false)
    expect((await webhook(service, id)).disabledReason).toBe('The endpoint answered 410 Gone.')
    expect((await audit())[0]).toMatchObject({
      actor: 'service',
      role: 'none',
      action: 'disableWebhook',
      subject: id,
      detail: { reason: 'The endpoint answered 410 Gone.' },
    })
    target.answerWith(accept)
    expect(await changeWebhook(service, id, { enabled: true })).toMatchObject({ enabled: true, disabledReason: null })
    service.clock.advance(6 * SECOND)
    await untilStates(service, id, ['delivered'])
  })

  test('after five days without a success, and not after less', async () => {
    const target = await receiver(status(500))
    const { id } = await newWebhook(service, target.url, ['tip.created'])
    const failTest = async () => {
      const before = target.received.length
      await service.operator('POST', `/operator/v1/webhooks/${id}/test`)
      await untilReceived(target, before + 1)
    }
    await failTest()
    await expect.poll(async () => (await webhook(service, id)).failingSince, { interval: 20 }).not.toBe(null)
    service.clock.advance(5 * DAY - HOUR)
    await failTest()
    await untilStates(service, id, ['failed', 'failed'])
    target.answerWith(accept)
    await failTest()
    await expect.poll(async () => (await webhook(service, id)).failingSince, { interval: 20 }).toBe(null)
    target.answerWith(status(500))
    service.clock.advance(2 * HOUR)
    await failTest()
    await untilStates(service, id, ['failed', 'delivered', 'failed', 'failed'])
    expect((await webhook(service, id)).enabled).toBe(true)
    service.clock.advance(5 * DAY)
    await failTest()
    await expect.poll(async () => (await webhook(service, id)).enabled, { interval: 20 }).toBe(false)
    expect((await webhook(service, id)).disabledReason).toBe('No delivery has succeeded for five days.')
  })
})

describe('what is kept', () => {
  test('deliveries end with their time, those whose event is gone fail', async () => {
    const target = await receiver()
    const { id } = await newWebhook(service, target.url, ['tip.created'])
    await tip()
    await untilStates(service, id, ['delivered'])
    target.answerWith(status(500))
    await tip()
    await expect.poll(async () => (await deliveriesOf(service, id))[0].status, { interval: 20 }).toBe(500)
    await service.member()
    const { database } = service.context
    const newest = async () => (await database.one(newestPosition, {}))?.position ?? 0
    const before = await newest()
    await service.member()
    await expect.poll(newest, { interval: 20 }).toBeGreaterThan(before)
    await deleteOldEvents(database, service.clock.now() + DAY)
    service.clock.advance(6 * SECOND)
    const [gone] = await untilStates(service, id, ['failed', 'delivered'])
    expect(gone.error).toBe('Not sent: the event was deleted, because events are kept for 30 days.')
    await deleteOldDeliveries(database, service.clock.now() + DAY, service.clock.now())
    expect(await deliveriesOf(service, id)).toEqual([])
  })

  test('a deleted webhook is gone, and its deliveries after it', async () => {
    const target = await receiver()
    const { id } = await newWebhook(service, target.url, ['tip.created'])
    await tip()
    await untilStates(service, id, ['delivered'])
    expect((await service.operator('DELETE', `/operator/v1/webhooks/${id}`)).status).toBe(204)
    const path = `/operator/v1/webhooks/${id}`
    for (const [method, more] of [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['POST', '/secret'],
      ['POST', '/test'],
      ['GET', '/deliveries'],
      ['POST', '/deliveries/1/resend'],
    ]) {
      expect([more, (await service.operator(`${method}`, path + more)).status]).toEqual([more, 404])
    }
    await tip()
    await deleteOldDeliveries(service.context.database, 0, service.clock.now())
    expect(target.received).toHaveLength(1)
  })

  test('pages of deliveries go from the newest to the oldest, each once', async () => {
    const target = await receiver()
    const { id } = await newWebhook(service, target.url, ['tip.created'])
    for (let i = 0; i < 5; i++) await tip()
    const all = await untilStates(service, id, Array(5).fill('delivered'))
    const seen: string[] = []
    let cursor = ''
    do {
      const path = `/operator/v1/webhooks/${id}/deliveries?limit=2&cursor=${cursor}`
      const { body } = await service.operator('GET', path)
      seen.push(...body.items.map((one: Json) => one.id))
      cursor = body.cursor
    } while (cursor !== null)
    expect(seen).toEqual(all.map((one) => one.id))
  })
})

test('changes of webhooks are in the audit trail with old and new values', async () => {
  const target = await receiver()
  const { id } = await newWebhook(service, target.url)
  expect((await audit())[0]).toMatchObject({
    action: 'createWebhook',
    detail: { body: { url: maskedAddress(target.url) }, note: id },
  })
  const kinds = ['tip.created', 'tip.settled', 'tip.created']
  expect(await changeWebhook(service, id, { kinds })).toMatchObject({ kinds: ['tip.created', 'tip.settled'] })
  const changes = { kinds: { from: null, to: 'tip.created,tip.settled' } }
  expect((await audit())[0]).toMatchObject({ action: 'changeWebhook', subject: id, detail: { changes } })
  expect(await changeWebhook(service, id, { kinds: null })).toMatchObject({ kinds: null, enabled: true })
})
