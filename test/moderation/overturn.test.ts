// An overturned decision leaves no trace. Two authors have the same tips, likes and follows; one is restricted, the world goes
// on, and the restriction is overturned. Then both look the same, in every list and count.

import fc from 'fast-check'
import sharp from 'sharp'
import { beforeAll, expect, test } from 'vitest'
import { appealed, decide, ownDecisions } from '../harness/appeals.ts'
import { brokenInvariants } from '../harness/community-invariants.ts'
import { propertyRuns } from '../harness/property-runs.ts'
import { recordOf, recordTipsOf } from '../harness/records.ts'
import { type Json, type TestCustomer, useService } from '../harness/service.ts'
import { newMatch, newTip, settle, type TestOutcome } from '../harness/sportsbook.ts'
import { newToken } from '../operator/cases.ts'

const service = useService()
const COMMENTS = '/v1/communities/comments'
const BIOGRAPHY = 'Each way, always'

type Member = TestCustomer & { profileId: number }
type Author = Member & { tips: number[]; name: string }

let judge: string
let picture: Buffer
let worlds = 0

beforeAll(async () => {
  judge = (await newToken(service, 'moderator')).token
  picture = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#aa3311' } })
    .jpeg()
    .toBuffer()
})

const get = (path: string, who?: Member) =>
  service.call('GET', path, { accept: 'application/json', ...(who === undefined ? {} : { ticket: who.ticket }) })

async function act(method: string, path: string, who: Member): Promise<void> {
  const { status, text } = await service.call(method, path, { ticket: who.ticket })
  expect([path, status, text]).toEqual([path, status < 300 ? status : 204, text])
}

const followPath = (whom: Member) => `/v1/profiles/me/followings/${whom.profileId}`
const likePath = (tip: number | undefined) => `${COMMENTS}/${tip}/like`

type World = { authors: [Author, Author]; fans: [Member, Member]; outcomes: TestOutcome[] }

/** Two authors with two tips each, likes, follows, name, biography and picture. */
async function newWorld(): Promise<World> {
  const number = ++worlds
  const fans: [Member, Member] = [await service.member(), await service.member()]
  const outcomes = [(await newMatch(service))[0], (await newMatch(service))[0]] as TestOutcome[]
  const authors: Author[] = []
  for (const name of [`Restricted ${number}`, `Free ${number}`]) {
    const author = await service.member()
    await act(
      'PUT',
      `/v1/profiles/me?name=${encodeURIComponent(name)}&biography=${encodeURIComponent(BIOGRAPHY)}`,
      author,
    )
    const body = { ticket: author.ticket, body: picture }
    expect((await service.call('PUT', '/v1/profiles/me/picture', body)).status).toBe(200)
    const tips = []
    for (const { id } of outcomes) tips.push(await newTip(service, author, id))
    authors.push({ ...author, tips, name })
  }
  const world = { authors: authors as [Author, Author], fans, outcomes }
  for (const author of world.authors) {
    for (const fan of fans) await act('POST', followPath(author), fan)
    await act('POST', followPath(fans[0]), author)
    for (const tip of author.tips) await act('POST', likePath(tip), fans[0])
  }
  return world
}

