// The reads of a match day, compared with the model.

import fc from 'fast-check'
import { expect } from 'vitest'
import { at, type Command, command, hasTips } from './match-day-commands.ts'
import type { MatchDay, ModelTip, Query } from './match-day-model.ts'
import { FANS, MEMBERS, type Member, statusAndFault, type World } from './match-day-world.ts'
import type { Json, Reply } from './service.ts'

const json = 'application/json'

function readAs(world: World, path: string, reader: Member | null): Promise<Reply> {
  return world.client.call('GET', path, { accept: json, ...(reader === null ? {} : { ticket: reader.ticket }) })
}

const yes = (value: string | undefined) => (value === undefined ? undefined : value === 'Y')

function shownTip({ id, status, isFeatured, isLiked, isFlagged, event }: Json) {
  const { numLikes, displayStatus, status: outcomeStatus } = event.market.outcome
  return {
    id: Number(id),
    status,
    featured: yes(isFeatured),
    likes: Number(numLikes),
    outcomeStatus,
    displayStatus,
    liked: yes(isLiked),
    flagged: yes(isFlagged),
  }
}

// ---- Lists of tips

type Block = { size: number; number: number }

async function readBlock(
  world: World,
  list: string,
  reader: Member | null,
  { query, size, number }: Block & { query: Query },
) {
  const { status, sortOrder, sportId } = query
  const sport = sportId === null ? '' : `&sportId=${sportId}`
  const path = `${list}?status=${status}&sortOrder=${sortOrder}${sport}&blockSize=${size}&blockNum=${number}`
  const reply = await readAs(world, `/v1/communities/comments/profiles/${path}`, reader)
  const found =
    reply.status === 200 ? [reply.json().whoCommunities.comment].flat().map(shownTip) : statusAndFault(reply)
  return { path, reader: reader?.name, found }
}

/**
 * Reads block after block from the first until the model has no more or `blocks` were read. All go to one process: each
 * process caches where a block ends for its own readers.
 */
async function expectList(
  { model, world }: { model: MatchDay; world: World },
  list: { path: string; reader: Member | null; query: Query; size: number; blocks: number },
  expected: ModelTip[],
): Promise<void> {
  const { path, reader, query, size } = list
  const onOneProcess = { ...world, client: world.client.one?.() ?? world.client }
  for (let number = 1; number <= list.blocks; number++) {
    const block = expected.slice((number - 1) * size, number * size)
    const { path: read, found } = await readBlock(onOneProcess, path, reader, { query, size, number })
    const seen = block.map((tip) => model.seen(tip, reader?.profileId ?? null))
    expect({ read, reader: reader?.name, found }).toEqual({
      read,
      reader: reader?.name,
      found: seen.length === 0 ? '204' : seen,
    })
    if (block.length < size) return
  }
}

const queries: fc.Arbitrary<Query> = fc.record({
  status: fc.constantFrom('A', 'A', 'W'),
  sortOrder: fc.constantFrom('R', 'L', 'E'),
  sportId: fc.constantFrom(null, null, 1, 2),
})
const sizes = fc.integer({ min: 1, max: 20 })
const BLOCKS = 4

const textOf = ({ status, sortOrder, sportId }: Query, size: number) =>
  `${status} ${sortOrder}${sportId === null ? '' : ` of sport ${sportId}`} by ${size}`

const member = fc.nat(MEMBERS - 1)
const maybeMember = fc.option(member, { freq: 2 })
const who = (number: number | null) => (number === null ? 'nobody' : `#${number}`)

const reader = fc.oneof(member, fc.integer({ min: MEMBERS - FANS, max: MEMBERS - 1 }))

const feed = fc.tuple(reader, queries, sizes).map(([number, query, size]) =>
  command({
    text: `#${number} reads the home feed ${textOf(query, size)}`,
    run: (model, world) => expectFeed(model, world, { reader: at(world.members, number), query, size }),
  }),
)

function expectFeed(model: MatchDay, world: World, read: { reader: Member; query: Query; size: number }) {
  const list = { path: 'me/followings', blocks: BLOCKS, ...read }
  return expectList({ model, world }, list, model.feed(read.reader.profileId, read.query))
}

const mine = fc.tuple(member, queries, sizes).map(([number, query, size]) =>
  command({
    text: `#${number} reads own tips ${textOf(query, size)}`,
    async run(model, world) {
      const reader = at(world.members, number)
      const list = { path: 'me', blocks: BLOCKS, reader, query, size }
      await expectList({ model, world }, list, model.byAuthor(reader.profileId, query))
    },
  }),
)

const tipsOf = fc.tuple(maybeMember, member, queries, sizes).map(([number, author, query, size]) =>
  command({
    text: `${who(number)} reads the tips of #${author} ${textOf(query, size)}`,
    async run(model, world) {
      const reader = number === null ? null : at(world.members, number)
      const { profileId } = at(world.members, author)
      if (model.inactive.has(profileId)) {
        const { found } = await readBlock(world, `${profileId}`, reader, { query, size, number: 1 })
        expect(found).toBe('404/30410')
        return
      }
      const list = { path: `${profileId}`, blocks: BLOCKS, reader, query, size }
      await expectList({ model, world }, list, model.byAuthor(profileId, query))
    },
  }),
)

// ---- One tip, the best outcomes, the moderators' queue

