// What a settlement says beside the result: dead heats, deductions, starting prices.

import { describe, expect, test } from 'vitest'
import { reading } from '../../src/platform/database/database.ts'
import { RESULTS } from '../../src/record/figures.ts'
import { type Json, useService } from '../harness/service.ts'
import { newMatch, newTip, operatorOk, type TestOutcome } from '../harness/sportsbook.ts'

const service = useService()

const STORED = reading<{ id: number }, Json>(
  'storedResult',
  `select result, dead_heat_num, dead_heat_den, place_dead_heat_num, place_dead_heat_den, rule4, sp_num, sp_den, settled_at
   from outcome where id = :id`,
)
const storedOf = ({ id }: TestOutcome) => service.context.database.one(STORED, { id })
const stored = (result: string, details: object = {}) => ({
  result,
  dead_heat_num: null,
  dead_heat_den: null,
  place_dead_heat_num: null,
  place_dead_heat_den: null,
  rule4: 0,
  sp_num: null,
  sp_den: null,
  settled_at: expect.any(Number),
  ...details,
})
const settle = (outcome: TestOutcome, result: unknown) =>
  operatorOk(service, 'POST', `/markets/${outcome.marketId}/settlement`, { results: { [outcome.id]: result } })
const half = { num: 1, den: 2 }

test.each(RESULTS)('%s is a result, as a word and as an object', async (result) => {
  const [one, other] = (await newMatch(service)) as [TestOutcome, TestOutcome]
  expect(await settle(one, result)).toEqual({ settled: 1, corrected: 0 })
  expect(await settle(other, { result })).toEqual({ settled: 1, corrected: 0 })
  for (const outcome of [one, other]) expect(await storedOf(outcome)).toEqual(stored(result))
  expect(await settle(one, { result })).toEqual({ settled: 0, corrected: 0 })
})

test('details are stored, and several outcomes are settled at once', async () => {
  const outcomes = (await newMatch(service, { outcomes: 5 })) as [TestOutcome, ...TestOutcome[]]
  const results = [
    {
      result: 'win',
      deadHeat: half,
      placeDeadHeat: { num: 2, den: 3 },
      rule4: '0.25',
      startingPrice: { num: 7, den: 2 },
    },
    { result: 'place', placeDeadHeat: half, rule4: '0.9' },
    // As a number.
    { result: 'win', rule4: 0.05 },
    { result: 'lose', startingPrice: { num: 33, den: 1 } },
    'void',
  ]
  const named = Object.fromEntries(outcomes.map(({ id }, index) => [id, results[index]]))
  const path = `/markets/${outcomes[0].marketId}/settlement`
  expect(await operatorOk(service, 'POST', path, { results: named })).toEqual({ settled: 5, corrected: 0 })
  expect(await Promise.all(outcomes.map(storedOf))).toEqual([
    stored('win', {
      dead_heat_num: 1,
      dead_heat_den: 2,
      place_dead_heat_num: 2,
      place_dead_heat_den: 3,
      rule4: 25,
      sp_num: 7,
      sp_den: 2,
    }),
    stored('place', { place_dead_heat_num: 1, place_dead_heat_den: 2, rule4: 90 }),
    stored('win', { rule4: 5 }),
    stored('lose', { sp_num: 33, sp_den: 1 }),
    stored('void'),
  ])
  expect(await operatorOk(service, 'POST', path, { results: named })).toEqual({ settled: 0, corrected: 0 })
})

test('a change of a detail is a correction, which keeps the time of the first result', async () => {
  const [outcome] = (await newMatch(service)) as [TestOutcome]
  service.clock.hold()
  const first = service.clock.now()
  const corrections: [unknown, object][] = [
    [{ result: 'win', rule4: '0.10' }, stored('win', { rule4: 10 })],
    [{ result: 'win', rule4: '0.15' }, stored('win', { rule4: 15 })],
    [
      { result: 'win', rule4: '0.15', deadHeat: half },
      stored('win', { rule4: 15, dead_heat_num: 1, dead_heat_den: 2 }),
    ],
    [{ result: 'win', startingPrice: half }, stored('win', { sp_num: 1, sp_den: 2 })],
    ['win', stored('win')],
    [{ result: 'half-lose', rule4: '0.00' }, stored('half-lose')],
  ]
  for (const [index, [result, expected]] of corrections.entries()) {
    expect(await settle(outcome, result)).toEqual(
      index === 0 ? { settled: 1, corrected: 0 } : { settled: 0, corrected: 1 },
    )
    expect(await storedOf(outcome)).toEqual({ ...expected, settled_at: first })
    service.clock.advance(1_000)
  }
})

