// Statements: for the customer, and for operators with a CSV.

import { expect, test } from 'vitest'
import { DAY_MS } from '../../../src/platform/runtime/durations.ts'
import { move, newReference, type TestMovement } from '../../harness/movements.ts'
import { type Json, useService } from '../../harness/service.ts'
import { newBet, newMatch, type TestOutcome } from '../../harness/sportsbook.ts'
import { deposit, newDepositor, paidOrFaultCode } from '../../harness/wallets.ts'
import { withoutTriggers } from '../../harness/without-triggers.ts'

const service = useService()
const day = (time: number) => new Date(time).toISOString().slice(0, 10)

async function statement(ticket: string, query = ''): Promise<Json> {
  const path = `/v1/wallets/me/statement${query}`
  const { whoWallets } = (await service.call('GET', path, { ticket, accept: 'application/json' })).json()
  return whoWallets.statement
}

async function player() {
  const customer = await newDepositor(service)
  const moved = (kind: TestMovement['kind'], amount: string) =>
    move(service, { reference: newReference(), customerId: customer.id, kind, amount, betId: 7 })
  return { ...customer, moved }
}

test('a statement has the balance before, each line with the balance after it, the balance after, and net deposits', async () => {
  const { ticket, method, moved } = await player()
  expect(await statement(ticket)).toMatchObject({ opening: '0.00', closing: '0.00', netDeposits: '0.00', line: [] })
  const empty = (await service.call('GET', '/v1/wallets/me/statement', { ticket })).text
  expect(empty).toMatch(/<netDeposits>0.00<\/netDeposits><numLines>0<\/numLines><\/statement>/)
  const paid = await deposit(service, { ticket, method, amount: '20.00' })
  const { paymentId } = paid.json().whoWallets
  await moved('stake', '5.00')
  await moved('winnings', '17.50')
  await moved('adjustment', '-0.50')
  const today = day(service.clock.now())
  const read = await statement(ticket)
  expect(read).toMatchObject({ to: today, opening: '0.00', closing: '32.00', netDeposits: '20.00' })
  expect(read.line.map(({ type, amount, balance }: Json) => [type, amount, balance])).toEqual([
    ['deposit', '20.00', '20.00'],
    ['stake', '-5.00', '15.00'],
    ['winnings', '17.50', '32.50'],
    ['adjustment', '-0.50', '32.00'],
  ])
  expect(read.line[0]).toMatchObject({ paymentId, dateTimeZoned: expect.stringContaining(today) })
  expect(read.line[1]).toMatchObject({ reference: expect.stringMatching(/^test-/) })
  expect((await statement(ticket, '?blockSize=1')).line).toEqual([read.line[0]])
  const xml = (await service.call('GET', '/v1/wallets/me/statement?blockSize=1', { ticket })).text
  expect(xml).toMatch(
    /<statement><from>.*<\/netDeposits><numLines>.*<\/numLines><line>.*<balance>20.00<\/balance>.*<\/line><\/statement>/s,
  )
})

test('days and blocks choose the lines; opening and closing are those of the days', async () => {
  const { id, ticket, method, moved } = await player()
  await deposit(service, { ticket, method, amount: '20.00' })
  for (const amount of ['1.00', '2.00', '3.00', '4.00']) await moved('stake', amount)
  const today = service.clock.now()
  // The lines are of 200, 100, 100, 1 and 0 days ago.
  await withoutTriggers(service.context.database, async () => {
    for (const [line, ago] of [200, 100, 100, 1, 0].entries())
      await service.context.database.script(`update transfer set at = at - ${ago * DAY_MS} where line = ${line + 1}
        and customer_account_id = (select id from account where customer_id = ${id} and kind = 'customer')`)
  })
  const read = async (query: string) => {
    const { opening, closing, netDeposits, line } = await statement(ticket, query)
    expect(netDeposits).toBe('20.00')
    return [opening, ...line.map(({ balance }: Json) => balance), closing]
  }
  const ago = (days: number) => day(today - days * DAY_MS)
  expect(await read('')).toEqual(['17.00', '14.00', '10.00', '10.00'])
  expect(await read(`?from=${ago(366)}`)).toEqual(['0.00', '20.00', '19.00', '17.00', '14.00', '10.00', '10.00'])
  expect(await read(`?from=${ago(150)}&to=${ago(1)}`)).toEqual(['20.00', '19.00', '17.00', '14.00', '14.00'])
  expect(await read(`?from=${ago(100)}&to=${ago(100)}`)).toEqual(['20.00', '19.00', '17.00', '17.00'])
  expect(await read(`?from=${ago(50)}&to=${ago(40)}`)).toEqual(['17.00', '17.00'])
  expect(await read(`?to=${ago(300)}`)).toEqual(['0.00', '0.00'])
  expect(await read(`?from=${ago(366)}&blockSize=2&blockNum=1`)).toEqual(['0.00', '17.00', '14.00', '10.00'])
  expect(await read(`?from=${ago(366)}&blockSize=2&blockNum=3`)).toEqual(['0.00', '10.00'])
  const faultOf = async (query: string) => {
    const reply = await service.call('GET', `/v1/wallets/me/statement${query}`, { ticket, accept: 'application/json' })
    const { faultCode, faultName } = reply.json().whoFaults[0]
    return [reply.status, faultCode, faultName]
  }
  expect(await faultOf('?from=2026-02-30')).toEqual([200, '10071', 'from'])
  expect(await faultOf('?to=yesterday')).toEqual([200, '10071', 'to'])
  expect(await faultOf(`?from=${ago(1)}&to=${ago(2)}`)).toEqual([200, '10071', 'from'])
})

