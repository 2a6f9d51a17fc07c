// Three processes on one PostgreSQL: a match day is played and deposits are made through all of them at once. Each
// answer is the model's, whichever process gave it; afterwards all invariants hold, and all three answer
// the same.

import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, type NoParameters, reading } from '../../src/platform/database/database.ts'
import { openPostgres } from '../../src/platform/database/postgres/postgres.ts'
import { brokenInvariants } from '../harness/community-invariants.ts'
import { type Instances, startInstances } from '../harness/instances.ts'
import { writes } from '../harness/match-day-commands.ts'
import { MatchDay } from '../harness/match-day-model.ts'
import { expectEverything, reads } from '../harness/match-day-reads.ts'
import { type Client, type Member, newCatalogue, newWorld, type World } from '../harness/match-day-world.ts'
import { engine, newTestDatabase, type OperatorReply, type Reply, type TestDatabase } from '../harness/service.ts'
import { operatorOk } from '../harness/sportsbook.ts'
import { addCard, type Bank, deposit, ledgerProblems, paidOrFaultCode, startBank } from '../harness/wallets.ts'
import { type Attempt, type Deposit, violationsOf } from '../torture/invariants.ts'

const LIMIT = '50.00'
const json = 'application/json'

// One process owns an embedded database; several share PostgreSQL.
describe.runIf(engine === 'postgres')('three processes on one database', () => {
  let testDatabase: TestDatabase
  let bank: Bank
  let instances: Instances
  let database: Database
  let world: World

  beforeAll(async () => {
    testDatabase = await newTestDatabase()
    bank = await startBank()
    instances = await startInstances(3, { ...testDatabase.settings, SANDBOX_GATEWAY_URL: bank.url })
    database = openPostgres({ url: testDatabase.settings.DATABASE_URL as string })
    world = await newWorld(instances.balanced)
  })

  afterAll(async () => {
    await instances?.stop()
    await database?.close()
    await bank?.close()
    await testDatabase?.remove()
  })

  test('serve a match day and a storm of deposits at the same time', async () => {
    const model = new MatchDay(newCatalogue(), new Map())
    const stories = fc.noBias(fc.commands([...writes, ...reads], { maxCommands: 100, size: 'max' }))
    const day = fc.asyncProperty(stories, async (story) => {
      await fc.asyncModelRun(() => ({ model, real: world }), story)
    })
    const [attempts] = await Promise.all([
      depositStorm(instances),
      // A run cannot be undone, so it is not shrunk: match-day.test.ts does that with one process.
      fc.assert(day, { numRuns: 2, endOnFailure: true }),
    ])
    await expectEverything(model, world)
    await allFollowed(database)
    model.waiting = false
    await expectEverything(model, world)
    expect(await brokenInvariants(database)).toEqual({})
    await expectMoney(instances, { attempts, bank, database })
  })

  test('give the same answers after concurrent writes through all of them', async () => {
    await everybodyAtOnce(world)
    await allFollowed(database)
    expect(await brokenInvariants(database)).toEqual({})
    const before = await sameAnswers(instances, world)
    // Data that one process may have cached is changed through another.
    const [star, author, fan] = world.members as [Member, Member, Member]
    const [first, second] = instances.clients as [Client, Client]
    await operatorOk(first, 'POST', `/moderation/profiles/${author.profileId}`, { action: 'deactivate' })
    const unfollow = `/v1/profiles/me/followings/${star.profileId}`
    expect((await second.call('DELETE', unfollow, { ticket: fan.ticket })).status).toBe(200)
    expect(await sameAnswers(instances, world)).not.toEqual(before)
    const queues = await Promise.all(
      instances.clients.map((client) => client.operator('GET', '/operator/v1/moderation/queue?kind=comment')),
    )
    expect(new Set(queues.map(({ body }) => JSON.stringify(body))).size).toBe(1)
  })
})

/** Sends every read to every process; returns the answers, which must be the same. */
async function sameAnswers({ clients }: Instances, world: World): Promise<string[]> {
  const texts: string[] = []
  for (const { path, ticket } of questions(world)) {
    const answers = await Promise.all(clients.map((client) => client.call('GET', path, { ticket, accept: json })))
    const [first, ...others] = answers.map(({ status, text }) => ({ path, status, text }))
    expect([200, 204, 404]).toContain(first?.status)
    for (const other of others) expect(other).toEqual(first)
    texts.push(first?.text ?? '')
  }
  return texts
}

