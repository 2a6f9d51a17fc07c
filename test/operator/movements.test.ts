import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { movementKind } from '../../src/operator/wallets/movement-operations.ts'
import { UniqueViolation } from '../../src/platform/database/database.ts'
import { DAY_MS } from '../../src/platform/runtime/durations.ts'
import { emptyReport, importFeed } from '../../src/sportsbook/feed.ts'
import { balancesOf } from '../../src/wallets/account/ledger.ts'
import { excludeCustomer } from '../../src/wallets/reviews/exclusions.ts'
import { move, movementLine, newReference, sendLines, type TestMovement } from '../harness/movements.ts'
import { positioned } from '../harness/notifications.ts'
import { operatorNamed, type TestOperator } from '../harness/operators.ts'
import { type Json, useService } from '../harness/service.ts'
import { ledgerProblems } from '../harness/wallets.ts'
import { withoutTriggers } from '../harness/without-triggers.ts'

const service = useService()

type Given = Partial<TestMovement>

/** A customer with so much on the account. */
async function player(amount = '20.00') {
  const { id } = await service.customer()
  const moved = (kind: TestMovement['kind'], amount: string, given: Given = {}) =>
    move(service, { reference: newReference(), customerId: id, kind, amount, ...given })
  if (amount !== '0.00') expect((await moved('winnings', amount)).status).toBe(201)
  const balance = async () => (await balancesOf(service.context.database, id, 'GBP')).balance
  return { id, moved, balance }
}

test('a stake debits, winnings, void and adjustments credit, a negative adjustment debits', async () => {
  const { moved, balance } = await player()
  const results: [TestMovement['kind'], string, string][] = [
    ['stake', '5.00', '15.00'],
    ['winnings', '7.5', '22.50'],
    ['void', '5', '27.50'],
    ['adjustment', '0.01', '27.51'],
    ['adjustment', '-27.50', '0.01'],
  ]
  for (const [kind, amount, after] of results) {
    const reference = newReference()
    const { status, body } = await moved(kind, amount, { reference, betId: 7 })
    expect([status, body]).toEqual([
      201,
      { reference, outcome: 'applied', currency: 'GBP', balance: after, proposal: null },
    ])
  }
  expect(await balance()).toBe(1n)
  expect(await ledgerProblems(service)).toEqual([])
})

test('a reference is applied once: the same terms again are 200, others 409', async () => {
  const { id, moved, balance } = await player()
  const other = await player()
  const reference = newReference()
  const terms = { reference, betId: 70040 }
  expect((await moved('stake', '5.00', terms)).status).toBe(201)
  expect((await moved('stake', '5', terms)).status).toBe(200)
  const others: [TestMovement['kind'], string, Given][] = [
    ['stake', '5.01', terms],
    ['void', '5.00', terms],
    ['stake', '5.00', { reference }],
    ['stake', '5.00', { reference, betId: 70041 }],
    ['stake', '5.00', { ...terms, customerId: other.id }],
  ]
  for (const [kind, amount, given] of others) {
    const { status, body } = await moved(kind, amount, given)
    expect([status, body.detail]).toEqual([409, expect.stringContaining(`stake 5.00 of customer ${id}, bet 70040`)])
  }
  expect(await balance()).toBe(1500n)
  // It is applied once also where the balance would no longer allow it.
  expect((await moved('stake', '15.00')).status).toBe(201)
  expect((await moved('stake', '5.00', terms)).status).toBe(200)
  expect(await ledgerProblems(service)).toEqual([])
})

test('more than the balance is refused with 422, and so is what is no movement', async () => {
  const { moved, balance } = await player('4.99')
  const penniless = await player('0.00')
  const reference = newReference()
  const refused = await moved('stake', '5.00', { reference })
  expect([refused.status, refused.body.detail]).toEqual([
    422,
    expect.stringMatching(/5.00 is more than the balance .* 4.99/),
  ])
  expect((await moved('adjustment', '-5.00')).status).toBe(422)
  expect((await penniless.moved('stake', '0.01')).status).toBe(422)
  for (const [kind, amount] of [
    ['stake', '0.00'],
    ['winnings', '-1.00'],
    ['void', '-0.01'],
    ['stake', '-1.00'],
    ['adjustment', '0'],
    ['winnings', '05'],
    ['adjustment', '-05.00'],
    ['winnings', '1.001'],
    ['winnings', '12345678901'],
    ['refund', '1.00'],
  ] as const)
    expect([kind, amount, (await moved(kind as 'stake', amount)).status]).toEqual([kind, amount, 422])
  expect((await moved('winnings', '1.00', { reference: 'with blank' })).status).toBe(422)
  expect((await moved('winnings', '1.00', { customerId: 999_999_999 })).status).toBe(404)
  // A reference that was refused was not applied.
  expect((await moved('winnings', '0.01', { reference })).status).toBe(201)
  expect(await balance()).toBe(500n)
})

