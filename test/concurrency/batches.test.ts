// Likes and follows that arrive together share a statement and a commit (src/platform/database/write-queue.ts). They must end as the
// same requests one by one do: two groups of members, alike in everything, get the same requests, one group all at once.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { likeComment, unlikeComment } from '../../src/communities/reaction.ts'
import { Fault } from '../../src/faults.ts'
import { type Database, type NoParameters, reading, writing } from '../../src/platform/database/database.ts'
import { followProfile, unfollowProfile } from '../../src/profiles/follow.ts'
import { viewerOf } from '../../src/profiles/profile.ts'
import { brokenInvariants } from '../harness/community-invariants.ts'
import { positioned } from '../harness/notifications.ts'
import { propertyRuns } from '../harness/property-runs.ts'
import {
  engine,
  newTestDatabase,
  startTestService,
  type TestCustomer,
  type TestDatabase,
  type TestService,
} from '../harness/service.ts'
import { newMatch, newTip, operatorOk, type TestOutcome } from '../harness/sportsbook.ts'

const SETTINGS = { LOG_LEVEL: 'silent', BET_CHECK: 'trust' }
let testDatabase: TestDatabase
let service: TestService

beforeAll(async () => {
  testDatabase = await newTestDatabase()
  service = await startTestService(SETTINGS, testDatabase)
  // Profile ids stay cached, so that writes of one turn reach their queue in one turn.
  service.clock.hold()
})
afterAll(async () => {
  await service.close()
  await testDatabase.remove()
})

const KINDS = { like: likeComment, unlike: unlikeComment, follow: followProfile, unfollow: unfollowProfile }
type Kind = keyof typeof KINDS
type Request = { kind: Kind; who: number; target: number }

type Member = TestCustomer & { profileId: number }
/** `tips`: one of each member. */
type Group = { members: Member[]; tips: number[] }

const SIZE = 6
const NOBODY = 4_000_000_000

/** The first has blocked the second and muted the third; the fourth is inactive, and the tip of the fifth is removed. */
async function newGroup(): Promise<Group> {
  const [outcome] = (await newMatch(service)) as [TestOutcome]
  const members: Member[] = []
  const tips: number[] = []
  for (let count = 0; count < SIZE; count++) members.push(await service.member())
  for (const member of members) tips.push(await newTip(service, member, outcome.id))
  const [first, second, third, fourth] = members as [Member, Member, Member, Member]
  const { ticket } = first
  await service.call('PUT', `/v1/profiles/me/blocks/${second.profileId}`, { ticket })
  await service.call('PUT', `/v1/profiles/me/mutes/${third.profileId}`, { ticket })
  await operatorOk(service, 'POST', `/moderation/profiles/${fourth.profileId}`, { action: 'deactivate' })
  await operatorOk(service, 'POST', `/moderation/comments/${tips[4]}`, { action: 'remove' })
  return { members, tips }
}

async function send({ members, tips }: Group, { kind, who, target }: Request): Promise<string> {
  const ids = kind === 'like' || kind === 'unlike' ? tips : members.map(({ profileId }) => profileId)
  try {
    await KINDS[kind](service.context, (members[who] as Member).id, ids[target] ?? NOBODY)
    return 'done'
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return `${error.code} ${error.faultName}`
  }
}

/** Ids are written with the letter of what they are. */
const rows = (name: string, sql: string) => reading<NoParameters, { line: string }>(`test${name}`, sql)
const LIKES = rows('Likes', `select 'like p' || profile_id || ' of t' || comment_id as line from comment_like`)
const FOLLOWS = rows(
  'Follows',
  `select 'follow p' || follower_id || ' of p' || followee_id || ': ' || shown || ', ' || muted_until as line from follow`,
)
const TIP_COUNTS = rows('TipCounts', `select 'likes t' || comment_id || ': ' || likes as line from comment_count`)
const PROFILE_COUNTS = rows(
  'ProfileCounts',
  `select 'counts p' || profile_id || ': ' || num_followings || ', ' || num_followers as line from profile_count`,
)
const EVENTS = rows(
  'Events',
  `select kind || ' ' || case when kind like 'like.%' then 't' else 'p' end || subject_id || ', p' || profile_id || ': '
     || replace(data, '":"', '":"p') as line
   from event_log where kind like 'like.%' or kind like 'follow.%'`,
)