const stillToFollow = reading<NoParameters, { count: number }>(
  'stillToFollow',
  'select count(*) as count from comment_work',
)

async function allFollowed(database: Database): Promise<void> {
  const count = async () => (await database.one(stillToFollow, {}))?.count
  await expect.poll(count, { timeout: 60_000, interval: 50 }).toBe(0)
}

// ---- Deposits

/** The final answer for each Idempotency-Key. */
async function depositStorm({ balanced, clients }: Instances): Promise<Attempt[]> {
  const cards = ['approve', 'approve', 'slow-50', 'decline']
  const many = await Promise.all(
    cards.map((_, index) => depositor(balanced, 60_001 + index, `sandbox:${cards[index]}`)),
  )
  const one = await depositor(balanced, 60_100, 'sandbox:approve')
  const attempts: Attempt[] = []
  /** Sent through all processes at once, and repeated until the result is final. */
  async function surely(customer: Depositor, key: string): Promise<void> {
    const answers = await Promise.all(clients.map((client) => deposit(client, { ...customer, key, amount: '7.00' })))
    const last = await expectFinal(() => deposit(balanced, { ...customer, key, amount: '7.00' }))
    const payments = [...answers, last].flatMap((reply) => reply.json().whoWallets?.paymentId ?? [])
    expect(new Set(payments).size).toBeLessThan(2)
    for (const reply of answers) expect([paidOrFaultCode(last), '24011']).toContain(paidOrFaultCode(reply))
    attempts.push({ key, answer: paidOrFaultCode(last) })
  }
  async function oneAfterTheOther(customer: Depositor): Promise<void> {
    for (let turn = 0; turn < 5; turn++) await surely(customer, `${customer.id}-${turn}`)
  }
  async function impatient(client: number): Promise<void> {
    for (let turn = 0; turn < 10; turn++) {
      const key = `one-${client}-${turn}`
      attempts.push({ key, answer: paidOrFaultCode(await deposit(balanced, { ...one, key, amount: '7.00' })) })
    }
  }
  const impatience = Array.from({ length: 6 }, (_, client) => impatient(client))
  await Promise.all([...many.map(oneAfterTheOther), ...impatience])
  // Seven times 7.00 are within the daily limit of 50.00; some were refused because another was in flight.
  const ofOne = attempts.filter(({ key }) => key.startsWith('one-')).map((attempt) => attempt.answer)
  expect(ofOne.filter((code) => !['paid', '24011', '24008'].includes(code))).toEqual([])
  for (let paid = ofOne.filter((code) => code === 'paid').length; paid < 7; paid++) await surely(one, `more-${paid}`)
  expect(paidOrFaultCode(await deposit(balanced, { ...one, amount: '7.00' }))).toBe('24008')
  return attempts
}

type Depositor = { id: number; ticket: string; method: number }

async function depositor(client: Client, id: number, token: string): Promise<Depositor> {
  await operatorOk(client, 'PUT', `/customers/${id}`, { dailyDepositLimit: LIMIT })
  const { ticket } = await operatorOk(client, 'POST', `/customers/${id}/tickets`, {})
  return { id, ticket, method: await addCard(client, { id }, { id: 600_000 + id, token }) }
}

async function expectFinal(ask: () => ReturnType<typeof deposit>) {
  for (;;) {
    const reply = await ask()
    expect(reply.status).toBe(200)
    if (paidOrFaultCode(reply) !== '24011') return reply
  }
}

const eventsTwice = reading<NoParameters, { deposit_id: string }>(
  'eventsTwice',
  'select deposit_id from deposit_event group by deposit_id, event having count(*) > 1',
)

type Evidence = { attempts: Attempt[]; bank: Bank; database: Database }

