// Tips that arrive together share their statements and a commit (src/platform/database/write-queue.ts). They must end as the same
// requests one by one do: two groups of members and outcomes, alike in everything, get the same requests, one group all at once.

import fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deactivateComment } from '../../src/communities/comment.ts'
import { createTip } from '../../src/communities/tip.ts'
import { Fault } from '../../src/faults.ts'
import { type Database, type NoParameters, reading } from '../../src/platform/database/database.ts'
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
import { newBet, newMatch, operatorOk, type TestOutcome } from '../harness/sportsbook.ts'

let testDatabase: TestDatabase
let service: TestService

beforeAll(async () => {
  testDatabase = await newTestDatabase()
  service = await startTestService({ LOG_LEVEL: 'silent' }, testDatabase)
  // Profile ids stay cached, so that tips of one turn reach their queue in one turn.
  service.clock.hold()
})
afterAll(async () => {
  await service.close()
  await testDatabase.remove()
})

type Member = TestCustomer & { profileId: number }
/** `bets`: of each member two, with all outcomes. */
type Group = { members: Member[]; outcomes: number[]; bets: number[][] }

const SIZE = 5
const OUTCOMES = 5
const BETS = 2
const NOTHING = 4_000_000_000

/** The last member is inactive. The last two outcomes are suspended, and of a sport without tips. */
async function newGroup(): Promise<Group> {
  const members: Member[] = []
  for (let count = 0; count < SIZE; count++) members.push(await service.member())
  const outcomes = await newMatch(service, { outcomes: OUTCOMES - 1 })
  outcomes.push(...(await newMatch(service, { sportId: 77, communities: false, outcomes: 1 })))
  const ids = outcomes.map(({ id }) => id)
  await operatorOk(service, 'PATCH', `/outcomes/${ids[OUTCOMES - 2]}`, { status: 'suspended' })
  const bets: number[][] = []
  for (const { id } of members) bets.push([await newBet(service, id, ids), await newBet(service, id, ids)])
  const { profileId } = members[SIZE - 1] as Member
  await operatorOk(service, 'POST', `/moderation/profiles/${profileId}`, { action: 'deactivate' })
  return { members, outcomes: ids, bets }
}

/** `bet`: of the member, or, with `other`, of the next one. */
type Request = { who: number; outcome: number; bet: number; other: boolean; text: string }

const REST = { linkedId: null, priceNum: null, priceDen: null, startingPrice: false, details: true }

/** The answer without ids and names of the catalogue, or the fault. */
async function send({ members, outcomes, bets }: Group, { who, outcome, bet, other, text }: Request): Promise<unknown> {
  const betId = bets[(who + (other ? 1 : 0)) % SIZE]?.[bet] as number
  try {
    const tip = { id: outcomes[outcome] ?? NOTHING, betId, text, ...REST }
    const { id, event, profile, ...answer } = await createTip(service.context, (members[who] as Member).id, tip)
    const { id: outcomeId, name: _, ...outcomeState } = event.market.outcome
    expect([answer.betId, outcomeId, profile?.id]).toEqual([betId, tip.id, members[who]?.profileId])
    return { ...answer, ...outcomeState, id: id > 0, betId: bet }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return `${error.code} ${error.faultName?.replace(`${outcomes[outcome]}`, 'the outcome')}`
  }
}

/** Ids are written with the letter of what they are. */
const rows = (name: string, sql: string) => reading<NoParameters, { line: string }>(`testTip${name}`, sql)
const TIP = `'p' || c.author_id || ' on o' || c.outcome_id || ' with b' || c.bet_id || ': '`
const TIPS = rows(
  'Tips',
  `select 'tip of ' || ${TIP} || c.text || c.words || c.state || c.listed || c.status || c.start_order || ' ' || c.created_at || ' at '
     || coalesce(c.record_num || '/' || c.record_den, '-') || c.record_sp || ', listed ' || k.listed || ' p' || k.author_id
     || ' o' || k.outcome_id || ' ' || k.likes as line
   from comment c join comment_count k on k.comment_id = c.id`,
)
const AUTHOR_COUNTS = rows(
  'AuthorCounts',
  `select 'counts p' || profile_id || ': ' || num_live as line from profile_count`,
)
const OUTCOME_COUNTS = rows(
  'OutcomeCounts',
  `select 'counts o' || outcome_id || ': ' || num_live || ' ' || settled as line from outcome_count`,
)
const EVENTS = rows(
  'Events',
  `select e.kind || ' p' || e.profile_id || ', ' || ${TIP} || e.at || replace(e.data, 'Id":"', 'Id":"o') as line
   from event_log e join comment c on cast(c.id as text) = e.subject_id where e.kind = 'tip.created'`,
)

