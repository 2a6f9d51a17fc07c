import sharp from 'sharp'
import { beforeEach, expect, test } from 'vitest'
import { reading } from '../../src/platform/database/database.ts'
import { type Json, type TestCustomer, useService } from '../harness/service.ts'
import { untilAvailable } from '../harness/until-available.ts'
import { newToken } from './cases.ts'

const service = useService()

type Member = TestCustomer & { profileId: number }

async function members(count: number): Promise<Member[]> {
  return Promise.all(Array.from({ length: count }, () => service.member()))
}

async function flag(subject: Member, ...flaggers: Member[]): Promise<void> {
  for (const { ticket } of flaggers) {
    expect((await service.call('PUT', `/v1/profiles/${subject.profileId}/flag`, { ticket })).status).toBe(204)
  }
}

function decide(profileId: number, action: string, note = '', token?: string) {
  return service.operator('POST', `/operator/v1/moderation/profiles/${profileId}`, { action, note }, token)
}

async function queue(query = ''): Promise<Json> {
  return (await service.operator('GET', `/operator/v1/moderation/queue?kind=profile${query}`)).body
}

async function queuedIds(): Promise<number[]> {
  return (await queue('&limit=100')).items.map((one: { id: string }) => Number(one.id))
}

beforeEach(async () => {
  for (const id of await queuedIds()) await decide(id, 'keep')
})

test('an empty queue is empty', async () => {
  expect(await queue()).toEqual({ items: [], cursor: null, waiting: 0 })
})

test('the queue shows content, author, flags and earlier decisions, in the order of its weights', async () => {
  const [once, thrice, twice, ...flaggers] = (await members(6)) as [Member, Member, Member, ...Member[]]
  const update = '/v1/profiles/me?name=Thrice%20Flagged&biography=All%20about%20me'
  await service.call('PUT', update, { ticket: thrice.ticket })
  await decide(thrice.profileId, 'reset-biography', 'spam')
  await service.call('PUT', update, { ticket: thrice.ticket })
  const start = service.clock.now()
  await flag(once, flaggers[0] as Member)
  await flag(thrice, ...flaggers)
  await flag(twice, ...flaggers.slice(1))
  await flag(twice, flaggers[1] as Member)

  const { items, cursor } = await queue()
  expect(cursor).toBeNull()
  expect(items.map((one: Json) => [Number(one.id), one.flags])).toEqual([
    [thrice.profileId, 3],
    [twice.profileId, 2],
    [once.profileId, 1],
  ])
  expect(items[0]).toEqual({
    kind: 'profile',
    id: `${thrice.profileId}`,
    version: expect.any(String),
    flags: 3,
    flaggedAt: expect.any(String),
    weight: '1.50',
    trustedFlags: 0,
    reasons: [],
    labels: [],
    assignment: null,
    premoderated: false,
    actions: ['deactivate', 'keep', 'reset-name', 'reset-biography'],
    content: {
      name: 'Thrice Flagged',
      biography: 'All about me',
      picture: '/pictures/default.png',
      status: 'active',
    },
    author: { customerId: `${thrice.id}`, profileId: `${thrice.profileId}` },
    decisions: [
      {
        id: expect.stringMatching(/^[0-9]+$/),
        action: 'reset-biography',
        note: 'spam',
        actor: 'bootstrap',
        at: expect.any(String),
        ground: 'terms',
        clause: 'general',
        statement: 'Our moderators found that this content breaks our community rules.',
        automated: false,
      },
    ],
  })
  expect(Date.parse(items[0].flaggedAt)).toBeGreaterThanOrEqual(start)
  expect(items[2].content.name).toBe(`player-${once.profileId}`)
  expect(items[2].decisions).toEqual([])
})

test('pages of the queue have every subject once and the total, and cost the same statements whatever the length', async () => {
  const all = await members(12)
  const flaggers = await members(3)
  for (const [index, member] of all.entries()) await flag(member, ...flaggers.slice(0, (index % 3) + 1))
  const order = (await queue('&limit=100')).items.map((one: Json) => [-one.flags, Number(one.id)])
  expect(order).toHaveLength(12)
  expect(order).toEqual([...order].sort((one, other) => one[0] - other[0] || one[1] - other[1]))
  for (const limit of [1, 4, 5, 12]) {
    const seen: string[] = []
    let cursor = ''
    do {
      const before = service.statements()
      const page = await queue(`&limit=${limit}&cursor=${cursor}`)
      // Three for the page, three for the entry in the audit trail.
      expect(service.statements() - before).toBe(6)
      expect(page.waiting).toBe(12)
      expect(page.items).toHaveLength(Math.min(limit, 12 - seen.length))
      seen.push(...page.items.map((one: Json) => Number(one.id)))
      cursor = page.cursor
    } while (cursor !== null)
    expect(seen).toEqual(order.map(([, id]: number[]) => id))
  }
})

