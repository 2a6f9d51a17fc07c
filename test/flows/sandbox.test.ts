import { expect, test } from 'vitest'
import { SANDBOX_CUSTOMERS, SANDBOX_KEY, SANDBOX_SECRET } from '../../src/sandbox/world/customers.ts'
import { brokenInvariants } from '../harness/community-invariants.ts'
import { caughtUp } from '../harness/notifications.ts'
import { useService } from '../harness/service.ts'

const service = useService({ SANDBOX_SEED: 'people', LOG_LEVEL: 'silent' })
const AT = '/v1/communities/comments'
const get = (path: string, ticket: string) =>
  service.call('GET', AT + path, { key: SANDBOX_KEY, secret: SANDBOX_SECRET, ticket, accept: 'application/json' })

test.each(SANDBOX_CUSTOMERS)('every list shows $username something', async ({ ticket }) => {
  for (const list of ['/profiles/me', '/profiles/me/followings', '/profiles/1', '/profiles/2', '/profiles/3']) {
    for (const query of ['status=A', 'status=W', 'status=A&sortOrder=L', 'status=A&sortOrder=E']) {
      expect([list, query, (await get(`${list}?${query}`, ticket)).status]).toEqual([list, query, 200])
    }
  }
  expect((await get('/outcomes/top', ticket)).json().whoCommunities.event.length).toBeGreaterThan(5)
})

test('the sandbox has likes, flags, a suspended market and a bet without a tip', async () => {
  expect(await brokenInvariants(service.context.database)).toEqual({})
  const queue = await service.operator('GET', '/operator/v1/moderation/queue?kind=comment')
  expect(queue.body.items.map((item: { flags: number }) => item.flags)).toEqual([3, 1, 1])
  const path = `${AT}/me/outcomes/80021?betId=70012&text=Travels+well`
  const { ticket } = SANDBOX_CUSTOMERS[0]
  const created = await service.call('POST', path, { key: SANDBOX_KEY, secret: SANDBOX_SECRET, ticket })
  expect([created.status, created.text]).toEqual([200, expect.stringContaining('<name>Desert Lantern</name>')])
  const liked = await get('/profiles/2?status=A&sortOrder=L', ticket)
  expect(Number([liked.json().whoCommunities.comment].flat()[0].event.market.outcome.numLikes)).toBeGreaterThan(0)
})

test.each(SANDBOX_CUSTOMERS)(
  '$username has notifications at the first start, all but three of them read',
  async ({ ticket }) => {
    await caughtUp(service.context.database)
    const credentials = { key: SANDBOX_KEY, secret: SANDBOX_SECRET, ticket, accept: 'application/json' }
    const reply = await service.call('GET', '/v1/profiles/me/notifications?blockSize=100', credentials)
    expect([reply.status, reply.text]).toEqual([200, expect.any(String)])
    const { numUnread, notification } = reply.json().whoNotifications
    expect(Number(numUnread)).toBe(3)
    expect([...new Set(notification.map(({ type }: { type: string }) => type))]).toEqual(
      expect.arrayContaining(['followed', 'liked', 'settled']),
    )
    const times = notification.map((one: { createdDateTimeZoned: string }) => Date.parse(one.createdDateTimeZoned))
    expect(times).toEqual(times.toSorted((one: number, other: number) => other - one))
  },
)

test.each(SANDBOX_CUSTOMERS)('$username can read why a tip was removed, and may appeal', async ({ ticket }) => {
  const credentials = { key: SANDBOX_KEY, secret: SANDBOX_SECRET, ticket, accept: 'application/json' }
  const { decision } = (await service.call('GET', '/v1/moderation/me', credentials)).json().whoDecisions
  expect([decision].flat()).toContainEqual(
    expect.objectContaining({
      party: 'author',
      type: 'comment',
      action: 'remove',
      statement: expect.stringMatching(/\w/),
      isAppealable: 'Y',
    }),
  )
})
