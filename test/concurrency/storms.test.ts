import { expect, test } from 'vitest'
import { reading } from '../../src/platform/database/database.ts'
import { type Json, type TestCustomer, useService } from '../harness/service.ts'
import { untilAvailable } from '../harness/until-available.ts'

const service = useService()
const JSON_TYPE = 'application/json'
type Member = TestCustomer & { profileId: number }

const members = (count: number): Promise<Member[]> => Promise.all(Array.from({ length: count }, () => service.member()))

const counts = async (ticket: string) => {
  const reply = await service.call('GET', '/v1/profiles/me', { ticket, accept: JSON_TYPE })
  const { numFollowers, numFollowings } = reply.json().whoProfiles[0].profile
  return { followers: Number(numFollowers), followings: Number(numFollowings) }
}

const listed = async (ticket: string, list: string): Promise<string[]> => {
  const reply = await service.call('GET', `/v1/profiles/me/${list}?blockSize=100`, { ticket, accept: JSON_TYPE })
  return reply.status === 204 ? [] : reply.json().whoProfiles.map((entry: Json) => entry.profile.id)
}

test('50 clients that follow and unfollow one profile at once see exact counts at every moment', async () => {
  const star = await service.member()
  const fans = await members(50)
  const path = `/v1/profiles/me/followings/${star.profileId}`
  let running = true
  const watcher = (async () => {
    while (running) {
      const { followers } = await counts(star.ticket)
      expect(followers).toBeGreaterThanOrEqual(0)
      expect(followers).toBeLessThanOrEqual(50)
    }
  })()
  await Promise.all(
    fans.map(async (fan, index) => {
      for (let turn = 0; turn < 6; turn++) {
        const method = turn % 2 === 0 ? 'POST' : 'DELETE'
        const reply = await untilAvailable(() => service.call(method, path, { ticket: fan.ticket }))
        expect(reply.status).toBe(method === 'POST' ? 204 : 200)
      }
      if (index % 2 === 0) {
        await untilAvailable(() => service.call('POST', path, { ticket: fan.ticket }))
      }
    }),
  )
  running = false
  await watcher
  expect(await counts(star.ticket)).toEqual({ followers: 25, followings: 0 })
  expect(new Set(await listed(star.ticket, 'followers'))).toEqual(
    new Set(fans.filter((_, index) => index % 2 === 0).map((fan) => `${fan.profileId}`)),
  )
})

test('the same follow sent 20 times at once creates one follow', async () => {
  const [fan, star] = (await members(2)) as [Member, Member]
  const path = `/v1/profiles/me/followings/${star.profileId}`
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => service.call('POST', path, { ticket: fan.ticket })),
  )
  expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([204]))
  expect([await counts(star.ticket), await counts(fan.ticket)]).toEqual([
    { followers: 1, followings: 0 },
    { followers: 0, followings: 1 },
  ])
})

test('everybody follows everybody at once, both ways, without a deadlock', async () => {
  const everybody = await members(10)
  await Promise.all(
    everybody.flatMap((fan) =>
      everybody
        .filter((star) => star !== fan)
        .map(async (star) => {
          const path = `/v1/profiles/me/followings/${star.profileId}`
          expect((await service.call('POST', path, { ticket: fan.ticket })).status).toBe(204)
        }),
    ),
  )
  for (const one of everybody) expect(await counts(one.ticket)).toEqual({ followers: 9, followings: 9 })
})

test('follows are written if and only if they are answered so, while the profile is deactivated and reactivated', async () => {
  const [star, ...fans] = (await members(21)) as [Member, ...Member[]]
  const decisions = (async () => {
    for (const action of ['deactivate', 'reactivate', 'deactivate', 'reactivate']) {
      const path = `/operator/v1/moderation/profiles/${star.profileId}`
      expect((await service.operator('POST', path, { action })).status).toBe(200)
    }
  })()
  const path = `/v1/profiles/me/followings/${star.profileId}`
  const replies = await Promise.all(fans.map(({ ticket }) => service.call('POST', path, { ticket })))
  await decisions
  expect(replies.filter(({ status }) => status !== 204 && status !== 404)).toEqual([])
  const followers = fans.filter((_, index) => replies[index]?.status === 204).map(({ profileId }) => `${profileId}`)
  expect((await listed(star.ticket, 'followers')).sort()).toEqual(followers.sort())
  expect(await counts(star.ticket)).toEqual({ followers: followers.length, followings: 0 })
})

test('20 concurrent first reads of me create one profile', async () => {
  const { ticket } = await service.customer()
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => service.call('GET', '/v1/profiles/me', { ticket, accept: JSON_TYPE })),
  )
  expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([200]))
  expect(new Set(replies.map((reply) => reply.json().whoProfiles[0].profile.id)).size).toBe(1)
})

test('of 20 concurrent first reads of my followers, one answers with the profile that it created', async () => {
  const { ticket } = await service.customer()
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => service.call('GET', '/v1/profiles/me/followers', { ticket })),
  )
  const statuses = replies.map((reply) => reply.status).sort()
  expect(statuses).toEqual([200, ...new Array(19).fill(204)])
})

test('of 20 customers who take one name at once, one gets it', async () => {
  const everybody = await members(20)
  const replies = await Promise.all(
    everybody.map(({ ticket }, index) =>
      service.call('PUT', `/v1/profiles/me?name=${index % 2 ? 'The+One' : 'THE%20ONE'}`, { ticket }),
    ),
  )
  const statuses = replies.map((reply) => reply.status).sort()
  expect(statuses).toEqual([200, ...new Array(19).fill(409)])
})

test('20 concurrent flags by one customer count as one flag', async () => {
  const [flagger, flagged] = (await members(2)) as [Member, Member]
  const path = `/v1/profiles/${flagged.profileId}/flag`
  await Promise.all(Array.from({ length: 20 }, () => service.call('PUT', path, { ticket: flagger.ticket })))
  const peek = reading<{ id: number }, { flags: number }>(
    'peekReview',
    'select flags from review where subject_id = :id',
  )
  expect(await service.context.database.query(peek, { id: flagged.profileId })).toEqual([{ flags: 1 }])
})
