// A load of reads, writes, operator's calls and deposits that continues while the database stops and starts. Every answer
// must be a success or 503 with Retry-After, within the deadline of a request.

import { expect } from 'vitest'
import { type Database, DatabaseUnavailable, type NoParameters, reading } from '../../src/platform/database/database.ts'
import { sweep } from '../../src/wallets/sweep/sweeper.ts'
import { type Attempt, type Deposit, violationsOf } from '../torture/invariants.ts'
import { brokenInvariants } from './community-invariants.ts'
import type { OperatorReply, Reply, TestCustomer, TestService } from './service.ts'
import { newMatch, newTip, type TestOutcome } from './sportsbook.ts'
import { addCard, type Bank, deposit, ledgerProblems, paidOrFaultCode } from './wallets.ts'

/** docs/operations.md, "How long a request can take". */
const DEADLINE_MS = { request: 15_000, deposit: 40_000 }
const LIMIT = 100_000_000n

type Member = TestCustomer & { profileId: number }
type Answer = 'served' | 'refused'
type Kind = { name: string; clients: number; work: (client: number) => Promise<Answer> }

/** What succeeded; `registers` have the last answered state of follows and likes, which are added and removed in turn. */
type Recorded = {
  unexpected: string[]
  registers: Map<string, { table: 'follow' | 'comment_like'; pair: [number, number]; there: boolean | 'unknown' }>
  tips: number[]
  bets: number[]
  attempts: Attempt[]
}

type Load = {
  /** Until each kind of request has succeeded again. */
  untilAllServed(): Promise<void>
  /** Until 60 more were refused. */
  untilRefused(): Promise<void>
  stop(): Promise<Recorded>
}

const REFUSALS = 60

export async function startLoad(service: TestService): Promise<Load> {
  const done: Recorded = { unexpected: [], registers: new Map(), tips: [], bets: [], attempts: [] }
  const kinds = await requestKinds(service, done)
  const served = new Map(kinds.map(({ name }) => [name, 0]))
  let refused = 0
  let running = true
  async function client({ name, work }: Kind, number: number): Promise<void> {
    while (running) {
      if ((await work(number)) === 'served') served.set(name, (served.get(name) ?? 0) + 1)
      else refused++
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 30))
    }
  }
  const clients = kinds.flatMap((kind) => Array.from({ length: kind.clients }, (_, number) => client(kind, number)))
  const until = (what: () => unknown[]) => expect.poll(what, { timeout: 100_000, interval: 10 }).toEqual([])
  return {
    async untilAllServed() {
      const before = new Map(served)
      await until(() => [...served].filter(([name, count]) => count === before.get(name)))
    },
    async untilRefused() {
      const before = refused
      await until(() => (refused < before + REFUSALS ? [refused] : []))
    },
    async stop() {
      running = false
      await Promise.all(clients)
      return done
    },
  }
}

/** Records every answer that is neither `good` nor a proper 503, and requests that are not answered in time. */
function checkAnswers({ unexpected }: Recorded) {
  return async <R extends Reply | OperatorReply>(
    what: string,
    request: Promise<R>,
    good: (reply: R) => boolean,
    deadline = DEADLINE_MS.request,
  ): Promise<R | undefined> => {
    const late = setTimeout(() => unexpected.push(`${what}: not answered within ${deadline} ms`), deadline)
    const reply = await request.finally(() => clearTimeout(late))
    if (reply.status === 503 && Number(reply.headers.get('retry-after')) > 0) return undefined
    if (good(reply)) return reply
    unexpected.push(`${what}: ${reply.status} ${'text' in reply ? reply.text : JSON.stringify(reply.body)}`)
    return undefined
  }
}

const READS = [
  '/v1/profiles/me?communities=Y',
  '/v1/profiles/me/followers',
  '/v1/communities/comments/profiles/me/followings?status=A',
  '/v1/communities/comments/outcomes/top',
]

async function requestKinds(service: TestService, done: Recorded): Promise<Kind[]> {
  const members: Member[] = await Promise.all(Array.from({ length: 9 }, () => service.member()))
  const [outcome] = (await newMatch(service)) as [TestOutcome]
  const star = members.pop() as Member
  const tip = await newTip(service, star, outcome.id)
  const member = (client: number) => members[client] as Member
  const check = checkAnswers(done)

  const read = (path: string) => async (client: number) => {
    const request = service.call('GET', path, { ticket: member(client).ticket })
    return answerOf(await check(path, request, ({ status }) => status === 200 || status === 204))
  }

  /** Adds and removes in turn. */
  const toggle = (table: 'follow' | 'comment_like', path: string, other: number) => async (client: number) => {
    const { profileId, ticket } = member(client)
    const name = `${table} ${profileId}`
    const there = done.registers.get(name)?.there !== true
    done.registers.set(name, { table, pair: [profileId, other], there: 'unknown' })
    const request = service.call(there ? 'POST' : 'DELETE', path, { ticket })
    const reply = await check(`${there ? 'POST' : 'DELETE'} ${path}`, request, ({ status }) =>
      [200, 204].includes(status),
    )
    if (reply !== undefined) done.registers.set(name, { table, pair: [profileId, other], there })
    return answerOf(reply)
  }

  return [
    ...READS.map((path) => ({ name: path, clients: 2, work: read(path) })),
    {
      name: 'follow',
      clients: 8,
      work: toggle('follow', `/v1/profiles/me/followings/${star.profileId}`, star.profileId),
    },
    { name: 'like', clients: 8, work: toggle('comment_like', `/v1/communities/comments/${tip}/like`, tip) },
    { name: 'tip', clients: 4, work: tipRepeatedly(service, done, { member, outcome }) },
    { name: 'deposit', clients: 4, work: await depositRepeatedly(service, done) },
  ]
}

