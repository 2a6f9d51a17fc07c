// The recount finds every difference between the tips and what is stored of them; and what operators read of a record.

import { beforeAll, describe, expect, test } from 'vitest'
import { recountRecord } from '../../src/record/recount.ts'
import { DAY_MS, gradedTips, recordTipsOf, type SettledTip } from '../harness/records.ts'
import { type Json, type TestCustomer, useService } from '../harness/service.ts'
import { newMatch, newTip, operatorOk, settle, type TestOutcome } from '../harness/sportsbook.ts'

const service = useService()
type Member = TestCustomer & { profileId: number }
const EQUAL = { isEqual: true, differences: [] }

const TIPS: readonly SettledTip[] = [
  { grade: 'W', daysAgo: 2, price: { num: 2, den: 1 }, closing: { num: 3, den: 2 } },
  { grade: 'L', daysAgo: 2, eachWay: { num: 1, den: 4 }, withdrawn: true },
  { grade: 'V', daysAgo: 1 },
  { grade: 'W', daysAgo: 1, startingPrice: { num: 7, den: 4 }, sportId: 2 },
  { grade: 'L', daysAgo: 0, price: { num: 9, den: 1 }, sportId: 2 },
  { grade: 'W', daysAgo: 0, inPlay: true },
]

beforeAll(() => service.clock.hold())

async function check({ profileId }: Member): Promise<Json> {
  const reply = await service.operator('GET', `/operator/v1/profiles/${profileId}/record/check`)
  expect(reply.status).toBe(200)
  return reply.body
}

test('a record equals its recount', async () => {
  const author = await service.member()
  expect(await check(author)).toEqual({ ...EQUAL, numTips: 0 })
  await gradedTips(service, author, TIPS)
  expect(await check(author)).toEqual({ ...EQUAL, numTips: 6 })
})

test('so does one of tips that were written, tipped twice, settled, corrected, withdrawn and restored', async () => {
  const author = await service.member()
  const outcomes = (await newMatch(service, { outcomes: 4 })) as [TestOutcome, TestOutcome, TestOutcome, TestOutcome]
  const tips: number[] = []
  for (const { id } of outcomes) tips.push(await newTip(service, author, id))
  const [one, two, three] = outcomes
  await newTip(service, author, one.id)
  await settle(service, one, 'win')
  await settle(service, two, 'lose')
  await settle(service, three, 'void')
  expect(await check(author)).toEqual({ ...EQUAL, numTips: 3 })
  await settle(service, two, 'win')
  await settle(service, one, 'void')
  expect(await check(author)).toEqual({ ...EQUAL, numTips: 3 })
  await operatorOk(service, 'POST', `/moderation/comments/${tips[1]}`, { action: 'remove', note: '' })
  await service.call('PUT', `/v1/communities/comments/${tips[0]}`, { ticket: author.ticket })
  expect(await check(author)).toEqual({ ...EQUAL, numTips: 3 })
  await operatorOk(service, 'POST', `/moderation/comments/${tips[1]}`, { action: 'restore', note: '' })
  expect(await check(author)).toEqual({ ...EQUAL, numTips: 3 })
})

test('and one of all kinds of results, legs and corrections of details, as the tips show them', async () => {
  const author = await service.member()
  const outcomes = (await newMatch(service, { outcomes: 8 })) as TestOutcome[]
  const half = { num: 1, den: 2 }
  const price = { num: 10, den: 1 }
  const legs = [
    { startingPrice: true },
    { price, eachWay: { num: 1, den: 4, places: 3 } },
    ...Array.from({ length: 6 }, () => ({ price })),
  ]
  const cashOut = [{ at: '2026-03-14T15:00:00Z', fraction: half }]
  for (const [index, { id }] of outcomes.entries()) {
    const betId = 800_000 + author.profileId * 10 + index
    await operatorOk(service, 'PUT', `/bets/${betId}`, {
      customerId: author.id,
      legs: [{ outcomeId: id, ...legs[index] }],
      cashOut: index === 1 ? cashOut : [],
    })
    await newTip(service, author, id, { betId })
  }
  const results = [
    { result: 'win', startingPrice: { num: 7, den: 4 }, rule4: '0.25' },
    { result: 'place', placeDeadHeat: half },
    { result: 'win', deadHeat: half },
    'half-win',
    'half-lose',
    'push',
    'void',
    { result: 'win', rule4: '0.10' },
  ]
  const settleAll = () =>
    operatorOk(service, 'POST', `/markets/${outcomes[0]?.marketId}/settlement`, {
      results: Object.fromEntries(outcomes.map(({ id }, index) => [id, results[index]])),
    })
  await settleAll()
  expect(await check(author)).toEqual({ ...EQUAL, numTips: 8 })
  const shown = async () =>
    (await recordTipsOf(service, author.profileId))
      .reverse()
      .map(({ status, result, staked, profit }) => `${status} ${result} ${staked} ${profit}`)
  // 11/10 in the catalogue is the lower price, but at starting price.
  expect(await shown()).toEqual([
    'W win 1.00 1.75',
    'L place 2.00 -1.36',
    'W win 1.00 0.05',
    'W half-win 1.00 0.55',
    'L half-lose 1.00 -0.50',
    'V push 0.00 0.00',
    'V void 0.00 0.00',
    'W win 1.00 0.99',
  ])
  const [, placed] = (await recordTipsOf(service, author.profileId)).reverse()
  expect(placed).toMatchObject({
    eachWay: '1/4',
    placeDeadHeat: '1/2',
    cashOut: { dateTimeZoned: '2026-03-14T15:00:00.000+00:00', fraction: '1/2' },
  })
  results[7] = { result: 'win', rule4: '0.50' }
  await settleAll()
  expect(await check(author)).toEqual({ ...EQUAL, numTips: 8 })
  expect((await shown()).at(-1)).toBe('W win 1.00 0.55')
})

