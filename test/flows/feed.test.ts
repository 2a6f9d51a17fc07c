// The feed of a reader's followings, block by block: against a full sort, with tips arriving between two blocks, and
// while tips are being updated after a settlement.

import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import type { ListQuery, SortOrder } from '../../src/communities/comment-lists.ts'
import { cursorOf, listOfFollowings, readFeed } from '../../src/communities/feed.ts'
import { afterCursor, feedsBySample, feedsByWindow, TOP } from '../../src/communities/feed-lists.ts'
import { applyChange } from '../../src/sportsbook/change.ts'
import { settleMarket } from '../../src/sportsbook/settlement.ts'
import {
  type CreatedTip,
  createAuthors,
  createEvents,
  createTips,
  expectedFeed,
  marketOf,
  SPORTS,
  type Tip,
} from '../harness/feed-data.ts'
import { type TestCustomer, useService } from '../harness/service.ts'

const service = useService({ LOG_LEVEL: 'silent' })
type Member = TestCustomer & { profileId: number }
const ORDERS: SortOrder[] = ['R', 'L', 'E']
/** Numbers of followings given to readFeed: each gives the same blocks, whichever way it reads them. */
const FOLLOWINGS = [0, 3, 150, 20_000]

beforeAll(async () => {
  await createEvents(service)
  // Only these tests update tips, so that they can read before tips are updated.
  await service.context.tipStatus.close()
})

async function blockOf(reader: Member, query: ListQuery): Promise<number[]> {
  const list = await listOfFollowings(service.context, reader.id, query)
  return list?.comment.map(({ id }) => id) ?? []
}

/** As a reader who has requested no other block. */
async function directly({ profileId }: Member, followings: number, query: ListQuery): Promise<number[]> {
  const rows = await readFeed(service.context.database, { own: profileId, followings, now: service.clock.now() }, query)
  return rows.flatMap(({ id }) => (id === null ? [] : [id]))
}

/** By one way to read a feed, with any parameters, after the previous block. */
async function readBy(
  way: 'lookup' | 'set' | 'sample',
  { profileId }: Member,
  query: ListQuery,
  sizes: { window: number; sample: number; rank: number },
): Promise<number[] | 'short'> {
  const { status, sortOrder, sportId, blockSize, blockNum } = query
  const { database } = service.context
  const before = { ...query, blockNum: blockNum - 1 }
  const rows =
    blockNum === 1 ? [] : await readFeed(database, { own: profileId, followings: 3, now: service.clock.now() }, before)
  const bound = cursorOf(rows.at(-1)) ?? TOP[sortOrder]
  const text = (way === 'sample' ? feedsBySample : feedsByWindow[way])[sortOrder][sportId === null ? 'all' : 'ofSport']
  const limits = { limit: blockSize, offset: 0, reach: blockSize, ...sizes }
  const after = afterCursor(bound, sportId)
  const found = await database.query(text, {
    reader: profileId,
    now: service.clock.now(),
    listed: status,
    ...limits,
    ...after,
  })
  const ids = found.flatMap(({ id }) => (id === null ? [] : [id]))
  return found[0]?.complete ? ids : 'short'
}

async function mute({ ticket }: Member, author: number): Promise<void> {
  expect((await service.call('PUT', `/v1/profiles/me/mutes/${author}`, { ticket })).status).toBe(204)
}

function slice(list: number[], { blockSize, blockNum }: ListQuery): number[] {
  return list.slice((blockNum - 1) * blockSize, blockNum * blockSize)
}

/** Tips of several authors, with ties of every kind; `event` 0 is the soonest. */
function someTips(authors: readonly number[], count: number): Tip[] {
  return Array.from({ length: count }, (_, at) => ({
    author: authors[(at * at) % authors.length] as number,
    likes: at % 3,
    event: Math.floor(at * 2.7) % 4,
    status: at % 6 === 5 ? 'W' : 'A',
  }))
}

