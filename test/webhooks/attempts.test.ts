// What an operator sees of each attempt, and deliveries that are sent again by range and filter.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { writing } from '../../src/platform/database/database.ts'
import { deleteOldDeliveries } from '../../src/webhooks/retention.ts'
import { MAX_WAITING } from '../../src/webhooks/send-again.ts'
import { type Json, type TestCustomer, useService } from '../harness/service.ts'
import { newMatch, newTip, type TestOutcome } from '../harness/sportsbook.ts'
import {
  accept,
  deliveriesOf,
  newWebhook,
  status,
  untilReceived,
  untilStates,
  useReceivers,
} from '../harness/webhooks.ts'
import { newToken } from '../operator/cases.ts'

const service = useService({}, { webhooks: true })
const receiver = useReceivers(service)
let author: TestCustomer & { profileId: number }
let outcomes: TestOutcome[]

beforeAll(async () => {
  // Attempts are repeated when a test moves the clock, and not while it looks.
  service.clock.hold()
  author = await service.member()
  outcomes = await newMatch(service, { outcomes: 4 })
})
afterAll(() => expect(service.logged()).not.toContain('whsec_'))

/** With a new ticket, because the clock moves. */
async function tip(outcome = 0): Promise<number> {
  const ticket = (await service.context.sessions?.issue(author.id, null))?.ticket ?? ''
  return newTip(service, { ...author, ticket }, (outcomes[outcome] as TestOutcome).id)
}

async function details(id: string, deliveryId: string, token?: string): Promise<Json> {
  const path = `/operator/v1/webhooks/${id}/deliveries/${deliveryId}`
  const { status, body } = await service.operator('GET', path, undefined, token)
  expect([status, body]).toEqual([200, expect.anything()])
  return body
}

const resend = (id: string, body: object) => service.operator('POST', `/operator/v1/webhooks/${id}/resend`, body)

/** Lets deliveries fail for good, without ten attempts. */
const failAll = writing<{ endpointId: number; now: number }>(
  'failAllDeliveries',
  `update webhook_delivery set state = 'failed', due_at = null, sending_until = null, finished_at = :now
   where endpoint_id = :endpointId and state = 'waiting'`,
)
const fail = (id: string) =>
  service.context.database.run(failAll, { endpointId: Number(id), now: service.context.now() })

test('a delivery has its payload, and each attempt the beginning of its answer', async () => {
  const target = await receiver((response) =>
    response.writeHead(500, { 'content-type': 'text/plain', 'x-reason': 'broken' }).end('Not today'),
  )
  const { id } = await newWebhook(service, target.url, ['tip.created'])
  await tip()
  await expect.poll(() => deliveriesOf(service, id)).toMatchObject([{ attempts: 1, status: 500 }])
  target.answerWith(accept)
  service.clock.advance(6_000)
  const [delivery] = await untilStates(service, id, ['delivered'])
  const { payload, answers, ...same } = await details(id, delivery.id)
  expect(same).toEqual(delivery)
  expect(target.received.map(({ text }) => text)).toEqual([payload, payload])
  expect(answers).toMatchObject([
    { number: 1, status: 500, error: 'Answered 500.', body: 'Not today' },
    { number: 2, status: 204, error: null, body: '' },
  ])
  // Of a header that nobody knows only the name is shown.
  expect(answers[0].head).toMatch(/^content-type: text\/plain\nx-reason: …\n/)
})

test('no connection is an attempt without an answer', async () => {
  const target = await receiver()
  const { id } = await newWebhook(service, target.url)
  await target.close()
  await service.operator('POST', `/operator/v1/webhooks/${id}/test`)
  const [{ id: deliveryId }] = await untilStates(service, id, ['failed'])
  const { answers, payload } = await details(id, deliveryId)
  expect(answers).toMatchObject([
    { number: 1, status: null, error: 'The connection was refused.', head: null, body: null },
  ])
  expect(JSON.parse(payload)).toMatchObject({ type: 'test' })
})

const CARD = '4111 1111 1111 1111'

