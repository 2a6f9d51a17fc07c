// The stream of the console: what waits, and who looks at what.

import { afterEach, expect, test } from 'vitest'
import { beginConsoleSession } from '../../src/identity/operators/console-sessions.ts'
import { recordPresence, viewersNow } from '../../src/streams/console/presence.ts'
import { freePort } from '../harness/free-port.ts'
import { openIdSettings, startOpenIdProvider } from '../harness/openid-provider.ts'
import {
  type Json,
  newTestDatabase,
  OPERATOR_TOKEN,
  startTestService,
  type TestService,
  useService,
} from '../harness/service.ts'
import { deposit, newDepositor, sweepUntil } from '../harness/wallets.ts'
import { newToken } from '../operator/cases.ts'

const service = useService({ STREAM_HEARTBEAT_SECONDS: '1' })
const opened: AbortController[] = []
afterEach(() => {
  for (const one of opened.splice(0)) one.abort()
})

/** The latest data of each type of event. */
async function watch(at: TestService = service, headers?: Record<string, string>) {
  const abort = new AbortController()
  opened.push(abort)
  const response = await fetch(`${at.operatorUrl}/operator/v1/stream`, {
    headers: headers ?? { authorization: `Bearer ${OPERATOR_TOKEN}` },
    signal: abort.signal,
  })
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
  const seen: { latest: Json; text: string; over: boolean } = { latest: {}, text: '', over: false }
  const reading = async () => {
    for await (const chunk of response.body ?? []) {
      seen.text += Buffer.from(chunk)
      for (const [, type = '', data = ''] of seen.text.matchAll(/^event: (\w+)\ndata: (.*)\n\n/gm)) {
        seen.latest[type] = JSON.parse(data)
      }
    }
  }
  void reading()
    .catch(() => {})
    .finally(() => {
      seen.over = true
    })
  await expect.poll(() => seen.latest.viewers, { interval: 20 }).toBeDefined()
  return seen
}

const look = (tab: string, item: object | null, token?: string, at: TestService = service) =>
  at.operator('PUT', '/operator/v1/presence', { tab, item }, token)

async function flag(): Promise<number> {
  const [flagged, by] = [await service.member(), await service.member()]
  await service.call('PUT', `/v1/profiles/${flagged.profileId}/flag`, { ticket: by.ticket })
  return flagged.profileId
}

test('counts of both queues and of deposits in review, when they change', async () => {
  const seen = await watch()
  expect(seen.latest).toEqual({
    counts: {
      profiles: { waiting: 0, newest: [] },
      comments: { waiting: 0, newest: [] },
      appeals: { waiting: 0, newest: [] },
      deposits: { waiting: 0, newest: [] },
      held: { waiting: 0 },
      withdrawals: { waiting: 0 },
      disputes: { waiting: 0 },
      unapplied: { waiting: 0 },
      webhooks: { failing: 0 },
    },
    viewers: [],
  })
  const id = await flag()
  await expect.poll(() => seen.latest.counts.profiles.waiting).toBe(1)
  expect(seen.latest.counts.profiles.newest).toEqual([expect.stringMatching(/^20.*Z$/)])
  await flag()
  await expect.poll(() => seen.latest.counts.profiles.waiting).toBe(2)
  await service.operator('POST', `/operator/v1/moderation/profiles/${id}`, { action: 'keep' })
  await expect.poll(() => seen.latest.counts.profiles.waiting).toBe(1)
  const depositor = await newDepositor(service, { token: 'sandbox:capture-refused' })
  await deposit(service, depositor)
  await sweepUntil(service, depositor.id, ['REVIEW'])
  await expect.poll(() => seen.latest.counts.deposits.waiting).toBe(1)
  expect(seen.latest.counts.deposits.newest).toEqual([expect.stringMatching(/^20.*Z$/)])
  // Nothing is sent while nothing changes.
  const before = seen.text.match(/^event:/gm)?.length
  await new Promise((resolve) => setTimeout(resolve, 2_500))
  expect(seen.text.match(/^event:/gm)?.length).toBe(before)
  const { latest } = await watch()
  expect(latest).toEqual(seen.latest)
})

test('counts endpoints of webhooks that fail', async () => {
  const sending = await startTestService({ WEBHOOK_PRIVATE_ADDRESSES: 'on' }, undefined, { webhooks: true })
  const seen = await watch(sending)
  // Nobody listens at this port.
  await sending.operator('POST', '/operator/v1/webhooks', { url: `http://127.0.0.1:${await freePort()}/` })
  await sending.member()
  await expect.poll(() => seen.latest.counts.webhooks.failing).toBe(1)
  await sending.close()
})

test('who looks at what, for all services on the database, until they leave or are silent for 30 seconds', async () => {
  const testDatabase = await newTestDatabase()
  const one = await startTestService({}, testDatabase)
  const other = await startTestService({}, testDatabase)
  const [ann, bob] = [await newToken(one, 'moderator', 'ann'), await newToken(one, 'admin', 'bob')]
  const seen = await watch(other)
  expect((await look('tab-of-ann', { kind: 'profile', id: '7' }, ann.token, one)).status).toBe(204)
  await look('first-of-bob', { kind: 'profile', id: '7' }, bob.token, one)
  await look('second-of-bob', { kind: 'deposit', id: 'a-b-c' }, bob.token, other)
  const all = [
    { operator: 'bob', kind: 'deposit', id: 'a-b-c' },
    { operator: 'ann', kind: 'profile', id: '7' },
    { operator: 'bob', kind: 'profile', id: '7' },
  ]
  await expect.poll(() => seen.latest.viewers).toEqual(all)
  await look('tab-of-ann', { kind: 'comment', id: '8' }, ann.token, one)
  await look('first-of-bob', null, bob.token, one)
  await expect.poll(() => seen.latest.viewers).toEqual([{ operator: 'ann', kind: 'comment', id: '8' }, all[0]])
  other.clock.advance(31_000)
  await expect.poll(() => seen.latest.viewers).toEqual([])
  expect((await one.operator('GET', '/operator/v1/audit')).body.items.map(({ action }: Json) => action)).not.toContain(
    'setPresence',
  )
  await Promise.all([one.close(), other.close()])
  await expect.poll(() => seen.over).toBe(true)
  await testDatabase.remove()
})