test('each block equals its part of a full sort, read in order or alone', async () => {
  const tip = fc.record({
    author: fc.nat({ max: 5 }),
    likes: fc.nat({ max: 3 }),
    event: fc.nat({ max: 3 }),
    status: fc.constantFrom('A' as const, 'A' as const, 'W' as const),
  })
  const world = fc.record({
    authors: fc.integer({ min: 1, max: 6 }),
    tips: fc.array(tip, { maxLength: 60 }),
    blockSize: fc.integer({ min: 3, max: 20 }),
    sportId: fc.constantFrom(null, ...SPORTS),
    status: fc.constantFrom('A' as const, 'W' as const),
    followings: fc.constantFrom(...FOLLOWINGS),
    muted: fc.array(fc.nat({ max: 5 }), { maxLength: 3 }),
    sizes: fc.record({
      window: fc.integer({ min: 1, max: 80 }),
      sample: fc.integer({ min: 1, max: 4 }),
      rank: fc.integer({ min: 1, max: 30 }),
    }),
  })
  await fc.assert(
    fc.asyncProperty(world, async ({ authors: count, tips, followings, muted, sizes, ...base }) => {
      const reader = await service.member()
      const authors = await createAuthors(service, reader.profileId, count)
      const created = await createTips(
        service,
        tips.map((one) => ({ ...one, author: authors[one.author % count] as number })),
      )
      const mutedAuthors = muted.map((one) => authors[one % count] as number)
      for (const author of mutedAuthors) await mute(reader, author)
      const heard = created.filter(({ author }) => !mutedAuthors.includes(author))
      service.context.feedCursors.followings.set(reader.profileId, followings)
      for (const sortOrder of ORDERS) {
        const plain = expectedFeed(heard, { ...base, sortOrder })
        for (let blockNum = 1; blockNum <= plain.length / base.blockSize + 1; blockNum++) {
          const query = { ...base, sortOrder, blockNum }
          const expected = slice(plain, query)
          expect(await blockOf(reader, query)).toEqual(expected)
          // The same block again, from the same position.
          expect(await blockOf(reader, query)).toEqual(expected)
          for (const given of FOLLOWINGS) expect(await directly(reader, given, query)).toEqual(expected)
          for (const way of ['lookup', 'set', 'sample'] as const) {
            expect(await readBy(way, reader, query, sizes)).toBeOneOf([expected, 'short'])
          }
        }
      }
    }),
    { numRuns: 15 },
  )
})

test('a window that ends among comments with equal likes finds nothing after them', async () => {
  const reader = await service.member()
  const [author = 0] = await createAuthors(service, reader.profileId, 1)
  const tips = [2_000, 2_000, 2_000, 2_000, 2_000, 2_000, 1_999, 1_999, 1_999]
  const created = await createTips(
    service,
    tips.map((likes) => ({ author, likes, event: 0, status: 'A' as const })),
  )
  const query: ListQuery = { status: 'A', sortOrder: 'L', sportId: null, blockSize: 2, blockNum: 2 }
  const across: ListQuery = { ...query, blockSize: 4 }
  for (const way of ['lookup', 'set'] as const) {
    const throughWindow = (one: ListQuery, window: number) => readBy(way, reader, one, { window, sample: 1, rank: 1 })
    expect(await throughWindow(query, 1)).toBe('short')
    expect(await throughWindow(query, 2)).toEqual(slice(expectedFeed(created, query), query))
    expect(await throughWindow(across, 2)).toBe('short')
    expect(await throughWindow(across, 3)).toEqual(slice(expectedFeed(created, across), across))
  }
})

