import { afterAll, beforeAll, expect, test } from 'vitest'
import { CLAIM_MS, prepareMatchDay } from '../../src/sandbox/afternoon/match-day.ts'
import { racecardOf } from '../../src/sandbox/afternoon/racecard.ts'
import { claimMatchDay, matchDayRow, newestTipOf } from '../../src/sandbox/afternoon/store.ts'
import { SANDBOX_CUSTOMERS, SANDBOX_KEY, SANDBOX_SECRET } from '../../src/sandbox/world/customers.ts'
import { brokenInvariants } from '../harness/community-invariants.ts'
import { movementLine, newReference, sendLines } from '../harness/movements.ts'
import { caughtUp } from '../harness/notifications.ts'
import {
  type Json,
  newTestDatabase,
  startTestService,
  type TestDatabase,
  type TestService,
} from '../harness/service.ts'

const settings = { SANDBOX_SEED: 'people', LOG_LEVEL: 'warn' }
let testDatabase: TestDatabase
let service: TestService

/** The first service stops in the middle of the first afternoon; the second one plays them in no time. */
beforeAll(async () => {
  testDatabase = await newTestDatabase()
  const stopped = await startTestService(settings, testDatabase)
  // Bob has nothing in his account.
  await sendLines(stopped, [won(1, '50.00'), won(3, '50.00')])
  expect((await sandbox(stopped, 'GET', '/sandbox/match-day')).body).toEqual({
    state: 'idle',
    secondsLeft: 0,
    events: [],
    // The events of the next racecard.
    outcomeIds: outcomesOf(1),
  })
  const started = await sandbox(stopped, 'POST', '/sandbox/match-day')
  expect([started.status, started.body.state, started.body.events.length]).toEqual([202, 'playing', 4])
  expect(started.body.secondsLeft).toBeGreaterThan(0)
  expect(started.body.outcomeIds).toEqual(outcomesOf(1))
  await stopped.close()
  service = await startTestService(settings, testDatabase, { matchDaySecondMs: 0 })
})

const won = (customerId: number, amount: string) =>
  movementLine({ reference: newReference(), customerId, kind: 'winnings', amount })

function outcomesOf(round: number): number[] {
  return racecardOf(round).events.flatMap(({ markets }) =>
    markets.flatMap(({ runners }) => runners.map(({ id }) => id)),
  )
}

afterAll(async () => {
  await service.close()
  await testDatabase.remove()
})

test('the start of a service settles an afternoon that was interrupted', async () => {
  expect((await sandbox(service, 'GET', '/sandbox/match-day')).body.state).toBe('finished')
  const bets = await openBets(service, alice.ticket)
  expect([ofCard(bets, 1), ofCard(bets, 2).length]).toEqual([[], 3])
})

const [alice, bob, carol] = SANDBOX_CUSTOMERS

const credentials = { key: SANDBOX_KEY, secret: SANDBOX_SECRET, accept: 'application/json' }

async function sandbox(on: TestService, method: string, path: string, ticket?: string) {
  const headers = ticket === undefined ? {} : { 'who-ticket': ticket }
  const reply = await fetch(on.publicUrl + path, { method, headers })
  return { status: reply.status, body: (await reply.json()) as Json }
}

async function playAfternoon(on: TestService): Promise<Json> {
  const started = await sandbox(on, 'POST', '/sandbox/match-day')
  expect(started.status).toBe(202)
  await expect.poll(async () => (await sandbox(on, 'GET', '/sandbox/match-day')).body.state).toBe('finished')
  return (await sandbox(on, 'GET', '/sandbox/match-day')).body
}

async function openBets(on: TestService, ticket: string): Promise<Json[]> {
  return (await sandbox(on, 'GET', '/sandbox/bets', ticket)).body.bets
}

function ofCard(bets: readonly Json[], round: number): Json[] {
  const names = racecardOf(round).events.map(({ name }) => name)
  const ids = racecardOf(round).bets.map(({ id }) => id)
  return bets.filter((bet) => ids.includes(bet.id) && names.includes(bet.outcome.event))
}

