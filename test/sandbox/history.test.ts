// What a newcomer finds in the sandbox: 90 days of tips, results and money.

import { beforeAll, describe, expect, test } from 'vitest'
import { type NoParameters, reading } from '../../src/platform/database/database.ts'
import { SANDBOX_CUSTOMERS, SANDBOX_KEY, SANDBOX_SECRET } from '../../src/sandbox/world/customers.ts'
import { checkLedger } from '../../src/wallets/books/ledger-check.ts'
import { brokenInvariants } from '../harness/community-invariants.ts'
import { caughtUp } from '../harness/notifications.ts'
import { boardUpToDate, DAY_MS, rankingOf, recordOf, recordTipsOf } from '../harness/records.ts'
import { type Json, useService } from '../harness/service.ts'

const service = useService({ SANDBOX_SEED: 'on', LOG_LEVEL: 'silent' })
const [alice] = SANDBOX_CUSTOMERS
const credentials = { key: SANDBOX_KEY, secret: SANDBOX_SECRET, accept: 'application/json' }

beforeAll(() => boardUpToDate(service))

type PastTip = { id: number; created_at: number; event: string; author: number; event_id: number; name: string }
const tipsOnPastEvents = reading<NoParameters, PastTip>(
  'tipsOnPastEvents',
  `select c.id, c.created_at, e.name as event, c.author_id as author, e.id as event_id, o.name from comment c
   join outcome o on o.id = c.outcome_id join market m on m.id = o.market_id join event e on e.id = m.event_id
   where e.id between 30000 and 39999 order by c.id`,
)

/** `winner`: which of its outcomes has won, from 0. */
const pastEventScores = reading<NoParameters, { sport_id: number; score: string | null; winner: number }>(
  'pastEventScores',
  `select e.sport_id, e.score, min(o.id) - e.id * 10 as winner from event e join market m on m.event_id = e.id
   join outcome o on o.market_id = m.id
   where e.id between 30000 and 39999 and o.result = 'win' group by e.id, e.sport_id, e.score`,
)

describe('tipsters', () => {
  test.each(['0', '90', '30'])('20 are ranked in %s days, winners and losers', async (numDays) => {
    const ranked = await rankingOf(service, `?numDays=${numDays}`)
    expect(ranked).toHaveLength(20)
    const profits = ranked.map(({ record }) => Number(record.profit))
    expect([profits.some((profit) => profit > 5), profits.some((profit) => profit < -5)]).toEqual([true, true])
  })

  test('each has losing runs, and winners after them', async () => {
    for (const { id } of await rankingOf(service, '?numDays=0')) {
      const record = await recordOf(service, id)
      expect([id, Number(record.longestLosing) > 2, Number(record.numWon) > 0]).toEqual([id, true, true])
    }
  })

  test('one withdraws losers, one was lucky with few tips, one tips each way', async () => {
    expect(Number((await recordOf(service, 24)).numWithdrawn)).toBeGreaterThan(50)
    expect(await recordOf(service, 22)).toMatchObject({ numSettled: '8', isRanked: 'N' })
    const eachWay = await recordTipsOf(service, 5, '?blockSize=100')
    expect(new Set(eachWay.map((tip) => tip.eachWay))).toEqual(new Set(['1/5']))
    expect(eachWay.some(({ result, profit }) => result === 'place' && Number(profit) > 0)).toBe(true)
  })

  test('one has void tips, Rule 4 and dead heats', async () => {
    const tips = await recordTipsOf(service, 10, '?blockSize=100')
    expect(tips.some(({ result }) => result === 'void')).toBe(true)
    expect(tips.some(({ rule4 }) => rule4 === '0.15')).toBe(true)
    expect(tips.some(({ deadHeat }) => deadHeat === '1/2')).toBe(true)
  })

  test('their events have names, and tips of several people; ids are in the order of time', async () => {
    const tips = await service.context.database.query(tipsOnPastEvents, {})
    expect(tips.length).toBeGreaterThan(2_000)
    for (const { event } of tips) expect(event).toMatch(/^[A-Z][\w ]+( v [A-Z][\w ]+| race \d)$/)
    for (const { name } of tips) expect(name).not.toMatch(/^(Home|Away|The field|Challenger)$/)
    const authors = Map.groupBy(tips, ({ event_id }) => event_id)
    const shared = [...authors.values()].filter((ofEvent) => new Set(ofEvent.map(({ author }) => author)).size > 2)
    expect(shared.length).toBeGreaterThan(100)
    const days = tips.map(({ created_at }) => Math.floor(created_at / DAY_MS))
    expect(days).toEqual(days.toSorted((one, other) => one - other))
    expect((days.at(-1) as number) - (days[0] as number)).toBeGreaterThan(85)
  })

  test('matches have the score that their results say; races have none', async () => {
    const events = await service.context.database.query(pastEventScores, {})
    for (const { sport_id, score, winner } of events) {
      const [home, away] = (score ?? '').split(' – ').map(Number) as [number, number]
      const said = home > away ? 0 : home < away ? (sport_id === 30 ? 1 : 2) : 1
      expect([sport_id, score, said]).toEqual(
        sport_id === 21 ? [21, null, expect.anything()] : [sport_id, expect.stringMatching(/^\d – \d$/), winner],
      )
    }
    expect(new Set(events.map(({ sport_id }) => sport_id))).toEqual(new Set([10, 21, 30]))
  })

  test('everything that is counted is right', async () => {
    expect(await brokenInvariants(service.context.database)).toEqual({})
  })
})