test('the database refuses other movements, a second with the reference, and changes', async () => {
  const { id, moved } = await player()
  const reference = newReference()
  await moved('stake', '1.00', { reference })
  const insert = (text: string, kind: string, amount: number) => `
    insert into movement (reference, customer_id, kind, amount, currency, at)
    values ('${text}', ${id}, '${kind}', ${amount}, 'GBP', 1)`
  // Without a transfer, so that no foreign key stands in the way.
  const alone = newReference()
  await service.context.database.script(insert(alone, 'stake', 5))
  for (const refused of [
    insert(reference, 'stake', 5),
    insert(newReference(), 'stake', -5),
    insert(newReference(), 'adjustment', 0),
    insert(newReference(), 'refund', 5),
    `update movement set amount = 7 where reference = '${reference}'`,
    `delete from movement where reference = '${alone}'`,
  ])
    await expect(service.context.database.script(refused), refused).rejects.toThrow()
  const remove = `delete from movement where reference = '${alone}'`
  await withoutTriggers(service.context.database, () => service.context.database.script(remove))
})

test('an excluded customer stakes nothing; what bets placed before bring is applied', async () => {
  const { context } = service
  const own = await player()
  await excludeCustomer(context, own.id, 'time-out', (now) => now + 24 * 3_600_000)
  const byOperator = await player()
  const reply = await service.operator('PUT', `/operator/v1/customers/${byOperator.id}`, { status: 'self-excluded' })
  expect(reply.status).toBe(200)
  for (const { id, moved, balance } of [own, byOperator]) {
    const stake = await moved('stake', '1.00')
    expect([stake.status, stake.body.detail]).toEqual([
      422,
      `Customer ${id} is excluded and cannot stake. Void the bet.`,
    ])
    for (const kind of ['winnings', 'void', 'adjustment'] as const) expect((await moved(kind, '1.00')).status).toBe(201)
    expect((await moved('adjustment', '-2.00')).status).toBe(201)
    expect(await balance()).toBe(2100n)
  }
})

test('every credit pays the debt first, also in a batch', async () => {
  const { id, moved } = await player('0.00')
  const { database } = service.context
  await moved('winnings', '1.00')
  await moved('stake', '1.00')
  const owed = `insert into account (kind, customer_id, currency, balance) values ('debt', ${id}, 'GBP', -1000)`
  await database.script(owed)
  const balances = () => balancesOf(database, id, 'GBP')
  expect((await moved('winnings', '4.00')).body.balance).toBe('0.00')
  expect(await balances()).toEqual({ balance: 0n, debt: 600n })
  expect((await moved('stake', '0.01')).status).toBe(422)
  const line = (kind: TestMovement['kind'], amount: string) =>
    movementLine({ reference: newReference(), customerId: id, kind, amount })
  const report = await sendLines(service, [line('void', '5.00'), line('winnings', '3.00'), line('stake', '1.50')])
  expect(report).toMatchObject({ applied: { movement: 3 }, refused: 0 })
  expect(await balances()).toEqual({ balance: 50n, debt: 0n })
  const problems = await ledgerProblems(service)
  // The debt itself was written by the test.
  expect(problems).toEqual([expect.stringMatching(/has the balance 0.00, but its transfers add up to 10.00/)])
})

test('a feed has movements among other lines; a refused one stops no other', async () => {
  const { id, balance } = await player('10.00')
  const line = (kind: TestMovement['kind'], amount: string, reference = newReference()) =>
    movementLine({ reference, customerId: id, kind, amount })
  const [twice, sport] = [newReference(), JSON.stringify({ put: 'sport', id: 41, data: { name: 'Snooker' } })]
  const report = await sendLines(service, [
    line('stake', '6.00'),
    sport,
    line('stake', '5.00'),
    line('winnings', '1.00', twice),
    JSON.stringify({ put: 'movement', id: 12, data: { customerId: id, kind: 'stake', amount: '1.00' } }),
    line('stake', '5.00'),
    line('winnings', '1.00', twice),
    line('winnings', '2.00', twice),
    JSON.stringify({ put: 'customer', id, data: {} }),
    line('adjustment', '-0.01'),
    line('stake', '0'),
    JSON.stringify({ put: 'bet', id: 1, data: { customerId: id, outcomeIds: [999_999] } }),
  ])
  expect(report).toMatchObject({ lines: 12, applied: { movement: 4, sport: 1, customer: 1 }, refused: 6 })
  expect(report.refusals.map(({ line: number, reason }: Json) => `${number} ${reason}`)).toEqual([
    expect.stringMatching(/^3 5.00 is more than the balance .* 4.00/),
    '5 "id" must be a text of 1 to 64 visible ASCII characters.',
    expect.stringMatching(/^8 Movement .* was applied with other terms/),
    expect.stringMatching(/^10 0.01 is more than the balance .* 0.00/),
    expect.stringMatching(/^11 The amount is 0/),
    expect.stringMatching(/^12 There is no outcome 999999/),
  ])
  expect(await balance()).toBe(0n)
})