test('answers are stored without secrets and card numbers, and bounded', async () => {
  const target = await receiver()
  const { id, secret } = await newWebhook(service, target.url)
  target.answerWith((response) => {
    const headers = { 'set-cookie': 'session=sesame-1', 'x-auth-token': 'sesame-2', 'x-long': 'y'.repeat(6_000) }
    response.writeHead(200, headers)
    response.write(`{"password": "sesame-3", "card": "${CARD}", "cv2":"737", "echo": "${secret}"}\u0000\n`)
    response.write('authorization: Bearer sesame-4\npassword=sesame-5&a=b\n<secret>sesame-6</secret>\n')
    // A card number where the stored part ends.
    response.end(`${'.'.repeat(3_700)}${CARD.replaceAll(' ', '').repeat(40)}${'z'.repeat(30_000)}`)
  })
  await service.operator('POST', `/operator/v1/webhooks/${id}/test`)
  const [{ id: deliveryId }] = await untilStates(service, id, ['delivered'])
  const [{ head, body }] = (await details(id, deliveryId)).answers
  expect([head.length <= 2_000, body.length <= 4_000]).toEqual([true, true])
  const shown = `${head}\n${body}`
  expect(shown).not.toMatch(/sesame|4111|737|whsec_/)
  expect(shown).not.toContain(secret)
  expect(shown).toContain('a=b')
  const rows = await service.context.database.query(storedAnswers, {})
  expect(JSON.stringify(rows)).not.toMatch(/sesame|4111|whsec_/)
})

const storedAnswers = writing<Record<string, never>, { head: string | null; body: string | null }>(
  'storedAnswers',
  'update webhook_attempt set number = number returning head, body',
)

test('reading a payload that not everybody may see is in the audit trail; an auditor reads it too', async () => {
  const target = await receiver()
  const { id } = await newWebhook(service, target.url, ['flag.created', 'tip.created'])
  const flagger = await service.member()
  await service.call('PUT', `/v1/profiles/${author.profileId}/flag`, { ticket: flagger.ticket })
  await tip()
  const deliveries = await untilStates(service, id, ['delivered', 'delivered'])
  const { token } = await newToken(service, 'auditor')
  for (const one of deliveries) await details(id, one.id, token)
  const { items } = (await service.operator('GET', '/operator/v1/audit?operation=getWebhookDelivery')).body
  const personal = deliveries.find(({ type }) => type === 'flag.created')
  expect(items.map(({ subject }: Json) => subject)).toEqual([expect.stringContaining(personal?.id)])
})

test('lists are filtered by state, type and time', async () => {
  const target = await receiver()
  const { id } = await newWebhook(service, target.url, ['tip.created'])
  await tip(0)
  await untilStates(service, id, ['delivered'])
  service.clock.advance(60_000)
  const middle = new Date(service.clock.now()).toISOString()
  await service.operator('POST', `/operator/v1/webhooks/${id}/test`)
  await untilStates(service, id, ['delivered', 'delivered'])
  target.answerWith(status(500))
  await tip(1)
  await expect.poll(async () => (await deliveriesOf(service, id)).map((one) => one.attempts)).toEqual([1, 1, 1])
  await fail(id)
  const types = async (query: string) =>
    (await deliveriesOf(service, id, query)).map(({ type, state }) => `${type} ${state}`)
  expect(await types('&state=failed')).toEqual(['tip.created failed'])
  expect(await types('&type=test')).toHaveLength(1)
  expect(await types(`&until=${middle}`)).toEqual(['tip.created delivered'])
  expect(await types(`&from=${middle}&type=tip.created`)).toEqual(['tip.created failed'])
  const first = (await service.operator('GET', `/operator/v1/webhooks/${id}/deliveries?limit=2`)).body
  const rest = (await service.operator('GET', `/operator/v1/webhooks/${id}/deliveries?limit=2&cursor=${first.cursor}`))
    .body
  expect([...first.items, ...rest.items].map((one: Json) => one.id)).toEqual(
    (await deliveriesOf(service, id)).map((one) => one.id),
  )
  expect(rest.cursor).toBeNull()
  expect((await service.operator('GET', `/operator/v1/webhooks/${id}/deliveries?from=2026-02-30`)).status).toBe(422)
})

