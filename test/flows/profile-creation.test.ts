// A customer's profile is created by the first call that needs it, and only if that call succeeds.

import { expect, test } from 'vitest'
import { useService } from '../harness/service.ts'
import { newMatch, type TestOutcome } from '../harness/sportsbook.ts'

const service = useService()

async function profileOf(customerId: number): Promise<string | null> {
  return (await service.operator('GET', `/operator/v1/customers/${customerId}`)).body.profileId
}

test.each([
  ['PUT', '/v1/profiles/me?name=Taken', 409],
  ['PUT', '/v1/profiles/me?name=Taken&biography=Fine', 409],
  ['PUT', '/v1/profiles/me?name=player-999999', 409],
  ['PUT', '/v1/profiles/me?name=!!!', 400],
  ['PUT', '/v1/profiles/me?biography=what+the+fuck', 400],
  ['PUT', `/v1/profiles/me?name=${'x'.repeat(31)}`, 400],
  ['PUT', '/v1/profiles/me/picture', 400],
  ['GET', '/v1/profiles/me?communities=y', 400],
  ['GET', '/v1/profiles/me/followers?blockSize=0', 400],
  ['POST', '/v1/profiles/me/followings/999999', 404],
  ['DELETE', '/v1/profiles/me/followings/999999', 404],
  ['PUT', '/v1/profiles/999999/flag', 404],
  ['POST', '/v1/communities/comments/999999/like', 400],
  ['POST', '/v1/communities/comments/999999/flag', 400],
  ['POST', '/v1/communities/comments/me/outcomes/999999?betId=1&text=Sound', 400],
])('a refused %s %s creates no profile', async (method, path, status) => {
  const owner = await service.member()
  await service.call('PUT', '/v1/profiles/me?name=Taken', { ticket: owner.ticket })
  const { id, ticket } = await service.customer()
  expect((await service.call(method, path, { ticket })).status).toBe(status)
  expect(await profileOf(id)).toBeNull()
})

test('an update creates the profile with its changes, or with none', async () => {
  for (const [query, name] of [
    ['name=New+here', 'New here'],
    ['', /^player-\d+$/],
  ] as const) {
    const { id, ticket } = await service.customer()
    const reply = await service.call('PUT', `/v1/profiles/me?${query}`, { ticket, accept: 'application/json' })
    const { profile } = reply.json().whoProfiles[0]
    expect(profile.name).toMatch(name)
    expect(await profileOf(id)).toBe(profile.id)
  }
})

test('a tip that is refused for its bet creates no profile', async () => {
  const [outcome] = (await newMatch(service)) as [TestOutcome]
  const { id, ticket } = await service.customer()
  const path = `/v1/communities/comments/me/outcomes/${outcome.id}?betId=1&text=Sound`
  expect((await service.call('POST', path, { ticket })).status).toBe(400)
  expect(await profileOf(id)).toBeNull()
})