/** All rows of a group, sorted, with the places of its members, outcomes and bets instead of their ids. */
async function stateOf(database: Database, { members, outcomes, bets }: Group): Promise<string[]> {
  const places = new Map<string, string>([
    ...members.map(({ profileId }, place) => [`p${profileId}`, `member ${place}`] as const),
    ...outcomes.map((id, place) => [`o${id}`, `outcome ${place}`] as const),
    ...bets.flat().map((id, place) => [`b${id}`, `bet ${place}`] as const),
  ])
  await positioned(database)
  const lines: string[] = []
  for (const statement of [TIPS, AUTHOR_COUNTS, OUTCOME_COUNTS, EVENTS]) {
    const found = (await database.query(statement, {})).map(({ line }) => line)
    lines.push(...found.filter((line) => line.match(/\b[pob]\d+/g)?.some((id) => places.has(id))))
  }
  return lines.map((line) => line.replace(/\b[pob]\d+/g, (id) => places.get(id) ?? id)).sort()
}

/** Two of an author on an outcome at most: which of three comes second is not certain. */
const turn = fc
  .uniqueArray(
    fc.record({
      who: fc.nat(SIZE - 1),
      outcome: fc.nat(OUTCOMES),
      tips: fc.array(
        fc.record({
          bet: fc.nat(BETS - 1),
          other: fc.constantFrom(false, false, false, true),
          text: fc.constantFrom('A fine price', 'Worth it', '...', 'what a bastard'),
        }),
        { minLength: 1, maxLength: 2 },
      ),
    }),
    { minLength: 3, maxLength: 20, selector: ({ who, outcome }) => `${who} ${outcome}` },
  )
  .map((pairs) => pairs.flatMap(({ who, outcome, tips }) => tips.map((tip): Request => ({ who, outcome, ...tip }))))

test('all at once, they answer, write, count and report what they do one by one', async () => {
  const { database } = service.context
  const property = fc.asyncProperty(turn, async (requests) => {
    const [together, oneByOne] = [await newGroup(), await newGroup()]
    for (const { id } of [...together.members, ...oneByOne.members]) await viewerOf(service.context, id)
    const answers = await Promise.all(requests.map((request) => send(together, request)))
    const expected: unknown[] = []
    for (const request of requests) expected.push(await send(oneByOne, request))
    expect(answers).toEqual(expected)
    expect(await stateOf(database, together)).toEqual(await stateOf(database, oneByOne))
  })
  await fc.assert(property, { numRuns: propertyRuns(6), endOnFailure: true })
  expect(await brokenInvariants(database)).toEqual({})
})

/** Each with a bet on all outcomes. */
async function newTipsters(count: number, outcomes: readonly TestOutcome[]) {
  const ids = outcomes.map(({ id }) => id)
  const tipsters = await Promise.all(
    Array.from({ length: count }, async () => {
      const member = await service.member()
      return { ...member, betId: await newBet(service, member.id, ids) }
    }),
  )
  for (const { id } of tipsters) await viewerOf(service.context, id)
  return tipsters
}
type Tipster = Awaited<ReturnType<typeof newTipsters>>[number]

const tipOf = (tipster: Tipster, { id }: TestOutcome, more = {}) =>
  createTip(service.context, tipster.id, { id, betId: tipster.betId, text: 'A fine price', ...REST, ...more })