test('failed deliveries of a range are sent again: each event once, in order, and not a second time', async () => {
  const target = await receiver(status(500))
  const { id } = await newWebhook(service, target.url, ['tip.created', 'tip.removed'])
  const tips = [await tip(0), await tip(1)]
  await service.operator('POST', `/operator/v1/moderation/comments/${tips[0]}`, { action: 'remove', note: '' })
  await expect.poll(async () => (await deliveriesOf(service, id)).length).toBe(3)
  await untilReceived(target, 2)
  await expect.poll(async () => (await deliveriesOf(service, id)).map((one) => one.attempts)).toEqual([0, 1, 1])
  await fail(id)
  target.answerWith(accept)
  target.received.length = 0
  const from = new Date(service.clock.now() - 60_000).toISOString()
  service.clock.advance(1_000)
  const until = new Date(service.clock.now() - 500).toISOString()
  expect((await resend(id, { from, until: from })).body).toEqual({ resent: 0, continueFrom: null })
  expect((await resend(id, { from, until, types: ['tip.created'] })).body).toEqual({ resent: 2, continueFrom: null })
  expect((await resend(id, { from, until })).body).toEqual({ resent: 1, continueFrom: null })
  expect((await resend(id, { from, until })).body).toEqual({ resent: 0, continueFrom: null })
  await untilReceived(target, 3)
  const ofFirst = target.received.filter(({ body }) => body.data.subject.id === `${tips[0]}`)
  expect(ofFirst.map(({ body }) => body.type)).toEqual(['tip.created', 'tip.removed'])
  await untilStates(service, id, ['delivered', 'delivered', 'delivered', 'failed', 'failed', 'failed'])
  const resent = (await deliveriesOf(service, id)).map(({ resentAt }) => resentAt !== null)
  expect(resent).toEqual([false, false, false, true, true, true])
  // What was sent again is left out, however the range is chosen: three calls send each event once.
  service.clock.advance(1_000)
  for (const range of [{ from }, { from: until }]) {
    expect((await resend(id, { ...range, state: 'delivered' })).body).toEqual({ resent: 0, continueFrom: null })
  }
  const { items } = (await service.operator('GET', '/operator/v1/audit?operation=resendWebhookDeliveries&limit=1')).body
  expect(items).toMatchObject([{ subject: id }])
})

const fillWaiting = writing<{ endpointId: number; now: number; count: number }>(
  'fillWaitingDeliveries',
  `insert into webhook_delivery (endpoint_id, position, kind, subject_type, subject_id, event_at, created_at, state, finished_at)
   with recursive n (i) as (select 1 union all select i + 1 from n where i < cast(:count as bigint))
   select cast(:endpointId as bigint), (select max(position) from event_log), 'tip.created', 'comment', cast(i as text), cast(:now as bigint),
     cast(:now as bigint), 'failed', cast(:now as bigint) from n`,
)

test('a range is sent again in parts: no more wait than a thousand, and the next part is refused until they are sent', async () => {
  // It never answers.
  const { id } = await newWebhook(service, (await receiver(() => {})).url)
  const now = service.clock.now()
  await service.context.database.run(fillWaiting, { endpointId: Number(id), now, count: MAX_WAITING + 200 })
  service.clock.advance(1_000)
  const from = new Date(now - 1_000).toISOString()
  const first = await resend(id, { from })
  expect(first.body).toEqual({ resent: MAX_WAITING, continueFrom: new Date(now).toISOString() })
  const second = await resend(id, { from: first.body.continueFrom })
  expect([second.status, second.body.detail]).toEqual([409, expect.stringContaining('1000 deliveries')])
  const [newest] = await deliveriesOf(service, id, '&state=failed')
  const one = `/operator/v1/webhooks/${id}/deliveries/${newest.id}/resend`
  expect((await service.operator('POST', one)).status).toBe(409)
  expect((await service.operator('POST', `/operator/v1/webhooks/${id}/test`)).status).toBe(409)
  await fail(id)
  // What was sent again and failed again is sent again too.
  service.clock.advance(1_000)
  const third = await resend(id, { from: first.body.continueFrom, until: new Date(now + 1).toISOString() })
  expect(third.body).toEqual({ resent: 200, continueFrom: null })
})

test('attempts are deleted with their delivery', async () => {
  const { id } = await newWebhook(service, (await receiver()).url)
  await service.operator('POST', `/operator/v1/webhooks/${id}/test`)
  await untilStates(service, id, ['delivered'])
  const { database, now } = service.context
  await deleteOldDeliveries(database, now() + 1, now())
  expect(await database.query(storedAnswers, {})).toEqual([])
})