test('a kept profile leaves the queue until it is flagged again', async () => {
  const [subject, first, second] = (await members(3)) as [Member, Member, Member]
  await flag(subject, first)
  expect(await queuedIds()).toEqual([subject.profileId])
  const kept = await decide(subject.profileId, 'keep', 'a matter of taste')
  expect(kept.body).toMatchObject({ flags: 0, flagsEver: 1, flaggedAt: null, content: { status: 'active' } })
  expect(await queuedIds()).toEqual([])
  await flag(subject, first)
  expect(await queuedIds()).toEqual([])
  await flag(subject, second)
  const [item] = (await queue()).items
  expect(item).toMatchObject({ id: `${subject.profileId}`, flags: 1 })
  expect(item.decisions.map((one: Json) => [one.action, one.note])).toEqual([['keep', 'a matter of taste']])
})

const undecided = reading<{ id: number }, { flags: number }>(
  'undecided',
  `select count(*) as flags from flag where kind = 'profile' and subject_id = :id and decided = 0`,
)

test('flags that race with decisions are decided or queued, never lost', async () => {
  const flaggers = await members(12)
  for (let round = 0; round < 6; round++) {
    const subject = await service.member()
    const { profileId } = subject
    const decisions = flaggers.map(() => untilAvailable(() => decide(profileId, 'keep')))
    const path = `/v1/profiles/${profileId}/flag`
    const flags = flaggers.map(({ ticket }) => untilAvailable(() => service.call('PUT', path, { ticket })))
    for (const reply of await Promise.all(flags)) expect(reply.status).toBe(204)
    for (const reply of await Promise.all(decisions)) expect(reply.status).toBe(200)
    const { body } = await service.operator('GET', `/operator/v1/moderation/profiles/${profileId}`)
    const [left] = await service.context.database.query(undecided, { id: profileId })
    expect([body.flags, body.flagsEver, body.decisions.length]).toEqual([left?.flags, 12, 12])
  }
})

test('a moderator sees a profile with its history, active or not', async () => {
  const { token } = await newToken(service, 'moderator', 'Moderator Max')
  const [subject, flagger] = (await members(2)) as [Member, Member]
  await flag(subject, flagger)
  const path = `/operator/v1/moderation/profiles/${subject.profileId}`
  const read = await service.operator('GET', path, undefined, token)
  expect([read.status, read.body]).toEqual([
    200,
    {
      kind: 'profile',
      id: `${subject.profileId}`,
      version: expect.any(String),
      actions: ['deactivate', 'keep'],
      flags: 1,
      weight: '0.50',
      trustedFlags: 0,
      reasons: [],
      labels: [],
      assignment: null,
      premoderated: false,
      flagsEver: 1,
      flaggedAt: expect.any(String),
      content: {
        name: `player-${subject.profileId}`,
        biography: '',
        picture: '/pictures/default.png',
        status: 'active',
      },
      author: { customerId: `${subject.id}`, profileId: `${subject.profileId}` },
      decisions: [],
    },
  ])
  await decide(subject.profileId, 'deactivate', 'one', token)
  const last = await decide(subject.profileId, 'reset-name', 'two', token)
  expect(last.body.decisions.map((one: Json) => [one.action, one.note, one.actor])).toEqual([
    ['deactivate', 'one', 'Moderator Max'],
    ['reset-name', 'two', 'Moderator Max'],
  ])
  expect((await service.operator('GET', path, undefined, token)).body).toEqual(last.body)
  expect(last.body.content.status).toBe('inactive')
})

test('each reset returns one part of a profile to its default', async () => {
  const subject = await service.member()
  const { ticket, profileId } = subject
  const picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  await service.call('PUT', '/v1/profiles/me?name=Rude%20Rita&biography=Come%20and%20see', { ticket })
  expect((await service.call('PUT', '/v1/profiles/me/picture', { ticket, body: picture })).status).toBe(200)
  const { content } = (await service.operator('GET', `/operator/v1/moderation/profiles/${profileId}`)).body
  expect(content.picture).toMatch(/^\/pictures\/[0-9a-f]{32}\.(png|jpg)$/)
  expect((await service.call('GET', content.picture)).status).toBe(200)

  const noName = await decide(profileId, 'reset-name')
  expect([noName.status, noName.body.content]).toEqual([200, { ...content, name: `player-${profileId}` }])
  const noText = await decide(profileId, 'reset-biography')
  expect(noText.body.content).toEqual({ ...noName.body.content, biography: '' })
  const noPicture = await decide(profileId, 'reset-picture')
  expect(noPicture.body.content).toEqual({ ...noText.body.content, picture: '/pictures/default.png' })
  expect((await service.call('GET', content.picture)).status).toBe(404)
  expect((await decide(profileId, 'reset-picture')).status).toBe(200)

  const shown = await service.call('GET', `/v1/profiles/${profileId}`, { accept: 'application/json' })
  expect(shown.json().whoProfiles[0].profile).toMatchObject({
    name: `player-${profileId}`,
    biography: '',
    picture: '/pictures/default.png',
  })
  const other = await service.member()
  const taken = await service.call('PUT', '/v1/profiles/me?name=Rude%20Rita', { ticket: other.ticket })
  expect(taken.status).toBe(200)
})

