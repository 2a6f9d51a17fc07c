import { beforeAll, describe, expect, test } from 'vitest'
import { expectFault } from '../harness/answers.ts'
import { type Json, type TestCustomer, useService } from '../harness/service.ts'

const service = useService()
const DAY = 86_400_000
type Member = TestCustomer & { profileId: number }
let members: Member[] = []

const follow = (fan: Member, star: Member, method = 'POST') =>
  service.call(method, `/v1/profiles/me/followings/${star.profileId}`, { ticket: fan.ticket })

async function ranking(query: string): Promise<[rank: string, id: string][]> {
  const reply = await service.call('GET', `/v1/profiles/followers/mostFollowed${query}`, { accept: 'application/json' })
  if (reply.status === 204) return []
  return reply.json().whoProfiles.map((entry: Json) => [entry.profile.rank, entry.profile.id])
}

const ids = (...indexes: number[]) => indexes.map((index, rank) => [`${rank + 1}`, `${members[index]?.profileId}`])
const at = (index: number) => members[index] as Member

/** Sessions expire meanwhile, so everybody logs in again. */
async function laterBy(milliseconds: number): Promise<void> {
  service.clock.advance(milliseconds)
  for (const member of members) {
    const issued = await service.context.sessions?.issue(member.id, null)
    member.ticket = issued?.ticket ?? ''
  }
}

describe('without follows', () => {
  test('both rankings answer 204', async () => {
    const { ticket } = await service.member()
    for (const path of ['latestFollowers', 'mostFollowed', 'mostFollowed?numDays=1']) {
      const reply = await service.call('GET', `/v1/profiles/followers/${path}`, { ticket })
      expect([reply.status, reply.text]).toEqual([204, ''])
    }
  })
})

describe('most followed', () => {
  beforeAll(async () => {
    members = await Promise.all(Array.from({ length: 6 }, () => service.member()))
    members.sort((one, other) => one.profileId - other.profileId)
    // 40 days ago: 0 gets three follows; 20 days ago: 1 gets two; 3 days ago: 2 gets two; today: 3 gets one.
    await Promise.all([1, 2, 3].map((fan) => follow(at(fan), at(0))))
    await laterBy(20 * DAY)
    await Promise.all([3, 4].map((fan) => follow(at(fan), at(1))))
    await laterBy(17 * DAY)
    await Promise.all([4, 5].map((fan) => follow(at(fan), at(2))))
    await laterBy(3 * DAY)
    await follow(at(5), at(3))
  })

  test.each([
    ['', [0, 1, 2, 3]],
    ['?numDays=0', [0, 1, 2, 3]],
    ['?numDays=', [0, 1, 2, 3]],
    ['?numDays=30', [1, 2, 3]],
    ['?numDays=7', [2, 3]],
    ['?numDays=1', [3]],
  ])('%s ranks by follows made in the window, ties by lower id', async (query, expected) => {
    expect(await ranking(query)).toEqual(ids(...expected))
  })

  test('only active follows count', async () => {
    await follow(at(3), at(0), 'DELETE')
    await follow(at(2), at(0), 'DELETE')
    await follow(at(5), at(3), 'DELETE')
    expect(await ranking('')).toEqual(ids(1, 2, 0))
    expect(await ranking('?numDays=1')).toEqual([])
  })

  test('the key may come in the query string, under either name; the header wins', async () => {
    const path = '/v1/profiles/followers/mostFollowed'
    for (const name of ['apiKey', 'who-apiKey', 'APIKEY', 'Who-ApiKey']) {
      expect((await service.call('GET', `${path}?${name}=test-key`, { key: null })).status).toBe(200)
    }
    expect((await service.call('GET', `${path}?apiKey=nobody`, {})).status).toBe(200)
    expect((await service.call('GET', `${path}?apiKey=test-key`, { key: 'nobody' })).status).toBe(401)
    const ticket = at(0).ticket
    const latest = await service.call('GET', '/v1/profiles/followers/latestFollowers?apiKey=test-key', {
      key: null,
      ticket,
    })
    expect(latest.status).toBe(200)
    expect((await service.call('GET', '/v1/profiles/me?apiKey=test-key', { key: null, ticket })).status).toBe(400)
    expect(
      (await service.call('GET', `${path}?apiKey=test-key&who-secret=test-secret`, { key: null, secret: null })).status,
    ).toBe(400)
  })

  test.each([
    ['apiKey=test-key&apiKey=test-key', 'apiKey'],
    ['apiKey=test-key&apiKey=', 'apiKey'],
    ['who-apiKey=test-key&who-apiKey=nobody', 'who-apiKey'],
    ['apiKey=test-key&APIKEY=test-key', 'apiKey'],
    ['apiKey=test-key&who-apiKey=test-key', 'who-apiKey'],
    ['apiKey=test%07key', 'apiKey'],
    ['apiKey=test-key%0A', 'apiKey'],
    ['apiKey=%FF', 'apiKey'],
  ])('a key given twice or malformed in the query string is invalid: %s', async (query, name) => {
    for (const list of ['mostFollowed', 'latestFollowers']) {
      const path = `/v1/profiles/followers/${list}?${query}`
      expectFault(await service.call('GET', path, { key: null, ticket: at(0).ticket }), path, 'invalid', name)
      expect((await service.call('GET', path, { ticket: at(0).ticket })).status).toBe(200)
    }
  })
})

describe('latest follows', () => {
  test('are pairs of follower and followee, newest first, twenty at most', async () => {
    const stars = await Promise.all(Array.from({ length: 22 }, () => service.member()))
    const fan = await service.member()
    for (const star of stars) await follow(fan, star)
    const path = '/v1/profiles/followers/latestFollowers'
    const reply = await service.call('GET', path, { ticket: fan.ticket, accept: 'application/json' })
    const follows = reply.json().whoProfiles
    expect(follows).toHaveLength(20)
    const newest = stars.reverse().slice(0, 20)
    expect(follows.map((entry: Json) => entry.follow.map((one: Json) => one.profile.id))).toEqual(
      newest.map((star) => [`${fan.profileId}`, `${star.profileId}`]),
    )
    const [follower, followee] = follows[0].follow.map((one: Json) => one.profile)
    expect(follower).toMatchObject({ relationship: 'follower', isFollowed: 'N' })
    expect(follower).not.toHaveProperty('status')
    expect(followee).toMatchObject({ relationship: 'followee', status: 'A', isFollowed: 'Y' })
    const xml = await service.call('GET', path, { ticket: fan.ticket })
    expect(xml.text).toContain(`<whoProfiles><follow><profile relationship="follower" id="${fan.profileId}">`)
    expect(xml.text).toContain(`</profile><profile relationship="followee" id="${newest[0]?.profileId}">`)
  })
})