async function expectMoney({ clients, balanced }: Instances, { attempts, bank, database }: Evidence): Promise<void> {
  const all = async () => (await balanced.operator('GET', '/operator/v1/deposits?limit=100')).body.items as Deposit[]
  const underWay = async () => (await all()).filter(({ state }) => !['CAPTURED', 'DECLINED'].includes(state))
  await expect.poll(underWay, { timeout: 60_000, interval: 100 }).toEqual([])
  const deposits = await all()
  expect(violationsOf({ attempts, deposits, payments: await bank.payments(), limit: 5_000n })).toEqual([])
  expect(await database.query(eventsTwice, {})).toEqual([])
  for (const client of clients) expect(await ledgerProblems(client)).toEqual([])
  expect(deposits.filter(({ state }) => state === 'CAPTURED')).toHaveLength(3 * 5 + 7)
}

// ---- Everybody

/** The same tips, likes, follows, flags, decisions and results from everywhere at the same time. */
async function everybodyAtOnce({ client, members }: World): Promise<void> {
  const [star, author, ...others] = members as [Member, Member, ...Member[]]
  const crowd = others.slice(0, 15)
  await Promise.all(
    [star, author, ...crowd].map(({ profileId }) =>
      operatorOk(client, 'POST', `/moderation/profiles/${profileId}`, { action: 'reactivate' }),
    ),
  )
  const [event, market, outcome] = [799, 7991, 79911]
  await operatorOk(client, 'PUT', `/events/${event}`, {
    sportId: '1',
    name: 'The last event',
    startTime: '2030-02-01T15:00:00Z',
    markets: [{ id: `${market}`, name: 'Winner', outcomes: [{ id: `${outcome}`, name: 'Home' }] }],
  })
  await operatorOk(client, 'PUT', '/bets/799', { customerId: `${author.customerId}`, outcomeIds: [`${outcome}`] })
  const tip = `/v1/communities/comments/me/outcomes/${outcome}?betId=799&text=At+once`
  const tips = await Promise.all([1, 2, 3].map(() => client.call('POST', tip, { ticket: author.ticket, accept: json })))
  expect(tips.map(({ status }) => status).sort()).toEqual([200, 409, 409])
  const id = tips.find(({ status }) => status === 200)?.json().whoCommunities.comment.id
  const calls = crowd.flatMap(({ ticket }) => {
    const act = (method: string, path: string) => () => client.call(method, path, { ticket, accept: json })
    return [
      ...['POST', 'POST', 'DELETE', 'POST'].map((method) => act(method, `/v1/communities/comments/${id}/like`)),
      ...['POST', 'DELETE', 'POST'].map((method) => act(method, `/v1/communities/comments/${id}/flag`)),
      ...['POST', 'DELETE', 'POST'].map((method) => act(method, `/v1/profiles/me/followings/${star.profileId}`)),
    ]
  })
  const settle = (result: string) => () =>
    client.operator('POST', `/operator/v1/markets/${market}/settlement`, { results: { [outcome]: result } })
  const keep = () => client.operator('POST', `/operator/v1/moderation/comments/${id}`, { action: 'keep' })
  const all = [...calls, settle('win'), keep, settle('lose'), settle('win')]
  const replies = await Promise.all(all.map(patiently))
  for (const reply of replies) expect(reply.status).toBeLessThan(300)
}

/** Repeats a request that is answered with 503, as a client should. */
async function patiently(ask: () => Promise<Reply | OperatorReply>): Promise<Reply | OperatorReply> {
  for (;;) {
    const reply = await ask()
    if (reply.status !== 503) return reply
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0)
  }
}

function questions({ members }: World): { path: string; ticket: string }[] {
  const lists = ['R', 'L', 'E'].flatMap((order) => ['A', 'W'].map((status) => `status=${status}&sortOrder=${order}`))
  return members.slice(0, 4).flatMap(({ ticket, profileId }, index) => [
    { path: '/v1/profiles/me?communities=Y', ticket },
    { path: '/v1/communities/comments/outcomes/top', ticket },
    ...lists.flatMap((list) => [
      { path: `/v1/communities/comments/profiles/me?${list}`, ticket },
      { path: `/v1/communities/comments/profiles/me/followings?${list}`, ticket },
    ]),
    // Of others, who may be inactive.
    ...['', '/followers', '/followings'].map((list) => ({
      path: `/v1/profiles/${profileId}${list}?communities=Y`,
      ticket: (members[index + 1] as Member).ticket,
    })),
    { path: `/v1/communities/comments/profiles/${profileId}?status=A`, ticket: (members[index + 1] as Member).ticket },
  ])
}