test.each([
  [{}, '/action'],
  [{ action: 'ban' }, '/action'],
  [{ action: 'remove' }, '/action'],
  [{ action: 'keep', note: 'x'.repeat(1001) }, '/note'],
  [{ action: 'keep', note: 'a\u0000b' }, '/note'],
  [{ action: 'keep', why: 'because' }, '/why'],
])('the decision %j is refused', async (body, pointer) => {
  const { profileId } = await service.member()
  const reply = await service.operator('POST', `/operator/v1/moderation/profiles/${profileId}`, body)
  expect([reply.status, reply.body.errors[0].pointer]).toEqual([422, pointer])
})

test('an unknown profile is not found, and nothing is written', async () => {
  for (const id of ['0', '404404', '999999999999999']) {
    const path = `/operator/v1/moderation/profiles/${id}`
    expect((await service.operator('GET', path)).status).toBe(404)
    expect((await service.operator('POST', path, { action: 'keep' })).status).toBe(404)
  }
  expect((await service.operator('GET', '/operator/v1/moderation/profiles/me')).status).toBe(422)
})

test.each([
  ['kind=comments', 'query/kind'],
  ['kind=', null],
  ['', null],
  ['kind=profile&cursor=zzz', 'query/cursor'],
  [`kind=profile&cursor=${Buffer.from('5').toString('base64url')}`, 'query/cursor'],
  [`kind=profile&cursor=${Buffer.from('99999999999,1').toString('base64url')}`, null],
  ['kind=profile&limit=1000', 'query/limit'],
  ['kind=profile&page=2', 'query/page'],
])('the queue refuses ?%s', async (query, pointer) => {
  const reply = await service.operator('GET', `/operator/v1/moderation/queue?${query}`)
  expect([reply.status, reply.body.errors?.[0].pointer ?? null]).toEqual([pointer === null ? 200 : 422, pointer])
})

test('only actions that would change something are offered', async () => {
  const [one, flagger] = (await members(2)) as [Member, Member]
  const offered = async () =>
    (await service.operator('GET', `/operator/v1/moderation/profiles/${one.profileId}`)).body.actions
  expect(await offered()).toEqual(['deactivate'])
  await flag(one, flagger)
  await service.call('PUT', '/v1/profiles/me?name=Some%20One&biography=Me', { ticket: one.ticket })
  expect(await offered()).toEqual(['deactivate', 'keep', 'reset-name', 'reset-biography'])
  await decide(one.profileId, 'deactivate')
  expect(await offered()).toEqual(['reactivate', 'reset-name', 'reset-biography'])
})

test('the second of two moderators is refused when the first has changed the profile, with the first decision', async () => {
  const [one] = (await members(1)) as [Member]
  const path = `/operator/v1/moderation/profiles/${one.profileId}`
  const { version } = (await service.operator('GET', path)).body
  const ann = await newToken(service, 'moderator', 'Ann of profiles')
  expect((await service.operator('POST', path, { action: 'deactivate', version }, ann.token)).status).toBe(200)
  for (const action of ['deactivate', 'reactivate', 'keep', 'reset-name']) {
    const { status, body } = await service.operator('POST', path, { action, version })
    expect([action, status]).toEqual([action, 409])
    expect(body.meanwhile).toMatchObject([{ action: 'deactivate', actor: 'Ann of profiles' }])
    expect(body.current).toMatchObject({ content: { status: 'inactive' }, actions: ['reactivate'] })
  }
  const now = (await service.operator('GET', path)).body
  expect([now.content.status, now.decisions.length]).toEqual(['inactive', 1])
  expect((await service.operator('POST', path, { action: 'reactivate', version: now.version })).status).toBe(200)
})

test('a decision on a text that its author has changed since is refused; new likes and flags do not matter', async () => {
  const [one, flagger] = (await members(2)) as [Member, Member]
  const path = `/operator/v1/moderation/profiles/${one.profileId}`
  const { version } = (await service.operator('GET', path)).body
  await flag(one, flagger)
  expect((await service.operator('GET', path)).body.version).toBe(version)
  await service.call('PUT', '/v1/profiles/me?biography=Another', { ticket: one.ticket })
  const { status, body } = await service.operator('POST', path, { action: 'keep', version })
  expect([status, body.meanwhile, body.current.content.biography]).toEqual([409, [], 'Another'])
  expect(body.detail).toContain('its author changed it')
  const { errors } = (await service.operator('POST', path, { action: 'keep', version: 'x' })).body
  expect(errors).toEqual([{ pointer: '/version', detail: 'must be the version that the subject was shown with' }])
})
