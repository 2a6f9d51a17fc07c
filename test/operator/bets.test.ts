// The terms of a bet, as the operator sends them: the price of each leg, each way, cash-outs.

import { describe, expect, test } from 'vitest'
import { reading } from '../../src/platform/database/database.ts'
import { type Json, useService } from '../harness/service.ts'
import { newMatch, operatorOk } from '../harness/sportsbook.ts'

const service = useService()
let betId = 9_000

async function newOutcomes(outcomes: number): Promise<number[]> {
  return (await newMatch(service, { outcomes })).map(({ id }) => id)
}

const ALL_LEGS = reading<{ id: number }, Json>(
  'legsOfBet',
  `select outcome_id, price_num, price_den, starting_price, each_way_num, each_way_den, each_way_places
   from bet_outcome where bet_id = :id order by outcome_id`,
)
const CASH_OUTS = reading<{ id: number }, Json>('cashOutsOfBet', 'select cash_outs from bet where id = :id')

const legsOf = (id: number) => service.context.database.query(ALL_LEGS, { id })
const cashOutsOf = async (id: number) =>
  JSON.parse((await service.context.database.one(CASH_OUTS, { id }))?.cash_outs ?? 'null')
const leg = (outcomeId: number, terms: object = {}) => ({
  outcome_id: outcomeId,
  price_num: null,
  price_den: null,
  starting_price: 0,
  each_way_num: null,
  each_way_den: null,
  each_way_places: null,
  ...terms,
})

test('legs stand beside or instead of outcomeIds, and an outcome in both is one leg', async () => {
  const [one, other, third] = (await newOutcomes(3)) as [number, number, number]
  const customerId = (await service.customer()).id
  const id = ++betId
  const bet = {
    customerId,
    outcomeIds: [one, other],
    legs: [
      { outcomeId: `${other}`, price: { num: 16, den: 1 }, eachWay: { num: 1, den: 4, places: 3 } },
      { outcomeId: third, startingPrice: true },
    ],
    cashOut: [
      { at: '2026-11-30T10:00:00+01:00', fraction: { num: 1, den: 3 } },
      { at: '2026-11-30T11:00:00Z', fraction: { num: 2, den: 3 } },
    ],
  }
  await operatorOk(service, 'PUT', `/bets/${id}`, bet)
  const withTerms = [
    leg(one),
    leg(other, { price_num: 16, price_den: 1, each_way_num: 1, each_way_den: 4, each_way_places: 3 }),
    leg(third, { starting_price: 1 }),
  ]
  expect(await legsOf(id)).toEqual(withTerms)
  expect(await cashOutsOf(id)).toEqual([
    { at: Date.parse('2026-11-30T09:00:00Z'), num: 1, den: 3 },
    { at: Date.parse('2026-11-30T11:00:00Z'), num: 2, den: 3 },
  ])

  // Replaced as a whole.
  await operatorOk(service, 'PUT', `/bets/${id}`, { customerId, legs: [{ outcomeId: one, price: { num: 1, den: 2 } }] })
  expect(await legsOf(id)).toEqual([leg(one, { price_num: 1, price_den: 2 })])
  expect(await cashOutsOf(id)).toBeNull()
  await operatorOk(service, 'PUT', `/bets/${id}`, { customerId, outcomeIds: [other] })
  expect(await legsOf(id)).toEqual([leg(other)])
  await operatorOk(service, 'PUT', `/bets/${id}`, { customerId, legs: [{ outcomeId: third }] })
  expect(await legsOf(id)).toEqual([leg(third)])
})