const pricesOf = reading<{ id: number }, { price: string }>(
  'pricesOf',
  `select price_num || '/' || price_den as price from price_point where outcome_id = :id order by minute`,
)

test.each([
  [80033, '6/5'],
  [81001, '5/4'],
])('the prices of outcome %i have a history that ends at %s', async (id, last) => {
  const prices = (await service.context.database.query(pricesOf, { id })).map(({ price }) => price)
  expect([new Set(prices).size > 2, prices.at(-1)]).toEqual([true, last])
})

const eventsWithTime = reading<NoParameters, { name: string }>(
  'eventsWithTime',
  `select name from event where name like '%:%'`,
)

// Whoever reads it elsewhere has another clock, and a race of the afternoon starts when somebody plays it.
test('no event has a time in its name', async () => {
  expect(await service.context.database.query(eventsWithTime, {})).toEqual([])
})

describe('money', () => {
  const statement = async (customer: number): Promise<Json[]> => {
    const { body } = await service.operator('GET', `/operator/v1/customers/${customer}/statement?limit=100`)
    return body.items
  }

  test.each([1, 2, 3, 12, 101])('the statement of customer %i is in the order of time', async (customer) => {
    const lines = await statement(customer)
    expect(lines.length).toBeGreaterThan(20)
    const times = lines.map(({ at }) => at)
    expect(times).toEqual(times.toSorted())
    expect(Math.min(...lines.map(({ balance }) => Number(balance)))).toBeGreaterThanOrEqual(0)
    expect(lines.map(({ type }) => type)).toEqual(expect.arrayContaining(['deposit', 'stake', 'winnings']))
  })

  test('Alice has had a refund and been paid out', async () => {
    const types = (await statement(1)).map(({ type }) => type)
    expect(types).toEqual(expect.arrayContaining(['deposit', 'stake', 'winnings', 'refund', 'withdrawal']))
  })

  test('there are declined deposits, a dispute, a withdrawal that was paid and one that waits', async () => {
    const page = async (path: string) => (await service.operator('GET', `/operator/v1/${path}`)).body.items
    const deposits = await page('deposits?limit=100')
    expect(new Set(deposits.map(({ state }: Json) => state))).toEqual(new Set(['CAPTURED', 'DECLINED']))
    const refunds = (await page('refunds?limit=100')) as Json[]
    const [byOperators, returns] = ['operator', 'withdrawal'].map((origin) =>
      refunds.filter((one) => one.origin === origin),
    )
    expect(byOperators?.map(({ state }) => state)).toEqual(['DONE'])
    // Withdrawals give back what the cards paid in, deposit by deposit.
    expect(new Set(returns?.map(({ state }) => state))).toEqual(new Set(['DONE']))
    expect((await page('disputes?limit=100')).map(({ state }: Json) => state)).toEqual(['CHARGED_BACK'])
    const withdrawals = await page('withdrawals?limit=100')
    expect(withdrawals.map(({ state }: Json) => state).sort()).toEqual(['PAID', 'PAID', 'REQUESTED'])
  })

  test('the ledger is balanced', async () => {
    expect(await checkLedger(service.context.database)).toMatchObject({ balanced: true, problems: [] })
  })
})