/** What happens meanwhile. `restricted`: a hidden author cannot be followed or liked, so nobody does. */
const STEPS: Record<string, (world: World, restricted: string) => Promise<unknown>> = {
  win: ({ outcomes }) => settle(service, outcomes[0] as TestOutcome, 'win'),
  lose: ({ outcomes }) => settle(service, outcomes[0] as TestOutcome, 'lose'),
  'other wins': ({ outcomes }) => settle(service, outcomes[1] as TestOutcome, 'win'),
  async 'authors follow'({ authors, fans }) {
    for (const author of authors) await act('POST', followPath(fans[1]), author)
  },
  async 'authors unfollow'({ authors, fans }) {
    for (const author of authors) await act('DELETE', followPath(fans[0]), author)
  },
  async 'a fan leaves'({ authors, fans }, restricted) {
    if (restricted !== 'deactivate') for (const author of authors) await act('DELETE', followPath(author), fans[1])
  },
  async 'likes of the other tip'({ authors, fans }, restricted) {
    if (restricted !== 'deactivate') for (const { tips } of authors) await act('POST', likePath(tips[1]), fans[1])
  },
  async 'unlikes of the other tip'({ authors, fans }, restricted) {
    if (restricted !== 'deactivate') for (const { tips } of authors) await act('DELETE', likePath(tips[1]), fans[0])
  },
  'fans follow each other': ({ fans: [one, other] }) => act('POST', followPath(other), one),
}

/** All that others see of an author; names and ids are replaced by what they are. */
async function seen({ fans: [fan] }: World, author: Author): Promise<Json> {
  const { profileId, tips, name } = author
  const profile = (await get(`/v1/profiles/${profileId}?communities=Y`, fan)).json().whoProfiles[0].profile
  const picture = await fetch(service.publicUrl + profile.picture)
  const profileIds = async (list: string) =>
    [...(await get(`/v1/profiles/${profileId}/${list}`, fan)).text.matchAll(/"id":"(\d+)"/g)].map(([, id]) => id)
  const tipIds = async (path: string) => {
    const reply = await get(`${COMMENTS}/${path}`, fan)
    const listed = reply.status === 204 ? [] : [reply.json().whoCommunities.comment].flat()
    const own = listed.filter((one: Json) => tips.includes(Number(one.id)))
    return own.map((one: Json) => [
      tips.indexOf(Number(one.id)),
      one.event.market.outcome.numLikes,
      one.isLiked,
      one.status,
    ])
  }
  const lists: Json = {}
  for (const path of [`profiles/${profileId}`, 'profiles/me/followings']) {
    for (const status of ['A', 'W']) {
      for (const order of ['R', 'L', 'E']) {
        lists[`${path.replace(`${profileId}`, 'id')} ${status}${order}`] = await tipIds(
          `${path}?status=${status}&sortOrder=${order}`,
        )
      }
    }
  }
  const { id, createdDateTimeZoned, ...shown } = profile
  return {
    profile: {
      ...shown,
      name: shown.name === name ? 'own' : shown.name,
      picture: Buffer.from(await picture.arrayBuffer()).toString('base64').length,
    },
    followers: await profileIds('followers'),
    followings: await profileIds('followings'),
    lists,
    record: (await recordOf(service, profileId)).record,
    recordTips: (await recordTipsOf(service, profileId)).length,
  }
}

const settledDown = () => expect.poll(() => brokenInvariants(service.context.database), { interval: 20 }).toEqual({})

const ACTIONS = ['remove', 'deactivate', 'reset-name', 'reset-biography', 'reset-picture']

test.each(ACTIONS)('%s, overturned: as if nothing had been', async (action) => {
  const steps = fc.array(fc.constantFrom(...Object.keys(STEPS)), { maxLength: 6 })
  const story = fc.asyncProperty(steps, steps, async (during, after) => {
    const world = await newWorld()
    const [author, free] = world.authors
    const subject = action === 'remove' ? `comments/${author.tips[0]}` : `profiles/${author.profileId}`
    await decide(service, subject, { action })
    const [decision] = await ownDecisions(service, author)
    const id = await appealed(service, author, Number(decision.id))
    for (const step of during) await STEPS[step]?.(world, action)
    const overturned = await decide(service, `appeals/${id}`, { outcome: 'overturned', reply: 'Sorry' }, judge)
    expect(overturned.state).toBe('overturned')
    for (const step of after) await STEPS[step]?.(world, '')
    await settledDown()
    expect(await seen(world, author)).toEqual(await seen(world, free))
  })
  await fc.assert(story, { numRuns: propertyRuns(2) })
})