describe('refused, with the reason, as a call and as a line of a feed', () => {
  const price = { num: 5, den: 2 }
  const at = '2026-11-30T10:00:00Z'
  const cases: [name: string, bet: (outcomeId: number) => object, reason: (outcomeId: number) => string][] = [
    ['no outcome', () => ({}), () => 'The bet has no outcome. Name at least one in outcomeIds or legs.'],
    [
      'no outcome in lists',
      () => ({ outcomeIds: [], legs: [] }),
      () => 'The bet has no outcome. Name at least one in outcomeIds or legs.',
    ],
    [
      'an outcome in two legs',
      (outcomeId) => ({ legs: [{ outcomeId, price }, { outcomeId: `0${outcomeId}` }] }),
      (outcomeId) => `The leg on outcome ${outcomeId} occurs twice. Send it once.`,
    ],
    [
      'a price at starting price',
      (outcomeId) => ({ legs: [{ outcomeId, price, startingPrice: true }] }),
      (id) => `The leg on outcome ${id} has a price and is at starting price. Send either price or startingPrice.`,
    ],
    [
      'each way on one place',
      (outcomeId) => ({ legs: [{ outcomeId, price, eachWay: { num: 1, den: 4, places: 1 } }] }),
      (id) =>
        `The leg on outcome ${id} is each way on 1 place: without a second place there is no place market. ` +
        'Leave eachWay out.',
    ],
    [
      'more than the odds for a place',
      (outcomeId) => ({ legs: [{ outcomeId, price, eachWay: { num: 5, den: 4, places: 3 } }] }),
      (id) => `The leg on outcome ${id} pays 5/4 of the odds for a place. Send at most 1/1.`,
    ],
    [
      'cash-outs of more than the stake',
      (id) => ({
        outcomeIds: [id],
        cashOut: [
          { at, fraction: { num: 1, den: 3 } },
          { at, fraction: { num: 2, den: 3 } },
          { at, fraction: { num: 1, den: 1_000_000_000 } },
        ],
      }),
      () => 'The fractions of cashOut add up to more than 1. Send parts of the whole stake.',
    ],
    [
      'too many outcomes',
      (id) => ({
        outcomeIds: Array.from({ length: 60 }, (_, index) => id + index),
        legs: Array.from({ length: 41 }, (_, index) => ({ outcomeId: id + 60 + index })),
      }),
      () => 'The bet has 101 outcomes. Send at most 100 in outcomeIds and legs.',
    ],
    ['a price of nothing', (id) => ({ legs: [{ outcomeId: id, price: { num: 0, den: 1 } }] }), () => 'must be >= 1'],
    ['an unknown field', (id) => ({ legs: [{ outcomeId: id, odds: 2 }] }), () => '/legs/0/odds is not known here'],
    [
      'no time of a cash-out',
      (id) => ({ outcomeIds: [id], cashOut: [{ fraction: price }] }),
      () => '/cashOut/0/at is required',
    ],
  ]

  test.each(cases)('a bet with %s', async (_, bet, reason) => {
    const [outcomeId] = (await newOutcomes(1)) as [number]
    const data = { customerId: (await service.customer()).id, ...bet(outcomeId) }
    const id = ++betId
    const call = await service.operator('PUT', `/operator/v1/bets/${id}`, data)
    const text = JSON.stringify(call.body)
    expect([call.status, text]).toEqual([422, expect.anything()])
    const lines = [
      { put: 'sport', id: 1, data: { name: 'Sport 1', communities: true } },
      { put: 'bet', id, data },
    ]
    const feed = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    const { body } = await service.operator('POST', '/operator/v1/feed', feed)
    expect(body).toEqual({
      lines: 2,
      applied: { sport: 1 },
      refused: 1,
      refusals: [{ line: 2, reason: expect.stringContaining(reason(outcomeId)) }],
    })
    expect(await legsOf(id)).toEqual([])
  })
})

test('the longest bet and cash-outs of the whole stake are taken', async () => {
  const outcomeIds = await newOutcomes(100)
  const third = { at: '2026-11-30T10:00:00Z', fraction: { num: 1, den: 3 } }
  const legs = outcomeIds.map((outcomeId) => ({ outcomeId, price: { num: 1, den: 5 } }))
  const customerId = (await service.customer()).id
  await operatorOk(service, 'PUT', `/bets/${++betId}`, { customerId, outcomeIds, legs, cashOut: [third, third, third] })
  expect(await legsOf(betId)).toHaveLength(100)
})

test('bets without terms are written by two statements, and terms add one for all of them', async () => {
  const [one, other] = (await newOutcomes(2)) as [number, number]
  const customerId = (await service.customer()).id
  const written = async (bets: object[]) => {
    const before = service.statementsByName()
    const lines = bets.map((bet) => JSON.stringify({ put: 'bet', id: ++betId, data: { customerId, ...bet } }))
    const reply = await service.operator('POST', '/operator/v1/feed', Buffer.from(`${lines.join('\n')}\n`))
    expect(reply.body).toMatchObject({ applied: { bet: bets.length } })
    const runs = [...service.statementsByName()].map(([name, count]) => [name, count - (before.get(name) ?? 0)])
    return Object.fromEntries(runs.filter(([name, count]) => /^insert(Bet|Leg)/.test(`${name}`) && count !== 0))
  }
  const plain = { outcomeIds: [one, other] }
  const priced = { legs: [{ outcomeId: one, price: { num: 5, den: 2 } }] }
  expect(await written([plain, plain, plain])).toEqual({ insertBets: 1, insertBetOutcomes: 1 })
  expect(await written([plain, priced, priced])).toEqual({ insertBets: 1, insertBetOutcomes: 1, insertLegs: 1 })
})
