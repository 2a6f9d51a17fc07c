import { afterEach, expect, test } from 'vitest'
import { lockOutcomes } from '../../src/catalogue/store.ts'
import { reading } from '../../src/platform/database/database.ts'
import { idListOf } from '../../src/platform/database/row-list-store.ts'
import { brokenInvariants } from '../harness/community-invariants.ts'
import { type TestCustomer, useService } from '../harness/service.ts'
import { newBet, newMatch, newTip, operatorOk, postTip, settle, type TestOutcome } from '../harness/sportsbook.ts'
import { untilAvailable } from '../harness/until-available.ts'

const service = useService({ LOG_LEVEL: 'silent' })
type Member = TestCustomer & { profileId: number }

afterEach(async () => {
  await service.context.tipStatus.begin()
  expect(await brokenInvariants(service.context.database)).toEqual({})
})

async function members(count: number): Promise<Member[]> {
  return Promise.all(Array.from({ length: count }, () => service.member()))
}

async function newOutcome(): Promise<TestOutcome> {
  return (await newMatch(service))[0] as TestOutcome
}

const react = (id: number, method: string, what: string, { ticket }: TestCustomer) =>
  untilAvailable(() => service.call(method, `/v1/communities/comments/${id}/${what}`, { ticket }))

const decide = (subject: string, action: string) =>
  untilAvailable(() => service.operator('POST', `/operator/v1/moderation/${subject}`, { action }))

test('concurrent copies of the same tip create one tip', async () => {
  const outcome = await newOutcome()
  for (const author of await members(5)) {
    const betId = await newBet(service, author.id, [outcome.id])
    const replies = await Promise.all([1, 2, 3].map(() => postTip(service, author, outcome.id, { betId })))
    expect(replies.map((reply) => reply.status).sort()).toEqual([200, 409, 409])
  }
})

test('two concurrent first tips create one profile', async () => {
  const outcome = await newOutcome()
  const author = await service.customer()
  const replies = await Promise.all([1, 2, 3].map(() => postTip(service, author, outcome.id)))
  expect(replies.map((reply) => reply.status)).toEqual([200, 200, 200])
})

test('like counts are exact under concurrent likes and unlikes', async () => {
  const outcome = await newOutcome()
  const [author, ...fans] = (await members(25)) as [Member, ...Member[]]
  const tips = [await newTip(service, author, outcome.id), await newTip(service, author, outcome.id)]
  const storm = fans.flatMap((fan, index) =>
    tips.flatMap((id) => ['POST', 'POST', 'DELETE', 'POST'].map((method) => ({ fan, id, method, index }))),
  )
  const replies = await Promise.all(storm.map(({ fan, id, method }) => react(id, method, 'like', fan)))
  expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([204]))
  await Promise.all(fans.map((fan) => react(tips[0] as number, 'POST', 'like', fan)))
  const read = await service.call('GET', `/v1/communities/comments/${tips[0]}`)
  expect(read.text).toContain(`<numLikes>${fans.length}</numLikes>`)
})

test('likes are written if and only if they are answered so, while a moderator removes and restores the comment', async () => {
  const outcome = await newOutcome()
  const [author, ...fans] = (await members(21)) as [Member, ...Member[]]
  const id = await newTip(service, author, outcome.id)
  for (const [method, liked] of [
    ['POST', 1],
    ['DELETE', 0],
  ] as const) {
    const decisions = (async () => {
      for (const action of ['remove', 'restore', 'remove', 'restore', 'remove', 'restore'])
        await operatorOk(service, 'POST', `/moderation/comments/${id}`, { action })
    })()
    const replies = await Promise.all(fans.map((fan) => react(id, method, 'like', fan)))
    await decisions
    for (const [index, { status }] of replies.entries()) {
      const found = await service.context.database.query(likeOf, { id, profileId: (fans[index] as Member).profileId })
      expect([status, found.length]).toEqual(status === 204 ? [204, liked] : [400, 1 - liked])
    }
    await Promise.all(fans.map((fan) => react(id, method, 'like', fan)))
  }
})

const likeOf = reading<{ id: number; profileId: number }, { created_at: number }>(
  'likeOf',
  'select created_at from comment_like where comment_id = :id and profile_id = :profileId',
)

