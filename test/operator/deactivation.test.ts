import { beforeEach, expect, test } from 'vitest'
import { type NoParameters, reading } from '../../src/platform/database/database.ts'
import { type Reply, type TestCustomer, useService } from '../harness/service.ts'

const service = useService()

type Member = TestCustomer & { profileId: number }

async function decide(member: Member, action: 'deactivate' | 'reactivate'): Promise<void> {
  const path = `/operator/v1/moderation/profiles/${member.profileId}`
  const reply = await service.operator('POST', path, { action, note: '' })
  expect([reply.status, reply.body.content?.status]).toEqual([200, action === 'deactivate' ? 'inactive' : 'active'])
}

function call(method: string, path: string, member?: Member): Promise<Reply> {
  const ticket = member === undefined ? {} : { ticket: member.ticket }
  return service.call(method, path, { ...ticket, accept: 'application/json' })
}

function follow(follower: Member, followee: Member): Promise<Reply> {
  return call('POST', `/v1/profiles/me/followings/${followee.profileId}`, follower)
}

/** Ids in a list answer; none for 204. */
async function idsAt(path: string, member?: Member): Promise<number[]> {
  const reply = await call('GET', path, member)
  return [...reply.text.matchAll(/"id":"(\d+)"/g)].map((match) => Number(match[1]))
}

async function counts(member: Member): Promise<[followers: number, followings: number]> {
  const { profile } = (await call('GET', '/v1/profiles/me', member)).json().whoProfiles[0]
  return [Number(profile.numFollowers), Number(profile.numFollowings)]
}

const wrongCounts = reading<NoParameters, { profile_id: number }>(
  'wrongCounts',
  `select c.profile_id from profile_count c join profile p on p.id = c.profile_id
   where c.num_followers <> (select count(*) from follow f join profile o on o.id = f.follower_id
       where f.followee_id = c.profile_id and o.status = 'A' and p.status = 'A')
     or c.num_followings <> (select count(*) from follow f join profile o on o.id = f.followee_id
       where f.follower_id = c.profile_id and o.status = 'A' and p.status = 'A')
     or exists (select 1 from follow f join profile o on o.id = f.follower_id
       where f.followee_id = c.profile_id
         and f.shown <> case when o.status = 'A' and p.status = 'A' then 1 else 0 end)`,
)

let [ann, ben, cat]: [Member, Member, Member] = [] as never

beforeEach(async () => {
  ann = await service.member()
  ben = await service.member()
  cat = await service.member()
})

test('a deactivated profile is hidden from others, stays visible to its owner, and can be reactivated', async () => {
  for (const [follower, followee] of [
    [ann, ben],
    [ben, ann],
    [cat, ben],
    [ben, cat],
  ] as const) {
    expect((await follow(follower, followee)).status).toBe(204)
  }
  const lists = [
    `/v1/profiles/${ann.profileId}/followers`,
    `/v1/profiles/${ann.profileId}/followings`,
    '/v1/profiles/followers/latestFollowers',
    '/v1/profiles/followers/mostFollowed',
    '/v1/profiles/followers/mostFollowed?numDays=7',
  ]
  for (const path of lists)
    expect([path, await idsAt(path, cat)]).toEqual([path, expect.arrayContaining([ben.profileId])])
  expect([await counts(ann), await counts(ben), await counts(cat)]).toEqual([
    [1, 1],
    [2, 2],
    [1, 1],
  ])

  await decide(ben, 'deactivate')
  for (const path of lists) expect(await idsAt(path, cat)).not.toContain(ben.profileId)
  expect([await counts(ann), await counts(cat)]).toEqual([
    [0, 0],
    [0, 0],
  ])
  for (const [method, path] of [
    ['GET', `/v1/profiles/${ben.profileId}`],
    ['GET', `/v1/profiles/${ben.profileId}?communities=Y`],
    ['GET', `/v1/profiles/${ben.profileId}/followers`],
    ['GET', `/v1/profiles/${ben.profileId}/followings`],
    ['POST', `/v1/profiles/me/followings/${ben.profileId}`],
    ['PUT', `/v1/profiles/${ben.profileId}/flag`],
  ] as const) {
    const reply = await call(method, path, cat)
    expect([method, path, reply.status, reply.json().whoFaults?.[0]?.faultCode ?? reply.text]).toEqual([
      method,
      path,
      404,
      '30410',
    ])
  }
  const own = await call('GET', '/v1/profiles/me', ben)
  expect([own.status, own.json().whoProfiles[0].profile.id]).toEqual([200, `${ben.profileId}`])
  const edited = await call('PUT', `/v1/profiles/me?biography=I%20am%20${ben.profileId}`, ben)
  expect(edited.status).toBe(200)

  await decide(ben, 'reactivate')
  for (const path of lists)
    expect([path, await idsAt(path, cat)]).toEqual([path, expect.arrayContaining([ben.profileId])])
  expect([await counts(ann), await counts(ben), await counts(cat)]).toEqual([
    [1, 1],
    [2, 2],
    [1, 1],
  ])
  expect((await call('GET', `/v1/profiles/${ben.profileId}`)).json().whoProfiles[0].profile.biography).toContain('I am')
})

