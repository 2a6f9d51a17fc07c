// What a request costs in statements, once the caller is known. A clock would say less and change with the machine.

import { expect, test } from 'vitest'
import { useService } from '../harness/service.ts'

const service = useService()

async function statementsOf(method: string, path: string, ticket: string): Promise<number> {
  await service.call(method, path, { ticket })
  const before = service.context.metrics.statements()
  const reply = await service.call(method, path, { ticket })
  expect(reply.status).toBeLessThan(300)
  return service.context.metrics.statements() - before
}

test('warm requests cost the statements that they need and no more', async () => {
  const [reader, star, fan] = [await service.member(), await service.member(), await service.member()]
  await service.call('POST', `/v1/profiles/me/followings/${star.profileId}`, { ticket: fan.ticket })
  const costs = {
    getProfile: await statementsOf('GET', `/v1/profiles/${star.profileId}`, reader.ticket),
    getMyProfile: await statementsOf('GET', '/v1/profiles/me', reader.ticket),
    getFollowers: await statementsOf('GET', `/v1/profiles/${star.profileId}/followers`, reader.ticket),
    getMyFollowers: await statementsOf('GET', '/v1/profiles/me/followers', star.ticket),
    latest: await statementsOf('GET', '/v1/profiles/followers/latestFollowers', reader.ticket),
    mostFollowed: await statementsOf('GET', '/v1/profiles/followers/mostFollowed', reader.ticket),
    mostFollowedOfTheWeek: await statementsOf('GET', '/v1/profiles/followers/mostFollowed?numDays=7', reader.ticket),
    followAgain: await statementsOf('POST', `/v1/profiles/me/followings/${star.profileId}`, fan.ticket),
    update: await statementsOf('PUT', '/v1/profiles/me?biography=Hello', reader.ticket),
  }
  expect(costs).toEqual({
    getProfile: 1,
    getMyProfile: 1,
    getFollowers: 1,
    getMyFollowers: 1,
    latest: 1,
    mostFollowed: 1,
    mostFollowedOfTheWeek: 2,
    followAgain: 2,
    update: 2,
  })
})
