// Webhooks as our dispatcher and the library of Standard Webhooks sign them, verified by the client.

import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PaddockError, verifyWebhook } from '../../clients/typescript/src/index.ts'
import { signWebhook } from '../../clients/typescript/src/testing.ts'
import { clientOf } from '../harness/client.ts'
import { useService } from '../harness/service.ts'
import { newWebhook, type Received, type Receiver, startReceiver, untilReceived } from '../harness/webhooks.ts'

const service = useService({ WEBHOOK_PRIVATE_ADDRESSES: 'on' }, { webhooks: true })
let receiver: Receiver
let endpoint: { id: number; secret: string }
let ids: { star: number; fan: number }

beforeAll(async () => {
  receiver = await startReceiver()
  const [star, fan] = [await service.member(), await service.member()]
  ids = { star: star.profileId, fan: fan.profileId }
  endpoint = await newWebhook(service, receiver.url, ['follow.created'])
  await clientOf(service, { ticket: fan.ticket }).followProfile({ id: star.profileId })
})
afterAll(() => receiver.close())

const refusal = (verifying: Promise<unknown>) =>
  verifying.then(
    () => expect.fail('it must be refused'),
    (error) => {
      expect(error).toBeInstanceOf(PaddockError)
      expect(error.reason).toBe('signature')
      return error.message
    },
  )

const SECRET = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`
const event = { position: 3, id: 'evt_3', type: 'like.created', timestamp: '2026-03-14T15:09:26.535Z' }
const body = JSON.stringify({
  type: 'like.created',
  data: {
    ...event,
    subject: { type: 'comment', id: '28' },
    profileId: '1',
    customerId: null,
    data: { byProfileId: '2' },
  },
})

/** Headers as the library writes them. */
function signed(text: string, at = new Date(), secret = SECRET): Record<string, string> {
  const signature = new Webhook(secret).sign('msg_1', at, text)
  return {
    'webhook-id': 'msg_1',
    'webhook-timestamp': `${Math.floor(at.getTime() / 1000)}`,
    'webhook-signature': signature,
  }
}

describe('a delivery of the service', () => {
  test('is verified, and its event is typed', async () => {
    await untilReceived(receiver, 1)
    const delivery = receiver.received[0] as Received
    const received = await verifyWebhook(delivery.text, delivery.headers, endpoint.secret)
    expect(received).toEqual({
      position: expect.any(Number),
      id: delivery.id,
      type: 'follow.created',
      timestamp: expect.any(Date),
      subject: { type: 'profile', id: ids.star },
      profileId: ids.star,
      customerId: expect.any(Number),
      data: { byProfileId: ids.fan },
    })
    if (received.type === 'follow.created') expect(received.data.byProfileId).toBe(ids.fan)
    const bytes = new TextEncoder().encode(delivery.text)
    expect(await verifyWebhook(bytes, new Headers(delivery.headers), endpoint.secret)).toEqual(received)
    expect(await verifyWebhook(bytes.buffer, delivery.headers, [SECRET, endpoint.secret])).toEqual(received)
  })

  test('has two signatures after the secret was rotated: each is enough', async () => {
    const rotated = (await service.operator('POST', `/operator/v1/webhooks/${endpoint.id}/secret`)).body
    await service.operator('POST', `/operator/v1/webhooks/${endpoint.id}/test`)
    await untilReceived(receiver, 2)
    const { text, headers } = receiver.received[1] as Received
    expect(headers['webhook-signature']?.split(' ')).toHaveLength(2)
    for (const secret of [endpoint.secret, rotated.secret]) {
      expect(await verifyWebhook(text, headers, secret)).toMatchObject({ type: 'test', position: 0, data: {} })
    }
  })
})

describe('a delivery that the library has signed', () => {
  test('is verified', async () => {
    expect(await verifyWebhook(body, signed(body), SECRET)).toEqual({
      ...event,
      timestamp: new Date(event.timestamp),
      subject: { type: 'comment', id: 28 },
      profileId: 1,
      customerId: null,
      data: { byProfileId: 2 },
    })
  })

  test('has the signature that an application’s tests make', async () => {
    const at = new Date()
    expect(await signWebhook(body, SECRET, { id: 'msg_1', at })).toEqual(signed(body, at))
    const headers = await signWebhook(new TextEncoder().encode(body), SECRET)
    expect(await verifyWebhook(body, headers, SECRET)).toMatchObject({ position: 3 })
  })

  test('is refused if anything of it was changed', async () => {
    const invalid = 'No signature of the webhook is valid'
    const headers = signed(body)
    const other = `whsec_${Buffer.from('another secret of 32 bytes......').toString('base64')}`
    expect(await refusal(verifyWebhook(body.replace('28', '29'), headers, SECRET))).toBe(invalid)
    expect(await refusal(verifyWebhook(body, { ...headers, 'webhook-id': 'msg_2' }, SECRET))).toBe(invalid)
    expect(await refusal(verifyWebhook(body, headers, other))).toBe(invalid)
    expect(await refusal(verifyWebhook(body, headers, []))).toBe(invalid)
    for (const signature of ['v1,', 'v1,%%%', 'v2,abcd', headers['webhook-signature']?.slice(3) as string]) {
      const changed = { ...headers, 'webhook-signature': signature }
      expect(await refusal(verifyWebhook(body, changed, SECRET))).toBe(invalid)
    }
    const later = { ...headers, 'webhook-timestamp': `${Number(headers['webhook-timestamp']) + 1}` }
    expect(await refusal(verifyWebhook(body, later, SECRET))).toBe(invalid)
  })

  test('is refused if it is too old, from the future, or has no time', async () => {
    const late = 'The webhook is too old, or from the future'
    for (const seconds of [-301, 302]) {
      const headers = signed(body, new Date(Date.now() + seconds * 1000))
      expect(await refusal(verifyWebhook(body, headers, SECRET))).toBe(late)
      expect(await verifyWebhook(body, headers, SECRET, { toleranceMs: 600_000 })).toMatchObject({ position: 3 })
    }
    expect(await refusal(verifyWebhook(body, { ...signed(body), 'webhook-timestamp': 'now' }, SECRET))).toBe(late)
    const { 'webhook-id': _, ...rest } = signed(body)
    expect(await refusal(verifyWebhook(body, rest, SECRET))).toBe('A header of the webhook is missing')
  })
})