/** All rows of a group, sorted, with the places of its members and tips instead of their ids. */
async function stateOf(database: Database, { members, tips }: Group): Promise<string[]> {
  const places = new Map<string, string>([
    ...members.map(({ profileId }, place) => [`p${profileId}`, `member ${place}`] as const),
    ...tips.map((id, place) => [`t${id}`, `tip ${place}`] as const),
  ])
  await positioned(database)
  const lines: string[] = []
  for (const statement of [LIKES, FOLLOWS, TIP_COUNTS, PROFILE_COUNTS, EVENTS]) {
    const found = (await database.query(statement, {})).map(({ line }) => line)
    lines.push(...found.filter((line) => line.match(/\b[pt]\d+/g)?.some((id) => places.has(id))))
  }
  return lines.map((line) => line.replace(/\b[pt]\d+/g, (id) => places.get(id) ?? id)).sort()
}

/** Of the requests on a pair at once, all are of one kind: their order does not matter. Some come twice. */
const turn = fc
  .uniqueArray(
    fc.record({
      kind: fc.constantFrom<Kind>('like', 'like', 'unlike', 'follow', 'follow', 'unfollow'),
      who: fc.nat(SIZE - 1),
      target: fc.nat(SIZE),
      times: fc.constantFrom(1, 1, 2),
    }),
    { minLength: 5, maxLength: 30, selector: ({ kind, who, target }) => `${kind.replace('un', '')} ${who} ${target}` },
  )
  .map((requests) => requests.flatMap(({ times, ...request }) => new Array<Request>(times).fill(request)))

test('all at once, they answer, write, count and report what they do one by one', async () => {
  const together = await newGroup()
  const oneByOne = await newGroup()
  const { database } = service.context
  const property = fc.asyncProperty(turn, async (requests) => {
    const answers = await Promise.all(requests.map((request) => send(together, request)))
    const expected: string[] = []
    for (const request of requests) expected.push(await send(oneByOne, request))
    expect(answers).toEqual(expected)
    expect(await stateOf(database, together)).toEqual(await stateOf(database, oneByOne))
  })
  // Both groups go on from where the last run left them.
  await fc.assert(property, { numRuns: propertyRuns(15), endOnFailure: true })
  expect(await brokenInvariants(database)).toEqual({})
})

const transactions = reading<{ id: number }, { number: number }>(
  'testTransactionsOfLikes',
  'select count(distinct cast(xmin as text)) as number from comment_like where comment_id = :id',
)

/** Of SQLite: frames of its write-ahead log that end a transaction. */
function commitsInLog(): number {
  const log = readFileSync(join(testDatabase.settings.DATA_DIR as string, 'paddock.db-wal'))
  const frameSize = 24 + log.readUInt32BE(8)
  let commits = 0
  for (let frame = 32; frame < log.length; frame += frameSize) if (log.readUInt32BE(frame + 4) > 0) commits++
  return commits
}

test('twenty likes of one tip share a commit', async () => {
  const { context } = service
  const [outcome] = (await newMatch(service)) as [TestOutcome]
  const [author, ...fans] = await membersOf(21)
  const id = await newTip(service, author, outcome.id)
  for (const fan of fans) await viewerOf(context, fan.id)
  const statements = () => service.statementsByName().get('insertLikes') ?? 0
  const before = engine === 'postgres' ? statements() : commitsInLog()
  await Promise.all(fans.map((fan) => likeComment(context, fan.id, id)))
  if (engine === 'postgres') {
    expect(statements() - before).toBe(1)
    expect(await context.database.one(transactions, { id })).toEqual({ number: 1 })
  } else {
    // Tasks in the background may commit too.
    expect(commitsInLog() - before).toBeLessThan(5)
  }
})