test('twenty tips that arrive together are two statements', async () => {
  const [outcome] = (await newMatch(service)) as [TestOutcome]
  const tipsters = await newTipsters(20, [outcome])
  const names = ['lockOutcomesAndAuthors', 'insertTips', 'lockOutcomeAndAuthor', 'insertTip']
  const ran = () => names.map((name) => service.statementsByName().get(name) ?? 0)
  const before = ran()
  await Promise.all(tipsters.map((tipster) => tipOf(tipster, outcome)))
  const statements = ran().map((count, index) => count - (before[index] as number))
  // SQLite, without round trips, runs one for each row; test/concurrency/batches.test.ts counts its commits.
  expect(statements).toEqual(engine === 'postgres' ? [1, 1, 0, 0] : [0, 0, 20, 20])
})

test('a row that cannot be written fails alone', async () => {
  const [outcome] = (await newMatch(service)) as [TestOutcome]
  const tipsters = await newTipsters(4, [outcome])
  // The operation refuses such a price; the table does too.
  const noPrice = { priceNum: 0, priceDen: 1 }
  const ends = await Promise.allSettled(
    tipsters.map((tipster, index) => tipOf(tipster, outcome, index === 1 ? noPrice : {})),
  )
  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled'])
  expect(await brokenInvariants(service.context.database)).toEqual({})
})

test.runIf(engine === 'postgres')('one that finds a row locked that it needs waits alone', async () => {
  const holder = new pg.Client({ connectionString: service.context.config.databaseUrl as string })
  await holder.connect()
  const rowOf: Record<string, (tipster: Tipster, outcome: TestOutcome) => number> = {
    customer: ({ id }) => id,
    event: (_, { eventId }) => eventId,
    outcome: (_, { id }) => id,
    profile: ({ profileId }) => profileId,
  }
  try {
    for (const [table, idOf] of Object.entries(rowOf)) {
      const [[held], [free]] = [await newMatch(service), await newMatch(service)] as [[TestOutcome], [TestOutcome]]
      const [tipster, ...others] = (await newTipsters(4, [held, free])) as [Tipster, ...Tipster[]]
      await holder.query(`begin; select 1 from ${table} where id = ${idOf(tipster, held)} for no key update`)
      let isWritten = false
      const waiting = tipOf(tipster, held).finally(() => (isWritten = true))
      await Promise.all(others.map((other) => tipOf(other, free)))
      expect([table, isWritten]).toEqual([table, false])
      await holder.query('commit')
      await waiting
    }
  } finally {
    await holder.end()
  }
  expect(await brokenInvariants(service.context.database)).toEqual({})
})

test.runIf(engine === 'postgres')(
  'batches of two processes on the same rows in any order do not deadlock',
  async () => {
    const other = await startTestService({ LOG_LEVEL: 'silent' }, testDatabase)
    try {
      const outcomes = await newMatch(service, { outcomes: 6 })
      const tipsters = await newTipsters(10, outcomes)
      const requests = fc.sample(fc.record({ who: fc.nat(9), outcome: fc.nat(5) }), 300)
      const tips: number[] = []
      const ends = await Promise.allSettled(
        requests.map(async ({ who, outcome }, index) => {
          const { context } = index % 2 === 0 ? service : other
          const { id: customerId, betId } = tipsters[who] as Tipster
          const { id } = outcomes[outcome] as TestOutcome
          const created = await createTip(context, customerId, { id, betId, text: 'A fine price', ...REST })
          tips.push(created.id)
          // So that the next one is not refused.
          await deactivateComment(context, customerId, created.id)
        }),
      )
      const failures = ends.flatMap((end) =>
        end.status === 'rejected' && !(end.reason instanceof Fault) ? [end.reason] : [],
      )
      expect(failures).toEqual([])
      expect(tips.length).toBeGreaterThanOrEqual(new Set(requests.map(({ who, outcome }) => `${who} ${outcome}`)).size)
      for (const { context } of [service, other]) {
        expect(context.metrics.peek().extras.paddock_database_conflicts_total ?? {}).toEqual({})
      }
      expect(await brokenInvariants(service.context.database)).toEqual({})
    } finally {
      await other.close()
    }
  },
)