test.each([{ tab: 'x' }, { tab: 'tab-of-a-test', item: { kind: 'customer', id: '1' } }, { item: null }])(
  'refuses the presence %j',
  async (body) => {
    expect((await service.operator('PUT', '/operator/v1/presence', body)).status).toBe(422)
  },
)

test('who looks at deposits is shown only to those who may read them', async () => {
  const [admin, moderator] = [await newToken(service, 'admin'), await newToken(service, 'moderator', 'mo')]
  const of = ({ token }: Json) => watch(service, { authorization: `Bearer ${token}` })
  const [seenByAdmin, seenByModerator] = [await of(admin), await of(moderator)]
  await look('tab-at-a-deposit', { kind: 'deposit', id: 'a-b-c' }, admin.token)
  await look('tab-at-a-profile', { kind: 'profile', id: '7' }, admin.token)
  const [atDeposit, atProfile] = [
    { kind: 'deposit', id: 'a-b-c' },
    { kind: 'profile', id: '7' },
  ]
  const by = (item: object) => ({ operator: admin.name, ...item })
  await expect.poll(() => seenByAdmin.latest.viewers).toEqual([by(atDeposit), by(atProfile)])
  await expect.poll(() => seenByModerator.latest.viewers).toEqual([by(atProfile)])
  expect(seenByModerator.text).not.toContain('a-b-c')
  expect((await look('tab-of-moderator', atDeposit, moderator.token)).status).toBe(403)
  for (const tab of ['tab-at-a-deposit', 'tab-at-a-profile']) await look(tab, null, admin.token)
})

test('who looks at what is over with the token, the session and their time', async () => {
  const { database, now } = service.context
  const { id, token } = await newToken(service, 'moderator', 'revoked')
  const item = { kind: 'profile', id: '77' } as const
  const viewers = async (at = now()) =>
    (await viewersNow(database, at)).filter((one) => one.id === '77').map(({ operator }) => operator)
  await look('tab-of-revoked', item, token)
  await beginConsoleSession(database, { name: 'ann', role: 'moderator', subject: 's' }, now())
  await recordPresence(database, { tab: 'tab-of-ann', operator: 'openid:ann', item }, now())
  await recordPresence(database, { tab: 'tab-of-bob', operator: 'openid:bob', item }, now())
  await look('tab-of-bootstrap', item)
  expect(await viewers()).toEqual(['bootstrap', 'openid:ann', 'revoked'])
  await service.operator('DELETE', `/operator/v1/tokens/${id}`)
  expect(await viewers()).toEqual(['bootstrap', 'openid:ann'])
  const brief = await service.operator('POST', '/operator/v1/tokens', {
    name: 'brief',
    role: 'moderator',
    expiresAt: new Date(now() + 20_000).toISOString(),
  })
  await look('tab-of-brief', item, brief.body.token)
  expect(await viewers()).toContain('brief')
  expect(await viewers(now() + 25_000)).not.toContain('brief')
  for (const tab of ['tab-of-ann', 'tab-of-bob', 'tab-of-brief', 'tab-of-bootstrap']) await look(tab, null)
})

test('ends with the token of its operator', async () => {
  const { id, token } = await newToken(service, 'moderator')
  const seen = await watch(service, { authorization: `Bearer ${token}` })
  expect((await service.operator('DELETE', `/operator/v1/tokens/${id}`)).status).toBe(204)
  await expect.poll(() => seen.over).toBe(true)
  const refused = await fetch(`${service.operatorUrl}/operator/v1/stream`, {
    headers: { authorization: `Bearer ${token}` },
  })
  expect(refused.status).toBe(401)
})

test('works with the cookie of a console session, and does not keep it alive', async () => {
  const provider = await startOpenIdProvider()
  const signedIn = await startTestService({ STREAM_HEARTBEAT_SECONDS: '1', ...(await openIdSettings(provider)) })
  const { database, now } = signedIn.context
  const secret = await beginConsoleSession(database, { name: 'ann', role: 'moderator', subject: 's' }, now())
  const headers = { cookie: `__Host-paddock-console=${secret}`, 'x-requested-by': 'console' }
  const seen = await watch(signedIn, headers)
  const used = async () => (await signedIn.operator('GET', '/operator/v1/console-sessions')).body.items[0].lastUsedAt
  const before = await used()
  signedIn.clock.advance(120_000)
  const present = await fetch(`${signedIn.operatorUrl}/operator/v1/presence`, {
    method: 'PUT',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ tab: 'tab-of-ann', item: { kind: 'profile', id: '7' } }),
  })
  expect(present.status).toBe(204)
  await expect.poll(() => seen.latest.viewers).toEqual([{ operator: 'openid:ann', kind: 'profile', id: '7' }])
  await expect.poll(() => /\n:\n\n$/.test(seen.text)).toBe(true)
  expect(await used()).toBe(before)
  // A page of another site cannot open it, and an hour without a call ends it.
  const foreign = await fetch(`${signedIn.operatorUrl}/operator/v1/stream`, { headers: { cookie: headers.cookie } })
  expect(foreign.status).toBe(403)
  signedIn.clock.advance(3_600_000)
  await expect.poll(() => seen.over).toBe(true)
  await signedIn.close()
  provider.close()
})
