// Mutes and blocks one by one: what they answer, what ends, and what stays.

import { afterEach, describe, expect, test } from 'vitest'
import { deleteEndedMutes } from '../../src/mutes/mute.ts'
import { type NoParameters, reading } from '../../src/platform/database/database.ts'
import { expectFault } from '../harness/answers.ts'
import { brokenInvariants } from '../harness/community-invariants.ts'
import { type Listener, listen } from '../harness/event-source.ts'
import { notificationsOf, positioned, summary } from '../harness/notifications.ts'
import { call, type Json, startTestService, type TestCustomer, useService } from '../harness/service.ts'
import { commentIds, newMatch, newTip, operatorOk, type TestOutcome } from '../harness/sportsbook.ts'

const service = useService()
const listeners: Listener[] = []

type Member = TestCustomer & { profileId: number }

const COMMENTS = '/v1/communities/comments'
const FEED = 'profiles/me/followings?status=A'

afterEach(async () => {
  for (const listener of listeners.splice(0)) listener.close()
  expect(await brokenInvariants(service.context.database)).toEqual({})
})

const two = async (): Promise<[Member, Member]> => [await service.member(), await service.member()]
const newOutcome = async () => (await newMatch(service))[0] as TestOutcome

async function act({ ticket }: TestCustomer, method: string, path: string): Promise<Json> {
  const reply = await service.call(method, path, { ticket, accept: 'application/json' })
  expect([path, reply.status, reply.text]).toEqual([path, expect.toBeOneOf([200, 204]), expect.any(String)])
  return reply.status === 204 ? null : reply.json()
}

const mute = (who: Member, whom: Member, hours = '') =>
  act(who, 'PUT', `/v1/profiles/me/mutes/${whom.profileId}${hours}`)
const unmute = (who: Member, whom: Member) => act(who, 'DELETE', `/v1/profiles/me/mutes/${whom.profileId}`)
const block = (who: Member, whom: Member) => act(who, 'PUT', `/v1/profiles/me/blocks/${whom.profileId}`)
const unblock = (who: Member, whom: Member) => act(who, 'DELETE', `/v1/profiles/me/blocks/${whom.profileId}`)
const follow = (who: Member, whom: Member) => act(who, 'POST', `/v1/profiles/me/followings/${whom.profileId}`)
const like = (who: Member, tip: number) => act(who, 'POST', `${COMMENTS}/${tip}/like`)

async function listed(who: Member, list: 'mutes' | 'blocks'): Promise<number[]> {
  const json = await act(who, 'GET', `/v1/profiles/me/${list}`)
  return json === null ? [] : json.whoProfiles.map(({ profile }: Json) => Number(profile.id))
}

async function countsOf({ profileId }: Member): Promise<[followings: string, followers: string]> {
  const reply = await service.call('GET', `/v1/profiles/${profileId}`, { accept: 'application/json' })
  const [{ profile }] = reply.json().whoProfiles
  return [profile.numFollowings, profile.numFollowers]
}