describe('adjustments that credit more than one person may in a day', () => {
  const adjust = async (by: TestOperator, id: number, amount: string, given: Given = {}) => {
    const movement = { reference: newReference(), customerId: id, kind: 'adjustment', amount, ...given } as const
    const { status, body } = await move({ operator: by }, movement)
    return [status, status < 300 ? body.outcome : body.detail]
  }

  test('are applied when a second person sends the same', async () => {
    const { id, moved, balance } = await player('0.00')
    const [ann, bob] = [await operatorNamed(service, 'Ann'), await operatorNamed(service, 'Bob')]
    expect(await adjust(ann, id, '600.00')).toEqual([201, 'applied'])
    expect(await adjust(ann, id, '400.00')).toEqual([201, 'applied'])
    // Debits and winnings do not count, and are no way around it.
    expect((await moved('winnings', '5000.00')).status).toBe(201)
    expect(await adjust(ann, id, '-1000.00')).toEqual([201, 'applied'])
    const given = { reference: newReference() }
    expect(await adjust(ann, id, '0.01', given)).toEqual([200, 'proposed'])
    expect(await balance()).toBe(500_000n)
    expect(await adjust(ann, id, '0.01', given)).toEqual([409, expect.stringContaining('another person confirms it')])
    expect(await adjust(bob, id, '0.02', given)).toEqual([200, 'proposed'])
    expect(await adjust(bob, id, '0.01', given)).toEqual([200, 'proposed'])
    expect(await adjust(ann, id, '0.01', given)).toEqual([201, 'applied'])
    expect(await adjust(bob, id, '0.01', given)).toEqual([200, 'repeated'])
    expect(await balance()).toBe(500_001n)
    expect(await adjust(bob, id, '0.01')).toEqual([200, 'proposed'])
    service.clock.advance(DAY_MS)
    expect(await adjust(bob, id, '0.01')).toEqual([201, 'applied'])
  })

  test('as lines of a feed are refused beyond that sum, counted line by line', async () => {
    const { id, balance } = await player('0.00')
    const line = (amount: string) =>
      movementLine({ reference: newReference(), customerId: id, kind: 'adjustment', amount })
    const report = await sendLines(service, [line('999.99'), line('0.02'), line('0.01')])
    expect(report).toMatchObject({
      applied: { movement: 2 },
      refusals: [{ line: 2, reason: expect.stringContaining('1000.01 for customer') }],
    })
    expect(await balance()).toBe(100_000n)
  })

  test('sent at once by one person are not more than that sum', async () => {
    const { id, balance } = await player('0.00')
    const ann = await operatorNamed(service, 'Ann')
    const outcomes = await Promise.all(Array.from({ length: 6 }, () => adjust(ann, id, '400.00')))
    expect(outcomes.filter(([, outcome]) => outcome === 'applied')).toHaveLength(2)
    expect(await balance()).toBe(80_000n)
  })
})

test('lines of movements need the role accounts', async () => {
  const { id } = await player()
  const token = (await service.operator('POST', '/operator/v1/tokens', { name: 'Odds', role: 'feed' })).body.token
  const line = movementLine({ reference: newReference(), customerId: id, kind: 'stake', amount: '1.00' })
  const { body } = await service.operator('POST', '/operator/v1/feed', Buffer.from(`${line}\n`), token)
  expect(body).toMatchObject({ refused: 1, refusals: [{ reason: expect.stringContaining('need the role accounts') }] })
})

test('a transaction that is repeated counts its movements once', async () => {
  const { id } = await player()
  const stakes = /^paddock_movements_total\{kind="stake",outcome="applied"\} (\d+)$/m
  const counted = () => Number(stakes.exec(service.context.metrics.render())?.[1] ?? 0)
  const before = counted()
  const line = movementLine({ reference: newReference(), customerId: id, kind: 'stake', amount: '1.00' })
  let tries = 0
  const record = async () => {
    if (++tries === 1) throw new UniqueViolation('another transaction was faster')
  }
  const { database, log, now } = service.context
  const kinds = { movement: movementKind(service.context, (data) => ({ value: data })) }
  const report = emptyReport()
  const feed = { database, log, now, kinds, record, updateTips: async () => {} }
  await importFeed(Readable.from([Buffer.from(`${line}\n`)]), report, feed)
  expect([tries, report.applied, counted() - before]).toEqual([2, { movement: 1 }, 1])
})

test('each movement is an event that is pulled, and not sent to webhooks', async () => {
  const { id, moved } = await player('3.00')
  const reference = newReference()
  await moved('adjustment', '-1.00', { reference, betId: 9 })
  await moved('stake', '3.00')
  await positioned(service.context.database)
  const { events: items } = (
    await service.operator('GET', '/operator/v1/events?after=0&kinds=movement.adjustment,movement.stake')
  ).body
  expect(items.at(-1)).toMatchObject({
    type: 'movement.adjustment',
    subject: { type: 'customer', id: `${id}` },
    customerId: `${id}`,
    data: { reference, amount: '-1.00', currency: 'GBP', betId: '9', balance: '2.00' },
  })
  const webhook = { url: 'https://example.com/', kinds: ['movement.stake'] }
  expect((await service.operator('POST', '/operator/v1/webhooks', webhook)).status).toBe(422)
  const metrics = service.context.metrics.render()
  expect(metrics).toMatch(/^paddock_movements_total\{kind="stake",outcome="refused"\} [1-9]/m)
})
