// Random follows, likes, mutes and blocks; then every list, block by block, as each viewer sees it, compared with a naive model.

import fc from 'fast-check'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { brokenInvariants } from '../harness/community-invariants.ts'
import { propertyRuns } from '../harness/property-runs.ts'
import { type Json, type TestCustomer, useService } from '../harness/service.ts'
import { newMatch, newTip, type TestOutcome } from '../harness/sportsbook.ts'
import { VisibilityModel } from '../harness/visibility-model.ts'

const service = useService({ LOG_LEVEL: 'silent' })

type Member = TestCustomer & { profileId: number }
type World = { model: VisibilityModel; people: Member[]; tips: number[] }

const PEOPLE = 4
const TIPS = 10
const COMMENTS = '/v1/communities/comments'

let outcome: TestOutcome

beforeAll(async () => {
  ;[outcome] = (await newMatch(service)) as [TestOutcome]
})

afterEach(async () => expect(await brokenInvariants(service.context.database)).toEqual({}))

const STEPS = [
  'follow',
  'unfollow',
  'like',
  'unlike',
  'mute',
  'mute for an hour',
  'unmute',
  'block',
  'unblock',
  'an hour passes',
] as const

/** `what`: another person or a tip. */
type Step = { do: (typeof STEPS)[number]; who: number; what: number }

const step: fc.Arbitrary<Step> = fc.record({
  do: fc.oneof(
    { weight: 1, arbitrary: fc.constant('follow' as const) },
    { weight: 2, arbitrary: fc.constantFrom(...STEPS) },
  ),
  who: fc.nat(PEOPLE - 1),
  what: fc.nat(TIPS - 1),
})

async function newWorld(): Promise<World> {
  // So that the lists over all profiles have only those of this world.
  await service.context.database.script('delete from follow')
  const people: Member[] = []
  const tips: number[] = []
  for (let index = 0; index < PEOPLE; index++) people.push(await service.member())
  for (let tip = 0; tip < TIPS; tip++) {
    tips.push(await newTip(service, people[tip % PEOPLE] as Member, outcome.id))
  }
  return { model: new VisibilityModel(PEOPLE, TIPS), people, tips }
}

/** As if an hour passed for mutes alone: tickets would end with time. */
async function passHour(): Promise<void> {
  await service.context.database.script(`
    update profile_mute set until = until - 3600000 where until < 9007199254740991;
    update follow set muted_until = muted_until - 3600000 where muted_until > 0 and muted_until < 9007199254740991`)
}

async function take({ model, people, tips }: World, { do: action, who, what }: Step): Promise<void> {
  const other = what % PEOPLE
  const person = people[other] as Member
  const { ticket } = people[who] as Member
  const send = async (method: string, path: string, isDone: boolean, absent = 404) => {
    const { status } = await service.call(method, path, { ticket })
    const expected = isDone ? [200, 204] : [absent]
    expect([action, who, what, status]).toEqual([action, who, what, expect.toBeOneOf(expected)])
  }
  const relation = (method: string, list: string, isDone: boolean) =>
    send(method, `/v1/profiles/me/${list.replace('ID', `${person.profileId}`)}`, isDone)
  const like = `${COMMENTS}/${tips[what]}/like`
  if (action === 'like') return send('POST', like, model.like(who, what, true), 400)
  if (action === 'unlike') return send('DELETE', like, model.like(who, what, false), 400)
  if (action === 'an hour passes') {
    model.passHour()
    return passHour()
  }
  if (who === other) return
  if (action === 'follow') return relation('POST', 'followings/ID', model.follow(who, other))
  if (action === 'unfollow') return relation('DELETE', 'followings/ID', model.unfollow(who, other))
  if (action === 'mute') return relation('PUT', 'mutes/ID', model.mute(who, other, null))
  if (action === 'mute for an hour') return relation('PUT', 'mutes/ID?hours=1', model.mute(who, other, 1))
  if (action === 'unmute') return relation('DELETE', 'mutes/ID', model.unmute(who, other))
  if (action === 'block') return relation('PUT', 'blocks/ID', model.block(who, other))
  return relation('DELETE', 'blocks/ID', model.unblock(who, other))
}

// ---- Looking

type Viewer = { viewer: number | null; ticket: string | undefined }

function get(path: string, { ticket }: Viewer) {
  return service.call('GET', path, { accept: 'application/json', ...(ticket === undefined ? {} : { ticket }) })
}

/** All blocks of a list together; each but the last has its size. null: as if there were no such profile. */
async function blocks(path: string, viewer: Viewer, first: 0 | 1, toIds: (json: Json) => number[]) {
  const found: number[] = []
  for (let blockNum = first; ; blockNum++) {
    const reply = await get(`${path}${path.includes('?') ? '&' : '?'}blockSize=2&blockNum=${blockNum}`, viewer)
    if (reply.status === 404) return null
    expect(reply.status).toBeOneOf([200, 204])
    const ids = reply.status === 204 ? [] : toIds(reply.json())
    found.push(...ids)
    if (ids.length < 2) return found
  }
}

