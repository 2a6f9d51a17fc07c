import { expect, test } from 'vitest'
import { useService } from '../harness/service.ts'

const service = useService()

test('a first read of me makes the profile with default values', async () => {
  const { ticket } = await service.customer({ username: 'a.private.name' })
  const reply = await service.call('GET', '/v1/profiles/me', { ticket, accept: 'application/json' })
  expect(reply.status).toBe(200)
  const { profile } = reply.json().whoProfiles[0]
  expect(profile).toEqual({
    id: expect.stringMatching(/^\d+$/),
    name: `player-${profile.id}`,
    biography: '',
    picture: '/pictures/default.png',
    createdDateTimeZoned: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/),
    numFollowings: '0',
    numFollowers: '0',
  })
})