describe('a mute', () => {
  test('is answered as a follow is, and can be repeated', async () => {
    const [reader, author] = await two()
    for (const _ of [1, 2]) expect(await mute(reader, author)).toBeNull()
    expect(await listed(reader, 'mutes')).toEqual([author.profileId])
    for (const _ of [1, 2]) {
      expect((await unmute(reader, author)).whoProfiles).toEqual([
        { profile: { id: `${author.profileId}`, status: 'I' } },
      ])
    }
    expect(await listed(reader, 'mutes')).toEqual([])
  })

  test('hides tips from the home feed alone, and changes no count', async () => {
    const [reader, author] = await two()
    await follow(reader, author)
    const tip = await newTip(service, author, (await newOutcome()).id)
    await mute(reader, author)
    expect(await commentIds(service, FEED, reader.ticket)).toEqual([])
    expect(await commentIds(service, `profiles/${author.profileId}?status=A`, reader.ticket)).toEqual([tip])
    await act(reader, 'GET', `${COMMENTS}/${tip}`)
    await like(reader, tip)
    expect([await countsOf(reader), await countsOf(author)]).toEqual([
      ['1', '0'],
      ['0', '1'],
    ])
    await unmute(reader, author)
    expect(await commentIds(service, FEED, reader.ticket)).toEqual([tip])
  })

  test('holds for a follow that is made later', async () => {
    const [reader, author] = await two()
    const tip = await newTip(service, author, (await newOutcome()).id)
    await mute(reader, author)
    await follow(reader, author)
    expect(await commentIds(service, FEED, reader.ticket)).toEqual([])
    await unmute(reader, author)
    expect(await commentIds(service, FEED, reader.ticket)).toEqual([tip])
  })

  test('again after it has ended is the newest of the list', async () => {
    const [reader, first] = await two()
    const [, second] = await two()
    await mute(reader, first, '?hours=1')
    service.clock.advance(3_601_000)
    await mute(reader, second)
    await mute(reader, first)
    expect(await listed(reader, 'mutes')).toEqual([first.profileId, second.profileId])
  })

  test('ends with its hours, at once; the row is deleted later', async () => {
    const [reader, author] = await two()
    await follow(reader, author)
    const tip = await newTip(service, author, (await newOutcome()).id)
    await mute(reader, author)
    // The later one replaces it.
    await mute(reader, author, '?hours=1')
    service.clock.advance(3_599_000)
    expect(await commentIds(service, FEED, reader.ticket)).toEqual([])
    service.clock.advance(2_000)
    expect(await commentIds(service, FEED, reader.ticket)).toEqual([tip])
    expect(await listed(reader, 'mutes')).toEqual([])
    const [, another] = await two()
    await mute(reader, another, '?hours=8760')
    const { database, now } = service.context
    await deleteEndedMutes(database, now())
    const left = reading<{ id: number }, { other_id: number }>(
      'mutesLeft',
      'select other_id from profile_mute where profile_id = :id',
    )
    expect(await database.query(left, { id: reader.profileId })).toEqual([{ other_id: another.profileId }])
  })

  test('keeps notifications and events of what the muted one does away', async () => {
    const [author, fan] = await two()
    const friend = await service.member()
    const tip = await newTip(service, author, (await newOutcome()).id)
    await mute(author, fan)
    await follow(author, fan)
    const position = await newest()
    const listener = await connected(author)
    await follow(fan, author)
    await like(fan, tip)
    await newTip(service, fan, (await newOutcome()).id)
    await follow(friend, author)
    const [event] = await listener.until(1)
    expect(event?.data.data.byProfileId).toBe(`${friend.profileId}`)
    // The same for a client that was away meanwhile.
    const resumed = await connected(author, position)
    expect((await resumed.until(1)).map(({ data }) => data.data.byProfileId)).toEqual([`${friend.profileId}`])
    expect(summary(await notificationsOf(service, author.ticket))).toEqual([`followed 1 by ${friend.profileId}`])
    await unmute(author, fan)
    await act(fan, 'DELETE', `${COMMENTS}/${tip}/like`)
    await like(fan, tip)
    expect(summary(await notificationsOf(service, author.ticket))).toEqual([
      `liked tip ${tip} 1 by ${fan.profileId}`,
      `followed 1 by ${friend.profileId}`,
    ])
  })
})

async function connected({ ticket }: Member, lastEventId?: number): Promise<Listener> {
  const listener = listen(service.publicUrl, { ticket, ...(lastEventId === undefined ? {} : { lastEventId }) })
  listeners.push(listener)
  await listener.greeted()
  return listener
}

async function newest(): Promise<number> {
  const { database } = service.context
  await positioned(database)
  const statement = reading<NoParameters, { position: number }>(
    'newestNow',
    'select max(position) as position from event_log',
  )
  return (await database.one(statement, {}))?.position ?? 0
}