test('the hundredth block, requested directly, equals its part of a full sort', async () => {
  const reader = await service.member()
  const authors = await createAuthors(service, reader.profileId, 40)
  // The first author has more tips than a hundred blocks need, the last ones have none.
  const created = await createTips(service, [
    ...someTips(authors.slice(0, 30), 1_300),
    ...someTips(authors.slice(0, 1), 2_500),
  ])
  await service.context.database.script('analyze')
  for (const sortOrder of ORDERS) {
    for (const sportId of [null, SPORTS[0] as number]) {
      const query: ListQuery = { status: 'A', sortOrder, sportId, blockSize: 20, blockNum: 100 }
      const expected = slice(expectedFeed(created, query), query)
      for (const followings of FOLLOWINGS) expect(await directly(reader, followings, query)).toEqual(expected)
    }
  }
})

test.each(FOLLOWINGS)(
  'a reader of consecutive blocks sees every tip once, whatever arrives meanwhile (%i followings)',
  async (followings) => {
    const reader = await service.member()
    const authors = await createAuthors(service, reader.profileId, 5)
    const created = await createTips(service, someTips(authors, 60))
    service.context.feedCursors.followings.set(reader.profileId, followings)
    for (const sortOrder of ORDERS) {
      const base = { status: 'A' as const, sortOrder, sportId: null, blockSize: 6 }
      const plain = expectedFeed(created, base)
      const seen: number[] = []
      for (let blockNum = 1; blockNum <= Math.ceil(plain.length / base.blockSize); blockNum++) {
        seen.push(...(await blockOf(reader, { ...base, blockNum })))
        // At the top in every order: the newest, with the most likes, on the soonest event.
        created.push(
          ...(await createTips(service, [{ author: authors[0] as number, likes: 9, event: 0, status: 'A' }])),
        )
      }
      expect(seen).toEqual(plain)
      // The first block is never cached.
      const first = { ...base, blockNum: 1 }
      expect(await blockOf(reader, first)).toEqual(slice(expectedFeed(created, first), first))
      // Another list does not continue from the position of this one.
      const other = { ...base, blockSize: 5, blockNum: 2 }
      expect(await blockOf(reader, other)).toEqual(slice(expectedFeed(created, other), other))
    }
  },
)

test('each block costs one statement once the reader is cached', async () => {
  const reader = await service.member()
  await createTips(service, someTips(await createAuthors(service, reader.profileId, 2), 30))
  const cost = async (blockNum: number) => {
    const before = service.statements()
    const found = await blockOf(reader, { status: 'A', sortOrder: 'R', sportId: null, blockSize: 3, blockNum })
    expect(found).toHaveLength(3)
    return service.statements() - before
  }
  await cost(1)
  expect([await cost(1), await cost(2), await cost(5)]).toEqual([1, 1, 1])
})

test('a window that found too little is tried again after a minute', async () => {
  const reader = await service.member()
  const other = await service.member()
  const authors = await createAuthors(service, reader.profileId, 2)
  const created = await createTips(service, someTips(authors, 20))
  // More tips than the window of a reader with 150 followings. In parts: the longer a transaction that counts, the slower.
  const strangers = await createAuthors(service, other.profileId, 50)
  for (let part = 0; part < 16; part++) await createTips(service, someTips(strangers, 100))
  const query: ListQuery = { status: 'A', sortOrder: 'R', sportId: null, blockSize: 3, blockNum: 1 }
  const windows = () => service.statementsByName().get('feedByWindowAndSetR') ?? 0
  const triesWindow = async () => {
    const before = windows()
    service.context.feedCursors.followings.set(reader.profileId, 150)
    expect(await blockOf(reader, query)).toEqual(slice(expectedFeed(created, query), query))
    return windows() > before
  }
  expect([await triesWindow(), await triesWindow()]).toEqual([true, false])
  service.clock.advance(60_000)
  expect([await triesWindow(), await triesWindow()]).toEqual([true, false])
})