test('newest first, with what each line was about, and how many there are', async () => {
  const { id, ticket, method, moved } = await player()
  await deposit(service, { ticket, method, amount: '20.00' })
  const [first, second] = (await newMatch(service)) as [TestOutcome, TestOutcome]
  const [other] = (await newMatch(service)) as [TestOutcome]
  const single = await newBet(service, id, [first.id])
  const double = await newBet(service, id, [second.id, other.id])
  const staked = (betId: number) =>
    move(service, { reference: newReference(), customerId: id, kind: 'stake', amount: '2.00', betId })
  await staked(single)
  await staked(double)
  // The sportsbook has told of no such bet.
  await moved('stake', '1.00')
  const read = await statement(ticket, '?order=newest')
  expect(read.numLines).toBe('4')
  expect(read.line.map(({ balance, about, methodId }: Json) => [balance, about, methodId])).toEqual([
    ['15.00', undefined, undefined],
    ['16.00', `Outcome ${second.id}, Event ${second.eventId} and 1 more`, undefined],
    ['18.00', `Outcome ${first.id}, Event ${first.eventId}`, undefined],
    ['20.00', undefined, `${method}`],
  ])
  const block = async (number: number) =>
    (await statement(ticket, `?order=newest&blockSize=3&blockNum=${number}`)).line.map(({ balance }: Json) => balance)
  expect([await block(0), await block(1), await block(2)]).toEqual([['15.00', '16.00', '18.00'], ['20.00'], []])
  const reply = await service.call('GET', '/v1/wallets/me/statement?order=best', { ticket, accept: 'application/json' })
  expect(reply.json().whoFaults[0]).toMatchObject({ faultCode: '10071', faultName: 'order' })
})

test('operators read the same statement, page by page and as CSV', async () => {
  const { id, ticket, method, moved } = await player()
  expect(paidOrFaultCode(await deposit(service, { ticket, method, amount: '20.00' }))).toBe('paid')
  await moved('stake', '5.00')
  const read = (query: string) => service.operator('GET', `/operator/v1/customers/${id}/statement${query}`)
  const first = (await read('?limit=1')).body
  expect(first).toMatchObject({ opening: '0.00', closing: '15.00', netDeposits: '20.00', currency: 'GBP' })
  expect(first.items).toMatchObject([{ line: '1', type: 'deposit', debit: '', credit: '20.00', balance: '20.00' }])
  const second = (await read(`?limit=1&cursor=${first.cursor}`)).body
  expect(second).toMatchObject({
    items: [{ line: '2', type: 'stake', debit: '5.00', credit: '', balance: '15.00', betId: '7' }],
    cursor: null,
  })
  const newest = (await read('?order=newest&limit=1')).body
  expect(newest.items).toEqual(second.items)
  const older = (await read(`?order=newest&limit=1&cursor=${newest.cursor}`)).body
  expect([older.items, older.cursor]).toEqual([first.items, null])
  expect((await read('?from=2026-02-30')).status).toBe(422)
  expect((await service.operator('GET', '/operator/v1/customers/999999999/statement')).status).toBe(404)
  const reply = await fetch(`${service.operatorUrl}/operator/v1/customers/${id}/statement.csv`, {
    headers: { authorization: 'Bearer test-operator-token-0123456789' },
  })
  expect(reply.headers.get('content-type')).toMatch(/^text\/csv/)
  const lines = (await reply.text()).trim().split('\r\n')
  expect(lines[0]).toBe('line,at,type,debit,credit,balance,paymentId,reference,betId,about')
  expect(lines[1]).toMatch(/^1,.*,deposit,,20.00,20.00,.+,,,$/)
  expect(lines[2]).toMatch(/^2,.*,stake,5.00,,15.00,,test-[\d-]+,7,$/)
})
