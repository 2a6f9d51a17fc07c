// The decisions of docs/contract-notes.md where the contract is silent, but for those that have suites of their own.

import { expect, test } from 'vitest'
import { type NoParameters, writing } from '../../src/platform/database/database.ts'
import { expectFault } from '../harness/answers.ts'
import { type Json, type TestCustomer, useService } from '../harness/service.ts'
import { newMatch, operatorOk, postTip, type TestOutcome } from '../harness/sportsbook.ts'
import { deposit, newDepositor, paidOrFaultCode } from '../harness/wallets.ts'

const service = useService()
const HOUR = 3_600_000
const JSON_TYPE = 'application/json'

type Member = TestCustomer & { profileId: number }
const follow = (fan: TestCustomer, star: Member, method = 'POST') =>
  service.call(method, `/v1/profiles/me/followings/${star.profileId}`, { ticket: fan.ticket })

async function profilesAt(path: string): Promise<Json[]> {
  const reply = await service.call('GET', `/v1/profiles/${path}`, { accept: JSON_TYPE })
  return reply.status === 204 ? [] : reply.json().whoProfiles.map((entry: Json) => entry.profile)
}

test.each([1, 7, 30])('mostFollowed of %i days counts periods of 24 hours, not calendar days', async (days) => {
  const [fan, star] = [await service.member(), await service.member()]
  const ranked = async () => {
    const profiles = await profilesAt(`followers/mostFollowed?numDays=${days}`)
    return profiles.some(({ id }) => id === `${star.profileId}`)
  }
  await follow(fan, star)
  service.clock.advance(days * 24 * HOUR - 60_000)
  expect(await ranked()).toBe(true)
  service.clock.advance(120_000)
  expect(await ranked()).toBe(false)
})

test.each([
  [7, 1],
  [1, 3],
  [100, 30],
  [4, 8],
])('priceFrac of %i and %i is written as it is, with any positive denominator', async (num, den) => {
  const [outcome] = (await newMatch(service)) as [TestOutcome]
  await operatorOk(service, 'PATCH', `/outcomes/${outcome.id}`, { price: { num, den } })
  const reply = await postTip(service, await service.member(), outcome.id)
  expect(reply.json().whoCommunities.comment.event.market.outcome.livePrice.priceFrac).toBe(`${num}/${den}`)
})

test('a deposit of a customer who is not verified is 24004', async () => {
  const { id, ticket, method } = await newDepositor(service)
  expect(paidOrFaultCode(await deposit(service, { ticket, method }))).toBe('paid')
  await operatorOk(service, 'PUT', `/customers/${id}`, { verified: false })
  expect(paidOrFaultCode(await deposit(service, { ticket, method }))).toBe('24004')
})

test('counts have active profiles only and agree with the lists; an inactive profile can be unfollowed', async () => {
  const [fan, star, other] = [await service.member(), await service.member(), await service.member()]
  for (const one of [star, other]) await follow(fan, one)
  await follow(star, fan)
  await operatorOk(service, 'POST', `/moderation/profiles/${star.profileId}`, { action: 'deactivate' })
  const [shown] = await profilesAt(`${fan.profileId}`)
  expect([shown.numFollowings, shown.numFollowers]).toEqual(['1', '0'])
  expect((await profilesAt(`${fan.profileId}/followings`)).map(({ id }) => id)).toEqual([`${other.profileId}`])
  expect(await profilesAt(`${fan.profileId}/followers`)).toEqual([])
  const reply = await follow(fan, star, 'DELETE')
  expect([reply.status, reply.text]).toEqual([200, expect.stringContaining('<status>I</status>')])
  await operatorOk(service, 'POST', `/moderation/profiles/${star.profileId}`, { action: 'reactivate' })
  expect((await profilesAt(`${fan.profileId}`))[0].numFollowings).toBe('1')
  expect((await profilesAt(`${fan.profileId}/followers`)).map(({ id }) => id)).toEqual([`${star.profileId}`])
})

test('DELETE of an expired or unknown ticket answers 200', async () => {
  const { ticket } = await service.customer()
  service.clock.advance(9 * HOUR)
  for (const over of [ticket, ticket, 'TGT-1-never-was']) {
    const reply = await service.call('DELETE', `/v1/sessions/tickets/${over}`)
    expect([reply.status, reply.text]).toEqual([200, expect.stringContaining(`<ticket>${over}</ticket>`)])
  }
})

const endAllSessions = writing<NoParameters>('endAllSessions', 'delete from session')

test('a ticket is cached for 3 seconds, by its exact text', async () => {
  service.clock.hold()
  const { ticket } = await service.customer()
  const use = (as: string) => service.call('GET', '/v1/profiles/me', { ticket: as })
  expect((await use(ticket)).status).toBe(200)
  await service.context.database.run(endAllSessions, {})
  expect((await use(ticket)).status).toBe(200)
  for (const other of [ticket.toLowerCase(), `${ticket}x`, ticket.slice(0, -1)]) {
    expectFault(await use(other), '/v1/profiles', 'ticketInvalid', 'who-ticket')
  }
  service.clock.advance(2_999)
  expect((await use(ticket)).status).toBe(200)
  service.clock.advance(1)
  expectFault(await use(ticket), '/v1/profiles', 'ticketInvalid', 'who-ticket')
})