describe('a block', () => {
  test('ends follows in both directions with their counts, and taking it back restores none', async () => {
    const [one, other] = await two()
    await follow(one, other)
    await follow(other, one)
    const before = await newest()
    for (const _ of [1, 2]) await block(one, other)
    expect([await countsOf(one), await countsOf(other)]).toEqual([
      ['0', '0'],
      ['0', '0'],
    ])
    await positioned(service.context.database)
    const { body } = await service.operator('GET', `/operator/v1/events?after=${before}`)
    expect(body.events.map(({ type, profileId }: Json) => [type, profileId]).sort()).toEqual(
      [one, other].map(({ profileId }) => ['follow.ended', `${profileId}`]).sort(),
    )
    expect([await listed(one, 'blocks'), await listed(other, 'blocks')]).toEqual([[other.profileId], []])
    for (const _ of [1, 2]) await unblock(one, other)
    expect([await countsOf(one), await countsOf(other)]).toEqual([
      ['0', '0'],
      ['0', '0'],
    ])
    await follow(other, one)
  })

  test('each is answered exactly as for an id that does not exist', async () => {
    const [one, other] = await two()
    const ids = { [one.profileId]: 0, [other.profileId]: 0 }
    for (const member of [one, other]) ids[member.profileId] = await newTip(service, member, (await newOutcome()).id)
    await block(one, other)
    const profilePaths = [
      ['GET', ''],
      ['GET', '?communities=Y'],
      ['GET', '/followers'],
      ['GET', '/followings'],
      ['GET', '/record'],
      ['GET', '/record/tips'],
      ['PUT', '/flag'],
    ].map(([method, after]) => [method, `/v1/profiles/ID${after}`])
    const relations = ['followings', 'followers', 'mutes', 'blocks'].flatMap((list) =>
      [/^f/.test(list) ? 'POST' : 'PUT', 'DELETE'].map((method) => [method, `/v1/profiles/me/${list}/ID`]),
    )
    const comments = [
      ['GET', ''],
      ...['like', 'flag'].flatMap((what) => ['POST', 'DELETE'].map((method) => [method, `/${what}`])),
    ].map(([method, after]) => [method, `${COMMENTS}/TIP${after}`])
    const all = [...profilePaths, ...relations, ...comments, ['GET', `${COMMENTS}/profiles/ID?status=A`]]
    for (const [viewer, hidden] of [
      [one, other],
      [other, one],
    ] as const) {
      // The blocker can repeat the block and take it back.
      for (const [method = '', path = ''] of all.filter(
        ([, path]) => viewer === other || !path?.includes('/blocks/'),
      )) {
        const send = (id: number, tip: number) =>
          service.call(method, path.replace('ID', `${id}`).replace('TIP', `${tip}`), { ticket: viewer.ticket })
        const reply = await send(hidden.profileId, ids[hidden.profileId] as number)
        const unknown = await send(999_999_999, 999_999_999)
        const place = [method, path]
        const withoutIds = (text: string) => text.replace(/faultId>[^<]*</g, '')
        expect([...place, reply.status, withoutIds(reply.text)]).toEqual([
          ...place,
          unknown.status,
          withoutIds(unknown.text),
        ])
        expect(reply.status).toBeGreaterThanOrEqual(400)
      }
    }
    // Without a ticket everybody sees both.
    for (const { profileId } of [one, other])
      expect((await service.call('GET', `/v1/profiles/${profileId}`)).status).toBe(200)
  })

  test('forgets what each was notified of about the other; likes stay counted', async () => {
    const [author, fan] = await two()
    const friend = await service.member()
    const tip = await newTip(service, author, (await newOutcome()).id)
    for (const one of [fan, friend]) {
      await like(one, tip)
      await follow(one, author)
    }
    expect((await notificationsOf(service, author.ticket)).notification).toHaveLength(2)
    await block(fan, author)
    expect(summary(await notificationsOf(service, author.ticket)).sort()).toEqual([
      `followed 1 by ${friend.profileId}`,
      `liked tip ${tip} 1 by ${friend.profileId}`,
    ])
    expect((await service.call('GET', `${COMMENTS}/${tip}`)).text).toContain('<numLikes>2</numLikes>')
  })

  test('lists show only active profiles, and hide a mute behind a block', async () => {
    const [one, other] = await two()
    const third = await service.member()
    await mute(one, other)
    await mute(one, third)
    await block(other, one)
    expect(await listed(one, 'mutes')).toEqual([third.profileId])
    await operatorOk(service, 'POST', `/moderation/profiles/${third.profileId}`, { action: 'deactivate', note: '' })
    expect(await listed(one, 'mutes')).toEqual([])
    expectFault(
      await service.call('PUT', `/v1/profiles/me/blocks/${third.profileId}`, { ticket: one.ticket }),
      '/v1/profiles/me/blocks/{id}',
      'noProfile',
      'id',
    )
  })

  test('the ranking of a window shows the next ones in place of those who are hidden', async () => {
    const reader = await service.member()
    const stars = await Promise.all(Array.from({ length: 23 }, () => service.member()))
    const fans = await Promise.all([1, 2].map(() => service.member()))
    for (const star of stars) for (const fan of fans) await follow(fan, star)
    const hidden = stars.slice(0, 3)
    for (const star of hidden) await block(reader, star)
    const json = await act(reader, 'GET', '/v1/profiles/followers/mostFollowed?numDays=1')
    const shown = json.whoProfiles.map(({ profile }: Json) => Number(profile.id))
    expect(shown).toHaveLength(20)
    expect(shown.filter((id: number) => hidden.some(({ profileId }) => profileId === id))).toEqual([])
  })
})