test('concurrent flags and decisions leave exact counts in the queue', async () => {
  const outcome = await newOutcome()
  const [author, ...fans] = (await members(15)) as [Member, ...Member[]]
  const id = await newTip(service, author, outcome.id)
  const calls = fans.flatMap((fan) => [
    react(id, 'POST', 'flag', fan),
    react(id, 'DELETE', 'flag', fan),
    react(id, 'POST', 'flag', fan),
  ])
  const decisions = [1, 2, 3].map(() => decide(`comments/${id}`, 'keep'))
  for (const reply of await Promise.all([...calls, ...decisions])) expect(reply.status).toBeLessThan(300)
})

test('tips created while their market is settled are refused, or settled with it', async () => {
  const outcome = await newOutcome()
  const authors = await members(20)
  const bets = await Promise.all(authors.map(({ id }) => newBet(service, id, [outcome.id])))
  const [results, ...replies] = await Promise.all([
    settle(service, outcome, 'win'),
    ...authors.map((author, index) => postTip(service, author, outcome.id, { betId: bets[index] as number })),
  ])
  expect(results).toEqual({ settled: 1, corrected: 0 })
  expect(replies.map((reply) => reply.status).filter((status) => status !== 200 && status !== 400)).toEqual([])
})

test('a settlement is timed after the tips that it has waited for', async () => {
  const outcome = await newOutcome()
  const { database } = service.context
  let settling: Promise<unknown> = Promise.resolve()
  let tippedAt = 0
  await database.transaction(async (transaction) => {
    // As a tip does, which is timed after its locks.
    await transaction.query(lockOutcomes, { ids: idListOf([outcome.id]) })
    const before = lockedMarkets()
    settling = settle(service, outcome, 'win')
    // In SQLite, with one writer, it waits for the whole transaction.
    if (database.engine === 'postgres') await expect.poll(lockedMarkets).toBeGreaterThan(before)
    service.clock.advance(5_000)
    tippedAt = service.clock.now()
  })
  await settling
  const [settled] = await database.query(settlementTimes, { id: outcome.id })
  for (const time of Object.values(settled as object)) expect(time).toBeGreaterThanOrEqual(tippedAt)
})

const lockedMarkets = () => service.statementsByName().get('lockMarkets') ?? 0

const settlementTimes = reading<{ id: number }, { outcome_at: number; market_at: number }>(
  'settlementTimes',
  `select o.settled_at as outcome_at, m.settled_at as market_at from outcome o join market m on m.id = o.market_id
   where o.id = :id`,
)

test('concurrent settlements, corrections, likes, deactivations, removals and hidden profiles keep every count exact', async () => {
  const outcomes = await newMatch(service, { outcomes: 2 })
  const authors = await members(10)
  const tips: { id: number; author: Member }[] = []
  for (const author of authors) {
    for (const outcome of outcomes) tips.push({ id: await newTip(service, author, outcome.id), author })
  }
  const [first] = outcomes as [TestOutcome]
  const results = (one: string, other: string) =>
    untilAvailable(() =>
      service.operator('POST', `/operator/v1/markets/${first.marketId}/settlement`, {
        results: { [first.id]: one, [(outcomes[1] as TestOutcome).id]: other },
      }),
    )
  const replies = await Promise.all([
    ...tips.map(({ id }, index) => react(id, 'POST', 'like', authors[index % 10] as Member)),
    ...tips
      .slice(0, 5)
      .map(({ id, author: { ticket } }) =>
        untilAvailable(() => service.call('PUT', `/v1/communities/comments/${id}`, { ticket })),
      ),
    ...tips.slice(3, 8).map(({ id }) => decide(`comments/${id}`, 'remove')),
    ...authors.slice(4, 7).map(({ profileId }) => decide(`profiles/${profileId}`, 'deactivate')),
    results('win', 'lose'),
    ...tips.map(({ id }, index) => react(id, 'DELETE', 'like', authors[(index + 3) % 10] as Member)),
    ...authors.slice(5, 7).map(({ profileId }) => decide(`profiles/${profileId}`, 'reactivate')),
    results('lose', 'win'),
    operatorOk(service, 'PATCH', `/events/${first.eventId}`, { startTime: '2031-01-01T00:00:00Z' }).then(() => ({
      status: 204,
    })),
  ])
  expect(replies.filter((reply) => reply.status >= 500)).toEqual([])
})