test('outcomes of a detail that changed have their tips queued', async () => {
  const [outcome] = (await newMatch(service)) as [TestOutcome]
  await newTip(service, await service.member(), outcome.id)
  const queued = async (result: unknown) => {
    const runs = () => service.statementsByName().get('queueOutcomes') ?? 0
    const before = runs()
    await settle(outcome, result)
    return runs() - before
  }
  expect(await queued({ result: 'win', rule4: '0.10' })).toBe(1)
  expect(await queued({ result: 'win', rule4: '0.1' })).toBe(0)
  expect(await queued({ result: 'win', rule4: '0.20' })).toBe(1)
})

describe('refused, with the reason, as a call and as a line of a feed', () => {
  const ONE_OF = `must be one of ${RESULTS.join(', ')}`
  const DEDUCTION = 'rule4 must be a deduction from "0" to "0.90", with at most two decimals'
  const cases: [result: unknown, reason: string][] = [
    ['half', ONE_OF],
    [7, ONE_OF],
    [null, ONE_OF],
    [{ result: 'half' }, ONE_OF],
    [{}, '/result is required'],
    [{ result: 'win', deadheat: half }, '/deadheat is not known here'],
    [{ result: 'win', deadHeat: { num: 3, den: 2 } }, 'has the deadHeat 3/2: it is the part of the stake that counts'],
    [{ result: 'win', placeDeadHeat: { num: 5, den: 4 } }, 'has the placeDeadHeat 5/4'],
    [{ result: 'win', deadHeat: { num: 0, den: 2 } }, '/deadHeat/num must be >= 1'],
    [{ result: 'win', rule4: '0.91' }, DEDUCTION],
    [{ result: 'win', rule4: '1' }, DEDUCTION],
    [{ result: 'win', rule4: '-0.10' }, DEDUCTION],
    [{ result: 'win', rule4: '0.255' }, DEDUCTION],
    [{ result: 'win', rule4: 0.255 }, DEDUCTION],
    ...RESULTS.filter((result) => result !== 'win').map((result): [object, string] => [
      { result, deadHeat: half },
      `has a deadHeat with the result ${result}: only a win can be shared.`,
    ]),
    ...RESULTS.filter((result) => result !== 'win' && result !== 'place').map((result): [object, string] => [
      { result, placeDeadHeat: half },
      `has a placeDeadHeat with the result ${result}: only a place can be shared`,
    ]),
    ...['void', 'push'].map((result): [object, string] => [
      { result, rule4: '0.05' },
      `has a rule4 with the result ${result}: the stake is returned`,
    ]),
  ]

  test.each(cases)('the result %j', async (result, reason) => {
    const [outcome, other] = (await newMatch(service)) as [TestOutcome, TestOutcome]
    const data = { results: { [other.id]: 'lose', [outcome.id]: result } }
    const path = `/operator/v1/markets/${outcome.marketId}/settlement`
    const call = await service.operator('POST', path, data)
    // Only what is wrong with the form that was sent.
    expect([call.status, (call.body.errors ?? [0]).length]).toEqual([422, 1])
    const line = JSON.stringify({ put: 'settlement', id: outcome.marketId, data })
    const { body } = await service.operator('POST', '/operator/v1/feed', Buffer.from(`\n${line}\n`))
    expect(body).toEqual({
      lines: 2,
      applied: {},
      refused: 1,
      refusals: [{ line: 2, reason: expect.stringContaining(reason) }],
    })
    for (const one of [outcome, other]) expect(await storedOf(one)).toMatchObject({ result: null, settled_at: null })
  })
})
