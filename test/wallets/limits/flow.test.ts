// Limits that customers set for their own deposits (docs/deposits.md).

import { beforeEach, describe, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../../src/platform/runtime/durations.ts'
import { balanceOf } from '../../../src/wallets/account/ledger.ts'
import { type Limit, moveToQuietNoon, newLongDepositor, wallet } from '../../harness/limits.ts'
import { type Json, useService } from '../../harness/service.ts'
import { deposit, ledgerProblems, paidOrFaultCode, slowGateway, sweepUntil } from '../../harness/wallets.ts'

const gateway = slowGateway()
const service = useService({}, { gateway: gateway.observe })

beforeEach(() => moveToQuietNoon(service))

type Depositor = Awaited<ReturnType<typeof newLongDepositor>>

const call = (who: Depositor, method: string, path: string) => wallet(service, who.ticket, method, path)
const set = (who: Depositor, period: string, amount: string) => call(who, 'PUT', `limits/${period}?amount=${amount}`)
const confirm = (who: Depositor, period: string) => call(who, 'POST', `limits/${period}/confirmation`)
const limitOf = async (who: Depositor, period: string): Promise<Limit | undefined> =>
  (await call(who, 'GET', 'limits')).limits.find((limit: Limit) => limit.period === period)

/** The fault code with its faultName, or 'paid'. */
async function pay(who: Depositor, amount: string, key?: string): Promise<string> {
  const reply = await deposit(service, { ...who, amount, ...(key === undefined ? {} : { key }) })
  const code = paidOrFaultCode(reply)
  return code === 'paid' ? code : `${code} ${reply.json().whoFaults[0].faultName ?? ''}`.trim()
}

/** The data of the events of a subject. PostgreSQL gives them positions a little later. */
async function eventsOf(type: string, id: string, count: number): Promise<object[]> {
  const read = async () => {
    const { body } = await service.operator('GET', '/operator/v1/events?limit=1000')
    const ofSubject = (event: Json) => event.type === type && event.subject.id === id
    return body.events.filter(ofSubject).map((event: Json) => event.data)
  }
  await expect.poll(read, { timeout: 30_000 }).toHaveLength(count)
  return read()
}

const shown = (milliseconds: number) => new Date(milliseconds).toISOString().replace('Z', '+00:00')

describe('a limit', () => {
  test('is in force at once when it is new or lower, counts the deposits before it, and its fault names the period', async () => {
    const who = await newLongDepositor(service)
    expect(await call(who, 'GET', 'limits')).toEqual({ prompted: 'N', limits: [] })
    expect(await pay(who, '20.00')).toBe('paid')
    const [day] = (await set(who, 'day', '50')).limits
    const midnight = (Math.floor(service.clock.now() / DAY_MS) + 1) * DAY_MS
    expect(day).toEqual({ period: 'day', amount: '50.00', used: '20.00', left: '30.00', resets: shown(midnight) })
    expect(await pay(who, '30.01')).toBe('24008 day')
    expect(await pay(who, '10.00')).toBe('paid')
    expect(await set(who, 'day', '25.5')).toMatchObject({ prompted: 'Y', limits: [{ amount: '25.50', left: '0.00' }] })
    expect(await pay(who, '5.00')).toBe('24008 day')
    expect(await balanceOf(service.context.database, who.id, 'GBP')).toBe(3000n)
  })

  test('of the least that is left applies, and the operator’s limit stays apart', async () => {
    const who = await newLongDepositor(service)
    for (const [period, amount] of [
      ['month', '40.00'],
      ['day', '30.00'],
      ['week', '35.00'],
    ] as const)
      await set(who, period, amount)
    expect((await call(who, 'GET', 'limits')).limits.map((one: Limit) => one.period)).toEqual(['day', 'week', 'month'])
    expect(await pay(who, '36.00')).toBe('24008 day')
    expect(await pay(who, '28.00')).toBe('paid')
    expect(await pay(who, '5.00')).toBe('24008 day')
    service.clock.advance(7 * DAY_MS)
    await service.operator('PUT', `/operator/v1/customers/${who.id}`, { dailyDepositLimit: '6.00' })
    expect(await pay(who, '6.01')).toBe('24008')
  })

  test('that is higher, or none, waits for its confirmation 24 hours later', async () => {
    const who = await newLongDepositor(service)
    await set(who, 'week', '10.00')
    const asked = service.clock.now()
    const requested = await set(who, 'week', '20.00')
    expect(requested.limits[0]).toMatchObject({ amount: '10.00', pending: { amount: '20.00' } })
    const { notBefore, lapses } = requested.limits[0].pending
    expect(Date.parse(notBefore)).toBeGreaterThanOrEqual(asked + DAY_MS)
    expect(Date.parse(lapses) - Date.parse(notBefore)).toBe(6 * DAY_MS)
    expect(await pay(who, '10.01')).toBe('24008 week')
    service.clock.advance(DAY_MS - HOUR_MS)
    expect(await confirm(who, 'week')).toBe('10071 period')
    service.clock.advance(HOUR_MS)
    expect((await limitOf(who, 'week'))?.amount).toBe('10.00')
    expect((await confirm(who, 'week')).limits[0]).not.toHaveProperty('pending')
    expect(await pay(who, '20.00')).toBe('paid')
    expect(await confirm(who, 'week')).toBe('10071 period')
    const removing = (await call(who, 'DELETE', 'limits/week')).limits[0].pending
    expect(removing).toEqual({ notBefore: expect.any(String), lapses: expect.any(String) })
    service.clock.advance(DAY_MS)
    expect(await confirm(who, 'week')).toEqual({ prompted: 'Y', limits: [] })
    expect(await pay(who, '500.00')).toBe('paid')
  })

  test('request lapses after 7 days, starts again when it is repeated, and ends with a lower limit', async () => {
    const who = await newLongDepositor(service)
    await set(who, 'month', '10.00')
    await set(who, 'month', '20.00')
    service.clock.advance(7 * DAY_MS)
    expect(await limitOf(who, 'month')).not.toHaveProperty('pending')
    expect(await confirm(who, 'month')).toBe('10071 period')
    await set(who, 'month', '20.00')
    service.clock.advance(20 * HOUR_MS)
    await set(who, 'month', '30.00')
    service.clock.advance(20 * HOUR_MS)
    expect(await confirm(who, 'month')).toBe('10071 period')
    expect((await set(who, 'month', '9.00')).limits[0]).not.toHaveProperty('pending')
    service.clock.advance(DAY_MS)
    expect(await confirm(who, 'month')).toBe('10071 period')
    expect((await limitOf(who, 'month'))?.amount).toBe('9.00')
  })

  test('that is not there needs no confirmation to be removed; a wrong period or amount is a fault of its name', async () => {
    const who = await newLongDepositor(service)
    expect(await call(who, 'DELETE', 'limits/day')).toEqual({ prompted: 'N', limits: [] })
    expect(await confirm(who, 'day')).toBe('10071 period')
    expect(await set(who, 'year', '10.00')).toBe('10071 period')
    expect(await set(who, 'year', '')).toBe('10070 amount')
    for (const wrong of ['-1', '1.234', '01', '1e3', 'x', '10000000000'])
      expect(await set(who, 'day', wrong)).toBe('10071 amount')
    expect((await set(who, 'day', '0')).limits[0]).toMatchObject({ amount: '0.00', left: '0.00' })
    expect(await pay(who, '5.00')).toBe('24008 day')
  })

  test('is a limit of the customer alone, and prompted is recorded once the customer was asked', async () => {
    const [who, other] = [await newLongDepositor(service), await newLongDepositor(service)]
    await set(who, 'day', '5.00')
    expect(await call(other, 'GET', 'limits')).toEqual({ prompted: 'N', limits: [] })
    expect(await call(other, 'PUT', 'limits?prompted=N')).toBe('10071 prompted')
    expect(await call(other, 'PUT', 'limits?prompted=Y')).toEqual({ prompted: 'Y', limits: [] })
    expect(await call(other, 'GET', 'limits')).toEqual({ prompted: 'Y', limits: [] })
    expect(await pay(other, '50.00')).toBe('paid')
  })

  test('has one shape in XML and JSON', async () => {
    const who = await newLongDepositor(service)
    await set(who, 'day', '10.00')
    await set(who, 'month', '20.00')
    await set(who, 'month', '30.00')
    const { text } = await service.call('GET', '/v1/wallets/me/limits', { ticket: who.ticket })
    const { limits } = await call(who, 'GET', 'limits')
    const xmlOf = (value: unknown): string =>
      typeof value === 'object'
        ? Object.entries(value as object)
            .map(([name, inner]) => `<${name}>${xmlOf(inner)}</${name}>`)
            .join('')
        : String(value)
    const entries = limits.map((limit: Limit) => `<limit>${xmlOf(limit)}</limit>`).join('')
    expect(text.replace(/>\s+</g, '><')).toContain(`<prompted>Y</prompted><limits>${entries}</limits>`)
  })
})

describe('a limit that is lowered while the gateway decides', () => {
  test('voids the deposit; the answer, its repetition and the event say which period', async () => {
    const who = await newLongDepositor(service)
    gateway.meanwhile(() => set(who, 'week', '9.99'))
    expect(await pay(who, '10.00', 'k')).toBe('24008 week')
    expect(await pay(who, '10.00', 'k')).toBe('24008 week')
    expect(await balanceOf(service.context.database, who.id, 'GBP')).toBe(0n)
    const { items } = (await service.operator('GET', `/operator/v1/deposits?customerId=${who.id}&reason=24008`)).body
    const stored = (await service.operator('GET', `/operator/v1/deposits/${items[0].paymentId}`)).body
    expect(stored.events.at(-1).detail).toContain('own limit of the week')
    await sweepUntil(service, who.id, ['VOIDED'])
    const [voided] = await eventsOf('deposit.voided', items[0].paymentId, 1)
    expect(voided).toMatchObject({ state: 'VOIDED', limitPeriod: 'week' })
    expect(await ledgerProblems(service)).toEqual([])
  })

  test('lets a deposit pass that keeps it', async () => {
    const who = await newLongDepositor(service)
    await set(who, 'day', '500.00')
    gateway.meanwhile(() => set(who, 'day', '10.00'))
    expect(await pay(who, '10.00')).toBe('paid')
    expect((await limitOf(who, 'day'))?.left).toBe('0.00')
  })
})

test('the database refuses to raise or remove a limit without a request of 24 hours', async () => {
  const who = await newLongDepositor(service)
  await set(who, 'day', '10.00')
  const { database } = service.context
  const where = `where customer_id = ${who.id} and period = 'day'`
  const now = service.clock.now()
  const refused = expect.objectContaining({ message: expect.stringMatching(/by a confirmation/) })
  await expect(
    database.script(`update customer_limit set amount = 2000, changed_at = ${now} ${where}`),
  ).rejects.toEqual(refused)
  await expect(database.script(`delete from customer_limit ${where}`)).rejects.toEqual(refused)
  await set(who, 'day', '20.00')
  for (const [amount, at] of [
    [2000, now + DAY_MS - HOUR_MS],
    [2001, now + 2 * DAY_MS],
  ])
    await expect(
      database.script(`update customer_limit set amount = ${amount}, changed_at = ${at}, pending_since = null,
        pending_amount = null ${where}`),
    ).rejects.toEqual(refused)
})

test('an erasure deletes what was requested and keeps what is in force', async () => {
  const who = await newLongDepositor(service)
  await set(who, 'day', '10.00')
  await set(who, 'day', '20.00')
  await set(who, 'week', '30.00')
  await call(who, 'DELETE', 'limits/week')
  expect((await service.operator('DELETE', `/operator/v1/customers/${who.id}/personal-data`)).status).toBe(204)
  const { limits } = (await service.operator('GET', `/operator/v1/customers/${who.id}`)).body
  expect(limits).toMatchObject([
    { period: 'day', amount: '10.00', pending: null },
    { period: 'week', amount: '30.00', pending: null },
  ])
})

test('changes, and the deposits that a limit refused, are counted by period', async () => {
  const who = await newLongDepositor(service)
  const counts = () => {
    const text = service.context.metrics.render()
    const read = (name: string) =>
      Number(
        text
          .split('\n')
          .find((line) => line.startsWith(`${name} `))
          ?.split(' ')[1] ?? 0,
      )
    return [
      read('paddock_limit_changes_total{period="month",change="set"}'),
      read('paddock_limit_changes_total{period="month",change="requested"}'),
      read('paddock_limit_refusals_total{period="month"}'),
    ]
  }
  const before = counts()
  await set(who, 'month', '10.00')
  await set(who, 'month', '20.00')
  expect(await pay(who, '10.01')).toBe('24008 month')
  expect(counts()).toEqual(before.map((count) => count + 1))
})

test('the history of changes is append-only', async () => {
  const who = await newLongDepositor(service)
  await set(who, 'day', '10.00')
  const where = `where customer_id = ${who.id}`
  const refused = expect.objectContaining({ message: expect.stringContaining('append-only') })
  for (const change of [`update safeguard_change set at = 0 ${where}`, `delete from safeguard_change ${where}`])
    await expect(service.context.database.script(change)).rejects.toEqual(refused)
})

test('each change is an event of the customer', async () => {
  const who = await newLongDepositor(service)
  await set(who, 'day', '10.00')
  await set(who, 'day', '20.00')
  service.clock.advance(DAY_MS)
  await confirm(who, 'day')
  await call(who, 'DELETE', 'limits/day')
  expect(await eventsOf('limit.changed', `${who.id}`, 4)).toEqual([
    { period: 'day', change: 'set', amount: '10.00', requested: null },
    { period: 'day', change: 'requested', amount: '10.00', requested: '20.00' },
    { period: 'day', change: 'confirmed', amount: '20.00', requested: null },
    { period: 'day', change: 'requested', amount: '20.00', requested: null },
  ])
})