async function membersOf(count: number): Promise<[Member, ...Member[]]> {
  return (await Promise.all(Array.from({ length: count }, () => service.member()))) as [Member, ...Member[]]
}

test('a row that cannot be written fails alone', async () => {
  const [outcome] = (await newMatch(service)) as [TestOutcome]
  const [author, ...fans] = await membersOf(5)
  const [good, bad] = [await newTip(service, author, outcome.id), await newTip(service, author, outcome.id)]
  const { context } = service
  for (const id of [good, bad]) for (const fan of fans) await likeComment(context, fan.id, id)
  // A count that is too small already: it cannot be lowered below 0.
  const spoil = writing<{ id: number; likes: number }>(
    'testSpoil',
    'update comment_count set likes = :likes where comment_id = :id',
  )
  await context.database.run(spoil, { id: bad, likes: 0 })
  const unlikes = [good, bad, good, good, good].map((id, index) =>
    unlikeComment(context, (fans[index % 4] as Member).id, id),
  )
  const ends = await Promise.allSettled(unlikes)
  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled', 'fulfilled'])
  await context.database.run(spoil, { id: bad, likes: fans.length })
  expect(await brokenInvariants(context.database)).toEqual({})
})

test.runIf(engine === 'postgres')('one that finds its tip or profile locked waits alone', async () => {
  const { context } = service
  const [outcome] = (await newMatch(service)) as [TestOutcome]
  const [author, other, ...fans] = (await membersOf(5)) as [Member, Member, ...Member[]]
  const tips = [await newTip(service, author, outcome.id), await newTip(service, other, outcome.id)] as [number, number]
  for (const fan of fans) await viewerOf(context, fan.id)
  const holder = new pg.Client({ connectionString: context.config.databaseUrl as string })
  await holder.connect()
  try {
    for (const [onTip, onProfile] of [
      [likeComment, followProfile],
      [unlikeComment, unfollowProfile],
    ] as const) {
      await holder.query(`begin; select 1 from comment where id = ${tips[0]} for no key update;
        select 1 from profile where id = ${author.profileId} for no key update`)
      const onBoth = (tip: number, { profileId }: Member) =>
        fans.flatMap((fan) => [onTip(context, fan.id, tip), onProfile(context, fan.id, profileId)])
      let ended = 0
      const waiting = onBoth(tips[0], author).map((write) => write.finally(() => ended++))
      await Promise.all(onBoth(tips[1], other))
      expect(ended).toBe(0)
      await holder.query('commit')
      await Promise.all(waiting)
    }
  } finally {
    await holder.end()
  }
  expect(await brokenInvariants(context.database)).toEqual({})
})

test.runIf(engine === 'postgres')(
  'batches of two processes on the same rows in any order do not deadlock',
  async () => {
    const other = await startTestService(SETTINGS, testDatabase)
    try {
      const [outcome] = (await newMatch(service)) as [TestOutcome]
      const members = await Promise.all(Array.from({ length: 12 }, () => service.member()))
      const tips = await Promise.all(members.map((member) => newTip(service, member, outcome.id)))
      const requests = fc.sample(
        fc.record({
          kind: fc.constantFrom<Kind>('like', 'unlike', 'follow', 'unfollow'),
          who: fc.nat(11),
          target: fc.nat(11),
        }),
        600,
      )
      const ends = await Promise.allSettled(
        requests.map(({ kind, who, target }, index) => {
          const id = kind === 'like' || kind === 'unlike' ? tips[target] : members[target]?.profileId
          const { context } = index % 2 === 0 ? service : other
          return KINDS[kind](context, (members[who] as Member).id, id as number)
        }),
      )
      const failures = ends.flatMap((end) =>
        end.status === 'rejected' && !(end.reason instanceof Fault) ? [end.reason] : [],
      )
      expect(failures).toEqual([])
      for (const { context } of [service, other]) {
        expect(context.metrics.peek().extras.paddock_database_conflicts_total ?? {}).toEqual({})
      }
      expect(await brokenInvariants(service.context.database)).toEqual({})
    } finally {
      await other.close()
    }
  },
)