const profileIds = (json: Json): number[] => [json.whoProfiles].flat().map(({ profile }: Json) => Number(profile.id))
const commentIds = (json: Json): number[] => [json.whoCommunities.comment].flat().map(({ id }: Json) => Number(id))

async function compare(world: World): Promise<void> {
  const viewers = world.people.map((person, viewer): Viewer => ({ viewer, ticket: person.ticket }))
  for (const viewer of [...viewers, { viewer: null, ticket: undefined }]) {
    await compareOthers(world, viewer)
    await compareRankings(world, viewer)
    await compareTips(world, viewer)
    if (viewer.viewer !== null) await compareOwn(world, viewer, viewer.viewer)
  }
}

async function compareOthers({ model, people, tips }: World, viewer: Viewer): Promise<void> {
  const toIds = (indexes: number[]) => indexes.map((index) => people[index]?.profileId)
  for (const [other, { profileId }] of people.entries()) {
    const isSeen = !model.isBlocked(viewer.viewer, other)
    const path = `/v1/profiles/${profileId}`
    for (const one of [path, `${path}?communities=Y`, `${path}/record`, `${path}/record/tips`]) {
      const { status } = await get(one, viewer)
      expect([viewer.viewer, one, status]).toEqual([viewer.viewer, one, expect.toBeOneOf(isSeen ? [200, 204] : [404])])
    }
    expect(await blocks(`${path}/followers`, viewer, 0, profileIds)).toEqual(
      isSeen ? toIds(model.followers(viewer.viewer, other)) : null,
    )
    expect(await blocks(`${path}/followings`, viewer, 0, profileIds)).toEqual(
      isSeen ? toIds(model.followings(viewer.viewer, other)) : null,
    )
    expect(await blocks(`${COMMENTS}/profiles/${profileId}?status=A`, viewer, 1, commentIds)).toEqual(
      isSeen ? model.tipsOf(other).map((tip) => tips[tip]) : null,
    )
  }
}

async function compareRankings({ model, people }: World, viewer: Viewer): Promise<void> {
  const expected = model.mostFollowed(viewer.viewer).map((index) => people[index]?.profileId)
  for (const numDays of [0, 7]) {
    const reply = await get(`/v1/profiles/followers/mostFollowed?numDays=${numDays}`, viewer)
    expect(reply.status === 204 ? [] : profileIds(reply.json())).toEqual(expected)
  }
}

async function compareTips({ model, tips }: World, viewer: Viewer): Promise<void> {
  for (const [tip, id] of tips.entries()) {
    const reply = await get(`${COMMENTS}/${id}`, viewer)
    const isSeen = !model.isBlocked(viewer.viewer, model.authorOf(tip))
    expect([id, reply.status]).toEqual([id, isSeen ? 200 : 400])
    if (!isSeen) continue
    const { comment } = reply.json().whoCommunities
    expect(comment.event.market.outcome.numLikes).toBe(`${model.likesOf(tip)}`)
  }
}

async function compareOwn({ model, people, tips }: World, viewer: Viewer, own: number): Promise<void> {
  const feed = model.feed(own).map((tip) => tips[tip])
  expect(await blocks(`${COMMENTS}/profiles/me/followings?status=A`, viewer, 1, commentIds)).toEqual(feed)
  const mostLiked = await blocks(`${COMMENTS}/profiles/me/followings?status=A&sortOrder=L`, viewer, 1, commentIds)
  expect([...(mostLiked ?? [])].sort()).toEqual([...feed].sort())
  for (const kind of ['mutes', 'blocks'] as const) {
    const expected = model.hidden(own, kind).map((index) => people[index]?.profileId)
    expect(await blocks(`/v1/profiles/me/${kind}`, viewer, 0, profileIds)).toEqual(expected)
  }
  const reply = await get('/v1/profiles/followers/latestFollowers', viewer)
  const pairs = reply.status === 204 ? [] : [reply.json().whoProfiles].flat().map(({ follow }: Json) => pairOf(follow))
  const idOf = (index: string) => people[Number(index)]?.profileId
  expect(pairs).toEqual(model.latestFollows(own).map((pair) => pair.split(' ').map(idOf).join(' ')))
}

const pairOf = (follow: Json): string =>
  [follow]
    .flat()
    .map(({ profile }: Json) => profile.id)
    .join(' ')

test('every viewer sees what the model says', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 40, size: 'max' }), async (steps) => {
      const world = await newWorld()
      for (const one of steps) await take(world, one)
      await compare(world)
    }),
    { numRuns: propertyRuns(4), interruptAfterTimeLimit: 60_000 },
  )
})