/** The operator creates a bet; then its customer tips on it. */
function tipRepeatedly(
  service: TestService,
  done: Recorded,
  { member, outcome }: { member: (client: number) => Member; outcome: TestOutcome },
): Kind['work'] {
  const check = checkAnswers(done)
  let bets = 5_000_000
  const waiting = new Map<number, { id: number; exists: boolean }>()
  return async (client) => {
    const bet = waiting.get(client) ?? { id: ++bets, exists: false }
    waiting.set(client, bet)
    if (!bet.exists) {
      const body = { customerId: `${member(client).id}`, outcomeIds: [`${outcome.id}`] }
      const request = service.operator('PUT', `/operator/v1/bets/${bet.id}`, body)
      const reply = await check('PUT bet', request, ({ status }) => status === 200 || status === 201)
      if (reply === undefined) return 'refused'
      done.bets.push(bet.id)
      bet.exists = true
    }
    // After a 503 only a second try would show whether the tip was created.
    waiting.delete(client)
    const path = `/v1/communities/comments/me/outcomes/${outcome.id}?betId=${bet.id}&text=Under+load`
    const request = service.call('POST', path, { ticket: member(client).ticket, accept: 'application/json' })
    const reply = await check('POST tip', request, ({ status }) => status === 200)
    if (reply !== undefined) done.tips.push(Number(reply.json().whoCommunities.comment.id))
    return answerOf(reply)
  }
}

function answerOf(reply: unknown): Answer {
  return reply === undefined ? 'refused' : 'served'
}

/** Each client deposits again and again, and repeats a deposit with the same key until it has an answer. */
async function depositRepeatedly(service: TestService, done: Recorded): Promise<Kind['work']> {
  const customers = await Promise.all([1, 2, 3, 4].map(() => service.customer({ dailyDepositLimit: LIMIT })))
  const methods = await Promise.all(customers.map((customer) => addCard(service, customer)))
  const turns = [0, 0, 0, 0]
  const check = checkAnswers(done)
  return async (client) => {
    const { ticket } = customers[client] as TestCustomer
    const key = `restart-${client}-${turns[client]}`
    const request = deposit(service, { ticket, method: methods[client] as number, key })
    const reply = await check('deposit', request, ({ status }) => status === 200, DEADLINE_MS.deposit)
    if (reply === undefined) return 'refused'
    const answer = paidOrFaultCode(reply)
    if (answer === '24011') {
      // Its answer was lost: it is voided when its lease expires.
      await sweep(service.context).catch((error) => expect(error).toBeInstanceOf(DatabaseUnavailable))
      return 'served'
    }
    if (answer !== 'paid' && answer !== '24005') done.unexpected.push(`deposit: ${reply.text}`)
    done.attempts.push({ key, answer })
    ;(turns[client] as number)++
    return 'served'
  }
}

// ---- Afterwards

type Key = { first: number; second: number }

const rows = {
  follow: reading<Key, { one: number }>(
    'followThere',
    'select 1 as one from follow where follower_id = :first and followee_id = :second',
  ),
  comment_like: reading<Key, { one: number }>(
    'likeThere',
    'select 1 as one from comment_like where profile_id = :first and comment_id = :second',
  ),
  comment: reading<Key, { one: number }>('tipThere', `select 1 as one from comment where id = :first`),
  bet: reading<Key, { one: number }>('betThere', 'select 1 as one from bet_outcome where bet_id = :first'),
}

export async function expectNothingLost(service: TestService, bank: Bank, done: Recorded): Promise<void> {
  const { database, tipStatus } = service.context
  const is = async (table: keyof typeof rows, [first = 0, second = 0]: readonly number[]) =>
    (await database.one(rows[table], { first, second })) !== undefined
  for (const { table, pair, there } of done.registers.values()) {
    if (there !== 'unknown') expect({ table, pair, there: await is(table, pair) }).toEqual({ table, pair, there })
  }
  expect(await missing(done.tips, (id) => is('comment', [id]))).toEqual([])
  expect(await missing(done.bets, (id) => is('bet', [id]))).toEqual([])
  await tipStatus.begin()
  expect(await brokenInvariants(database)).toEqual({})
  const deposits = await allDeposits(service, database)
  const evidence = { attempts: done.attempts, deposits, payments: await bank.payments(), limit: LIMIT }
  expect(violationsOf(evidence)).toEqual([])
  expect(await ledgerProblems(service)).toEqual([])
}

async function missing(ids: number[], isThere: (id: number) => Promise<boolean>): Promise<number[]> {
  const found = await Promise.all(ids.map(isThere))
  return ids.filter((_, index) => !found[index])
}

const underWay = reading<NoParameters, { id: string }>(
  'depositsUnderWay',
  `select id from deposit where state in ('AUTHORISING', 'AUTHORISED', 'VOIDING')`,
)

/** Waits until none is in progress. */
async function allDeposits(service: TestService, database: Database): Promise<Deposit[]> {
  const left = async () => {
    await sweep(service.context)
    return database.query(underWay, {})
  }
  await expect.poll(left, { timeout: 30_000, interval: 100 }).toEqual([])
  const deposits: Deposit[] = []
  for (let cursor = ''; ; ) {
    const { body } = await service.operator('GET', `/operator/v1/deposits?limit=100${cursor}`)
    deposits.push(...body.items)
    if (body.cursor === null) return deposits
    cursor = `&cursor=${body.cursor}`
  }
}