const oneTip = fc.tuple(maybeMember, fc.nat(1_000)).map(([number, which]) =>
  command({
    text: `${who(number)} reads tip ${which}`,
    can: hasTips,
    async run(model, world) {
      const reader = number === null ? null : at(world.members, number)
      const tip = at(model.tips, which)
      const reply = await readAs(world, `/v1/communities/comments/${tip.id}`, reader)
      if (!model.isShown(tip)) expect(statusAndFault(reply)).toBe('400/30500')
      else expect(shownTip(reply.json().whoCommunities.comment)).toEqual(model.seen(tip, reader?.profileId ?? null))
    },
  }),
)

async function topOutcomes(world: World) {
  const reply = await readAs(world, '/v1/communities/comments/outcomes/top', null)
  const events: Json[] = reply.status === 204 ? [] : [reply.json().whoCommunities.event].flat()
  return events.map(({ market: { outcome } }) => ({
    id: Number(outcome.id),
    numLive: Number(outcome.comments.numLive),
    numLikes: Number(outcome.numLikes),
    displayStatus: outcome.displayStatus,
  }))
}

const top = command({
  text: 'anybody reads the top outcomes',
  run: async (model, world) => expect(await topOutcomes(world)).toEqual(model.top()),
})

const queue = command({
  text: 'a moderator reads the queue',
  async run(model, { client }) {
    const { body } = await client.operator('GET', '/operator/v1/moderation/queue?kind=comment&limit=100')
    const found = body.items.map(({ id, flags }: Json) => ({ id: Number(id), flags }))
    // Weights follow decisions in the background (test/moderation/weights.test.ts): here the order does not matter.
    expect(found.sort((one: Json, other: Json) => one.id - other.id)).toEqual(model.queue())
  },
})

// ---- Profiles

const profile = fc.tuple(maybeMember, member).map(([number, whom]) =>
  command({
    text: `${who(number)} reads the profile of #${whom}`,
    async run(model, world) {
      const reader = number === null ? null : at(world.members, number)
      const { profileId } = at(world.members, whom)
      const reply = await readAs(world, `/v1/profiles/${profileId}?communities=Y`, reader)
      if (model.inactive.has(profileId)) expect(statusAndFault(reply)).toBe('404/30410')
      else expectProfile(model, reply, { profileId, reader })
    },
  }),
)

type ProfileRead = { profileId: number; reader: Member | null }

function expectProfile(model: MatchDay, reply: Reply, { profileId, reader }: ProfileRead): void {
  expect(statusAndFault(reply)).toBe('200')
  const { id, numFollowers, numFollowings, isFollowed, communities } = reply.json().whoProfiles[0].profile
  const { numLive, numWinning } = communities.comments
  expect({
    id: Number(id),
    numFollowers: Number(numFollowers),
    numFollowings: Number(numFollowings),
    isFollowed: yes(isFollowed),
    // Counts are updated after a settlement, in batches.
    ...(model.waiting ? {} : { numLive: Number(numLive), numWinning: Number(numWinning) }),
  }).toEqual({
    id: profileId,
    ...model.followCounts(profileId),
    isFollowed: reader === null ? undefined : model.follows.has(`${reader.profileId} ${profileId}`),
    ...(model.waiting ? {} : model.tipCounts(profileId)),
  })
}

const follows = fc.tuple(member, fc.constantFrom('followers', 'followings')).map(([number, list]) =>
  command({
    text: `anybody reads the ${list} of #${number}`,
    async run(model, world) {
      const { profileId } = at(world.members, number)
      const reply = await readAs(world, `/v1/profiles/${profileId}/${list}?blockSize=100`, null)
      const expected = list === 'followers' ? model.followers(profileId) : model.followings(profileId)
      if (model.inactive.has(profileId)) expect(statusAndFault(reply)).toBe('404/30410')
      else expect(profilesOf(reply).slice(0, expected.length)).toEqual(expected)
    },
  }),
)

function profilesOf(reply: Reply): number[] {
  if (reply.status === 204) return []
  return reply.json().whoProfiles.map((entry: Json) => Number(entry.profile.id))
}

export const reads: fc.Arbitrary<Command>[] = [
  ...[feed, feed, feed, feed, mine, tipsOf, tipsOf, oneTip, oneTip, profile, profile, follows],
  ...[top, queue].map((one) => fc.constant(one)),
]

// ---- At the end of a day

/** Every member's own profile, tips and home feed in each order, and what everybody sees. */
export async function expectEverything(model: MatchDay, world: World): Promise<void> {
  await top.run(model, world)
  await queue.run(model, world)
  await Promise.all(world.members.map((reader, index) => expectAllOf(model, world, { reader, index })))
}

async function expectAllOf(model: MatchDay, world: World, { reader, index }: { reader: Member; index: number }) {
  const { profileId } = reader
  const own = await readAs(world, '/v1/profiles/me?communities=Y', reader)
  expectProfile(model, own, { profileId, reader: null })
  const status = (['A', 'W'] as const)[index % 2] as 'A' | 'W'
  const sortOrder = (['R', 'L', 'E'] as const)[index % 3] as Query['sortOrder']
  const query: Query = { status, sortOrder, sportId: null }
  await expectFeed(model, world, { reader, query, size: 1 + (index % 20) })
  const list = { path: 'me', blocks: 1, reader, query, size: 20 }
  await expectList({ model, world }, list, model.byAuthor(profileId, query))
}