describe('people', () => {
  test('have portraits that are served like uploaded pictures; some keep the default', async () => {
    const pictureOf = async (id: number) => {
      const reply = await service.call('GET', `/v1/profiles/${id}`, credentials)
      return reply.json().whoProfiles[0].profile.picture as string
    }
    const [first, second] = [await pictureOf(1), await pictureOf(21)]
    expect(first).toMatch(/^\/pictures\/[0-9a-f]{32}\.(png|jpg)$/)
    const bytes = await Promise.all(
      [first, second].map(async (path) => {
        const reply = await fetch(service.publicUrl + path)
        expect([reply.status, reply.headers.get('content-type')]).toEqual([200, expect.stringMatching(/^image\//)])
        return Buffer.from(await reply.arrayBuffer()).toString('base64')
      }),
    )
    expect(bytes[0]).not.toBe(bytes[1])
    expect(await pictureOf(4)).toBe('/pictures/default.png')
  })

  test('Alice reads new tips first, and news in the order of time', async () => {
    await caughtUp(service.context.database)
    const asAlice = { ...credentials, ticket: alice.ticket }
    const feed = await service.call(
      'GET',
      '/v1/communities/comments/profiles/me/followings?status=A&blockSize=20',
      asAlice,
    )
    const tips = feed.json().whoCommunities.comment as Json[]
    const times = tips.map(({ createdDateTimeZoned }) => createdDateTimeZoned as string)
    expect(tips.length).toBeGreaterThan(15)
    expect(times).toEqual(times.toSorted().reverse())
    const news = await service.call('GET', '/v1/profiles/me/notifications?blockSize=20', asAlice)
    const told = news.json().whoNotifications.notification.map((one: Json) => one.createdDateTimeZoned.slice(0, 10))
    expect(told).toEqual(told.toSorted().reverse())
    expect(news.json().whoNotifications.numUnread).toBe('3')
  })

  test('a result is notified on the day that the record has for it', async () => {
    for (const { ticket } of SANDBOX_CUSTOMERS.slice(0, 3)) {
      const as = { ...credentials, ticket }
      const news = (await service.call('GET', '/v1/profiles/me/notifications?blockSize=100', as)).json()
      const { id } = (await service.call('GET', '/v1/profiles/me', as)).json().whoProfiles[0].profile
      const record = (await service.call('GET', `/v1/profiles/${id}/record/tips?blockSize=100`, credentials)).json()
      const settled = new Map(record.whoProfiles.map(({ tip }: Json) => [tip.id, tip.settled]))
      const told = news.whoNotifications.notification.filter((one: Json) => settled.has(one.comment?.id))
      const results = told.filter(({ type }: Json) => type === 'settled')
      expect(results.length).toBeGreaterThan(5)
      for (const one of results) expect(one.createdDateTimeZoned.slice(0, 10)).toBe(settled.get(one.comment.id))
    }
  })
})