test('a fault changes nothing: no profile is created for it', async () => {
  const { id, ticket } = await service.customer()
  await service.call('PUT', '/v1/profiles/me/blocks/999999999', { ticket })
  await service.call('DELETE', '/v1/profiles/me/mutes/999999999', { ticket })
  const profile = reading<{ id: number }, { id: number }>(
    'itsProfile',
    'select id from profile where customer_id = :id',
  )
  expect(await service.context.database.one(profile, { id })).toBeUndefined()
  expect((await service.call('GET', '/v1/profiles/me/mutes', { ticket })).status).toBe(204)
})

test('personal data: exported to the owner alone, and erased', async () => {
  const [owner, other] = await two()
  const friend = await service.member()
  await follow(owner, friend)
  await mute(owner, friend, '?hours=2')
  await mute(owner, other)
  await block(owner, other)
  await block(friend, owner)
  const path = (who: Member) => `/operator/v1/customers/${who.id}/personal-data`
  const exported = async (who: Member) => {
    const { body } = await service.operator('GET', path(who))
    return { mutes: body.mutes.map(({ profileId, until }: Json) => [profileId, until]), blocks: body.blocks }
  }
  expect(await exported(owner)).toEqual({
    mutes: [
      [`${other.profileId}`, null],
      [`${friend.profileId}`, expect.stringMatching(/^20/)],
    ],
    blocks: [{ profileId: `${other.profileId}`, since: expect.any(String) }],
  })
  expect((await exported(other)).blocks).toEqual([])
  await service.operator('DELETE', path(owner))
  expect(await exported(owner)).toEqual({ mutes: [], blocks: [] })
  expect((await exported(friend)).blocks).toHaveLength(1)
  expect(await listed(friend, 'blocks')).toEqual([owner.profileId])
})

test('without extensions nothing serves or describes them', async () => {
  const contract = await startTestService({ EXTENSIONS: 'off' })
  try {
    const { ticket } = await contract.member()
    for (const path of ['mutes', 'blocks']) {
      const reply = await call(contract.publicUrl, 'GET', `/v1/profiles/me/${path}`, { ticket })
      expectFault(reply, `/v1/profiles/me/${path}`, 'noSuchPath', undefined)
    }
    for (const path of ['/openapi.json', '/postman.json', '/docs', '/docs/search.json']) {
      expect(await (await fetch(contract.publicUrl + path)).text()).not.toMatch(/getMyMutes|blockProfile/)
    }
  } finally {
    await contract.close()
  }
})