test('deactivating twice, or reactivating an active profile, changes no count', async () => {
  await follow(ann, ben)
  await decide(ben, 'reactivate')
  expect(await counts(ann)).toEqual([0, 1])
  await decide(ben, 'deactivate')
  await decide(ben, 'deactivate')
  expect(await counts(ann)).toEqual([0, 0])
  await decide(ben, 'reactivate')
  await decide(ben, 'reactivate')
  expect([await counts(ann), await counts(ben)]).toEqual([
    [0, 1],
    [1, 0],
  ])
})

test('two inactive profiles that follow each other are reactivated one by one', async () => {
  await follow(ann, ben)
  await follow(ben, ann)
  await follow(cat, ann)
  await decide(ann, 'deactivate')
  await decide(ben, 'deactivate')
  expect(await counts(cat)).toEqual([0, 0])
  await decide(ann, 'reactivate')
  // Ben is still inactive: only Cat's follow counts again.
  expect([await counts(ann), await counts(cat)]).toEqual([
    [1, 0],
    [0, 1],
  ])
  await decide(ben, 'reactivate')
  expect([await counts(ann), await counts(ben)]).toEqual([
    [2, 1],
    [1, 1],
  ])
  expect(await service.context.database.query(wrongCounts, {})).toEqual([])
})

test('follows by an inactive profile count after its reactivation', async () => {
  await follow(ann, ben)
  await decide(ann, 'deactivate')
  expect((await follow(ann, cat)).status).toBe(204)
  expect((await call('DELETE', `/v1/profiles/me/followings/${ben.profileId}`, ann)).status).toBe(200)
  expect([await counts(ben), await counts(cat)]).toEqual([
    [0, 0],
    [0, 0],
  ])
  await decide(ann, 'reactivate')
  expect([await counts(ann), await counts(ben), await counts(cat)]).toEqual([
    [0, 1],
    [0, 0],
    [1, 0],
  ])
})

test('deactivations that race with follows leave counts that equal the rows', async () => {
  const people = await Promise.all(Array.from({ length: 8 }, () => service.member()))
  const statuses = new Set<number>()
  for (let round = 0; round < 6; round++) {
    const work = people.flatMap((person, index) => {
      const others = people.filter((other) => other !== person)
      const follows = others.map(async (other) => {
        const unfollow = (round + index + other.profileId) % 3 === 0
        const path = `/v1/profiles/me/followings/${other.profileId}`
        statuses.add((await (unfollow ? call('DELETE', path, person) : follow(person, other))).status)
      })
      return index < 4 ? [...follows, decide(person, (round + index) % 2 === 0 ? 'deactivate' : 'reactivate')] : follows
    })
    await Promise.all(work)
  }
  expect([...statuses].filter((status) => ![200, 204, 404].includes(status))).toEqual([])
  expect(await service.context.database.query(wrongCounts, {})).toEqual([])
  for (const person of people) await decide(person, 'reactivate')
  expect(await service.context.database.query(wrongCounts, {})).toEqual([])
})