async function notificationTypes(ticket: string): Promise<Record<string, number>> {
  await caughtUp(service.context.database)
  const reply = await service.call('GET', '/v1/profiles/me/notifications?blockSize=100', { ...credentials, ticket })
  const types = reply.json().whoNotifications.notification.map(({ type }: Json) => type)
  return Object.fromEntries(
    [...new Set<string>(types)].map((type) => [type, types.filter((one: string) => one === type).length]),
  )
}

test('an afternoon settles every event, moves feeds, records and notifications, and leaves bets for the next one', async () => {
  const bets = ofCard(await openBets(service, alice.ticket), 2)
  expect(bets.map(({ tipped, outcome }) => [tipped, outcome.status])).toEqual(Array(3).fill([false, 'active']))
  const [bet] = bets
  const path = `/v1/communities/comments/me/outcomes/${bet.outcome.id}?betId=${bet.id}&text=Travels+well`
  expect((await service.call('POST', path, { ...credentials, ticket: alice.ticket })).status).toBe(200)
  expect((await openBets(service, alice.ticket)).find(({ id }) => id === bet.id)?.tipped).toBe(true)
  const before = await notificationTypes(alice.ticket)

  const finished = await playAfternoon(service)
  expect(finished.events.map(({ id, state }: Json) => [id, state])).toEqual(
    racecardOf(2).events.map(({ id }) => [id, 'settled']),
  )
  expect(finished.secondsLeft).toBe(0)
  for (const { line } of finished.events) expect(line).toMatch(/^1\d:\d\d \S/)
  expect(service.logged()).not.toMatch(/afternoon/)
  const football = await service.call('GET', `/v1/communities/events/${racecardOf(2).football.id}`, credentials)
  const { goals } = racecardOf(2).football
  const score = [0, 1].map((team) => goals.filter((goal) => goal.team === team).length).join(' – ')
  expect(football.json().whoCommunities.event).toMatchObject({ status: 'settled', score, clock: 'Full time' })

  const left = await openBets(service, alice.ticket)
  expect([ofCard(left, 2), ofCard(left, 3).length]).toEqual([[], 3])
  expect(ofCard(left, 3).every(({ outcome }) => Date.parse(outcome.startTime) > service.clock.now())).toBe(true)
  const written = await service.context.database.one(newestTipOf, { customerId: 1 })
  const tip = await service.call('GET', `/v1/communities/comments/${written?.id}`, credentials)
  const { text, event } = tip.json().whoCommunities.comment
  expect([text, Number(event.market.outcome.numLikes) > 3]).toEqual(['Travels well', true])
  const after = await notificationTypes(alice.ticket)
  expect(after.settled).toBe((before.settled ?? 0) + 1)
  expect(await brokenInvariants(service.context.database)).toEqual({})
})

async function balanceOf(ticket: string): Promise<string> {
  return (await service.call('GET', '/v1/wallets/me/balance', { ...credentials, ticket })).json().whoWallets.balance
}

/**
 * By hand. Round 1, which the restart settled: of Alice's 8.00 the 2.00 each way at 7/2 win with 10p off (2 + 6.30, and 2 + 1.26 for
 * the place), all of Carol's 15.00 lose. Round 2: half of Alice's 2.00 at 7/4 wins in a dead heat (1 + 1.75), Carol's 5.00
 * at 2/1 and at 4/6 win (15.00 and 8.33).
 */