test('a follow, an unfollow and a minute reset the position of the reader', async () => {
  const reader = await service.member()
  const authors = await createAuthors(service, reader.profileId, 3)
  const stranger = await service.member()
  const created: CreatedTip[] = await createTips(service, someTips(authors, 30))
  const query = (blockNum: number): ListQuery => ({
    status: 'A',
    sortOrder: 'R',
    sportId: null,
    blockSize: 4,
    blockNum,
  })
  const expectCountedAfter = async (change: () => Promise<unknown>) => {
    await blockOf(reader, query(1))
    const before = slice(expectedFeed(created, query(2)), query(2))
    created.push(...(await createTips(service, [{ author: authors[0] as number, likes: 0, event: 0, status: 'A' }])))
    expect(await blockOf(reader, query(2))).toEqual(before)
    await change()
    expect(await blockOf(reader, query(2))).toEqual(slice(expectedFeed(created, query(2)), query(2)))
  }
  const path = `/v1/profiles/me/followings/${stranger.profileId}`
  await expectCountedAfter(() => service.call('POST', path, { ticket: reader.ticket }))
  await expectCountedAfter(() => service.call('DELETE', path, { ticket: reader.ticket }))
  await expectCountedAfter(async () => service.clock.advance(60_000))
})

test('blocks continue from their position while tips are updated after a settlement', async () => {
  const reader = await service.member()
  const authors = await createAuthors(service, reader.profileId, 5)
  const muted = authors[4] as number
  let created = (await createTips(service, someTips(authors, 100))).filter(({ author }) => author !== muted)
  await mute(reader, muted)
  const { context, clock } = service
  const queries = ORDERS.flatMap((sortOrder) =>
    [null, ...SPORTS].flatMap((sportId) =>
      (['A', 'W'] as const).map((status) => ({ status, sortOrder, sportId, blockSize: 3 })),
    ),
  )
  const served = new Map<unknown, number[]>()
  for (const one of queries) served.set(one, await blockOf(reader, { ...one, blockNum: 1 }))
  const market = marketOf(1)
  await context.database.transaction((transaction) =>
    applyChange(transaction, settleMarket(market.id, { [market.open]: 'win' }), clock.now),
  )
  created = created.map((tip) => (tip.event === 1 ? { ...tip, status: 'W' as const } : tip))
  for (const one of queries) {
    const whole = expectedFeed(created, one)
    // After the last tip served, at its present position; tips that arrived above it are not shown.
    const last = served.get(one)?.at(-1)
    const withLast = created.filter(({ id }) => id === last || whole.includes(id))
    const places = expectedFeed(
      withLast.map((tip) => ({ ...tip, status: one.status })),
      one,
    )
    const next = places.slice(places.indexOf(last as number) + 1).slice(0, 3)
    expect(await blockOf(reader, { ...one, blockNum: 2 })).toEqual(next)
    const query = { ...one, blockNum: 4 }
    for (const followings of FOLLOWINGS) {
      expect(await directly(reader, followings, query)).toEqual(slice(whole, query))
    }
  }
})

test('a list costs one statement while tips are updated after a settlement, and is read by the cheaper plan afterwards', async () => {
  const reader = await service.member()
  await createTips(service, someTips(await createAuthors(service, reader.profileId, 2), 10))
  const { context, clock } = service
  const market = marketOf(2)
  await context.database.transaction((transaction) =>
    applyChange(transaction, settleMarket(market.id, { [market.open]: 'win' }), clock.now),
  )
  const statementsOfBlock = async () => {
    const before = service.statementsByName()
    await blockOf(reader, { status: 'A', sortOrder: 'R', sportId: null, blockSize: 3, blockNum: 1 })
    const after = [...service.statementsByName()]
    return after.flatMap(([name, times]) => new Array<string>(times - (before.get(name) ?? 0)).fill(name))
  }
  await statementsOfBlock()
  expect([await statementsOfBlock(), await statementsOfBlock()]).toEqual([
    ['feedPerAuthorRPending'],
    ['feedPerAuthorRPending'],
  ])
  await context.database.script('delete from comment_work')
  expect([await statementsOfBlock(), await statementsOfBlock()]).toEqual([
    ['feedPerAuthorRPending'],
    ['feedPerAuthorR'],
  ])
})