describe('a change by hand is found', () => {
  let author: Member
  let first: number

  const grade = (column: string) => `update tip_grade set ${column} = ${column} + 1 where comment_id = ${first}`
  const terms = (change: string) => `update comment set ${change} where id = ${first}`
  const ofFirst = () => `(select outcome_id from comment where id = ${first})`
  const sumsOf = () => `profile_id = ${author.profileId} and in_play = 0 and day % 1000 >= 0`

  const CHANGES: Record<string, () => string> = {
    'the profit of a grade': () => grade('profit'),
    'the odds of a grade': () => grade('odds'),
    'the day of a grade': () => grade('day'),
    'the band of a grade': () => grade('band'),
    'the square of a grade': () => grade('return_square'),
    'the closing value of a grade': () => grade('closing'),
    'the letter of a grade': () => `update tip_grade set grade = 'L' where comment_id = ${first}`,
    'a withdrawal': () => `update tip_grade set withdrawn = 1 - withdrawn where comment_id = ${first}`,
    'no grade': () => `delete from tip_grade where comment_id = ${first}`,
    'the price of a tip': () => terms('record_num = record_num + 1'),
    'the each-way terms of a tip': () => terms('each_way_num = 1, each_way_den = 5'),
    'when a tip was created': () => terms('created_at = -start_order'),
    'the deduction of a result': () => `update outcome set rule4 = 10 where id = ${ofFirst()}`,
    'the closing price of a result': () => `update outcome set closing_num = closing_num + 1 where id = ${ofFirst()}`,
    'the day of a result': () => `update outcome set settled_at = settled_at + ${DAY_MS} where id = ${ofFirst()}`,
    ...Object.fromEntries(
      ['num_won', 'num_withdrawn', 'staked', 'profit', 'odds', 'return_squares', 'closing', 'num_beaten'].map(
        (column) => [`${column} of a sum`, () => `update record_sum set ${column} = ${column} + 1 where ${sumsOf()}`],
      ),
    ),
    'no sum': () => `delete from record_sum where ${sumsOf()}`,
  }

  test.each(Object.keys(CHANGES))('in %s', async (what) => {
    author = await service.member()
    first = (await gradedTips(service, author, TIPS.slice(0, 2)))[0] as number
    await service.context.database.script(CHANGES[what]?.() as string)
    const { isEqual, differences } = await check(author)
    expect([isEqual, differences.length]).toEqual([false, expect.toSatisfy((number) => number > 0)])
  })

  test('and named', async () => {
    author = await service.member()
    first = (await gradedTips(service, author, TIPS.slice(0, 1)))[0] as number
    await service.context.database.script(`update tip_grade set profit = 1 where comment_id = ${first}`)
    const { differences } = await recountRecord(service.context.database, author.profileId)
    expect(differences).toEqual([
      { subject: `tip ${first}`, field: 'profit', recounted: '2000000', stored: '1' },
      {
        subject: expect.stringMatching(/^sum of [-\d]{10}, sport 1, band 2-4$/),
        field: 'profit',
        recounted: '1',
        stored: '2000000',
      },
    ])
  })
})

describe('what operators read', () => {
  const date = (daysAgo: number) => new Date(service.clock.now() - daysAgo * DAY_MS).toISOString().slice(0, 10)

  test('the record, day by day and by its parts', async () => {
    const author = await service.member()
    await gradedTips(service, author, TIPS)
    const { body } = await service.operator('GET', `/operator/v1/profiles/${author.profileId}/record`)
    expect(body.record).toMatchObject({
      numSettled: 5,
      numWon: 2,
      numLost: 2,
      staked: '5.00',
      profit: '0.75',
      isRanked: false,
    })
    expect(body.days.map(({ date, num, profit }: Json) => [date, num, profit])).toEqual([
      [date(2), 2, '0.00'],
      [date(1), 3, '1.75'],
      [date(0), 4, '0.75'],
    ])
    const { low, high } = body.days[2]
    const { yieldLow, yieldHigh } = body.record
    // Of the yield in per cent, times 5 points.
    expect([Number(low), Number(high)]).toEqual([
      expect.closeTo(Number(yieldLow) / 20, 1),
      expect.closeTo(Number(yieldHigh) / 20, 1),
    ])
    expect(body.sports.map(({ sportId, name, figures }: Json) => [sportId, name, figures.profit])).toEqual([
      ['1', 'Sport 1', '0.00'],
      ['2', 'Sport 2', '0.75'],
    ])
    expect(body.bands.map(({ band, figures }: Json) => [band, figures.numSettled])).toEqual([
      ['2-4', 4],
      ['8-16', 1],
    ])
    const inPlay = await service.operator('GET', `/operator/v1/profiles/${author.profileId}/record?inPlay=Y`)
    expect(inPlay.body.record).toMatchObject({ numSettled: 1, profit: '1.00' })
  })

  test('also of an inactive profile, and of none a 404', async () => {
    const author = await service.member()
    await operatorOk(service, 'POST', `/moderation/profiles/${author.profileId}`, { action: 'deactivate', note: '' })
    const path = (id: number, after = '') => `/operator/v1/profiles/${id}/record${after}`
    expect((await service.operator('GET', path(author.profileId))).status).toBe(200)
    for (const after of ['', '/check']) {
      expect((await service.operator('GET', path(987_654_321, after))).status).toBe(404)
    }
    for (const query of ['?numDays=8', '?band=1-3', '?sportId=x', '?inPlay=1']) {
      expect([query, (await service.operator('GET', path(author.profileId, query))).status]).toEqual([query, 422])
    }
  })
})