test('stakes, winnings and tips of the three are booked, and what the balance cannot pay is not', async () => {
  const own = async (ticket: string) =>
    (await sandbox(service, 'GET', '/sandbox/match-day', ticket)).body.bets.map(
      ({ selection, event, eachWay, stake, state, returned, tipId }: Json) => [
        [selection, event, ...(eachWay ? ['each way'] : [])].join(', '),
        ...[stake, state, returned, tipId !== null],
      ],
    )
  // She wrote one herself: none is written for her.
  expect(await own(alice.ticket)).toEqual([
    ['Luton, Luton v Cardiff', '2.00', 'lost', '0.00', false],
    ['Market Day, Sandown race 3, each way', '4.00', 'lost', '0.00', true],
    ['Salt and Vinegar, Sandown race 5', '2.00', 'won', '2.75', false],
  ])
  expect(await own(bob.ticket)).toEqual([
    ['Yes, Luton v Cardiff', null, 'lost', null, false],
    ['Moreau, Haas v Moreau', null, 'lost', null, true],
    ['Harbour Master, Sandown race 5', null, 'lost', null, false],
  ])
  expect(await own(carol.ticket)).toEqual([
    ['Cardiff, Luton v Cardiff', '5.00', 'won', '15.00', true],
    ['Haas, Haas v Moreau', '5.00', 'won', '8.33', false],
    ['Fair Isle, Sandown race 3', '5.00', 'lost', '0.00', false],
  ])
  // 50 - 8 + 11.56 - 8 + 2.75; nothing; 50 - 15 - 15 + 23.33.
  expect(await Promise.all([alice, bob, carol].map(({ ticket }) => balanceOf(ticket)))).toEqual([
    '48.31',
    '0.00',
    '43.33',
  ])
  expect((await service.operator('GET', '/operator/v1/ledger/check')).body.problems).toEqual([])
})

test('others write tips that count in their records, and like and follow Alice', async () => {
  const recordOf12 = async () => (await service.call('GET', '/v1/profiles/12/record', credentials)).text
  const before = await recordOf12()
  await playAfternoon(service)
  expect(await recordOf12()).not.toBe(before)
  const newest = await service.context.database.one(newestTipOf, { customerId: 12 })
  const tip = await service.call('GET', `/v1/communities/comments/${newest?.id}`, credentials)
  expect(tip.text).toContain('First leg of today’s fifteen')
  const { liked = 0, followed = 0 } = await notificationTypes(alice.ticket)
  expect([liked > 0, followed > 0]).toEqual([true, true])
  expect(await brokenInvariants(service.context.database)).toEqual({})
})

test('only one is played at a time in a database, also by another process', async () => {
  const { database, now } = service.context
  const { round } = (await database.one(matchDayRow, {})) as { round: number }
  const claimed = { claim: 'another process', now: now(), until: now() + CLAIM_MS }
  expect(await database.one(claimMatchDay, claimed)).toEqual({ round: round + 1 })
  const refused = await sandbox(service, 'POST', '/sandbox/match-day')
  expect(refused).toEqual({ status: 409, body: { status: 409, title: expect.stringContaining('being played') } })
  expect((await sandbox(service, 'GET', '/sandbox/match-day')).body.state).toBe('playing')

  // The other process was killed: its claim expires.
  service.clock.advance(2 * CLAIM_MS)
  expect((await sandbox(service, 'GET', '/sandbox/match-day')).body.state).toBe('idle')
  await playAfternoon(service)
  expect(await database.one(matchDayRow, {})).toMatchObject({ round: round + 2, state: 'finished' })
  const left = await openBets(service, alice.ticket)
  expect([ofCard(left, round + 1), ofCard(left, round + 2), ofCard(left, round + 3).length]).toEqual([[], [], 3])
})

test('a card that waited for long is moved to the next day when the service starts', async () => {
  service.clock.advance(72 * 3_600_000)
  const late = await openBets(service, alice.ticket)
  expect(late.every(({ outcome }) => Date.parse(outcome.startTime) < service.clock.now())).toBe(true)
  await prepareMatchDay(service.context)
  const bets = await openBets(service, alice.ticket)
  const waiting = bets.filter(({ outcome }) => Date.parse(outcome.startTime) > service.clock.now())
  expect(waiting.length).toBe(3)
})
