// The lists of deposits: filters, pages, the file, and the inbox of manual reviews.

import { parse } from 'csv-parse/sync'
import { beforeAll, describe, expect, test } from 'vitest'
import { faultTable } from '../../src/faults.ts'
import { WINDOW } from '../../src/wallets/deposits/list-store.ts'
import { REFUSALS_BY_CODE } from '../../src/wallets/deposits/reasons.ts'
import { type Json, startTestService, useService } from '../harness/service.ts'
import { addCard, deposit, insertDeposits, newDepositor, sweepUntil } from '../harness/wallets.ts'

const service = useService()
const EACH = 96
const MINUTE_MS = 60_000
let one: { id: number; method: number }
let other: { id: number; method: number }
let all: Json[]

/** All pages of a list. */
async function walk(query: Record<string, string>, limit = '100'): Promise<Json[]> {
  const found: Json[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { status, body } = await service.operator(
      'GET',
      `/operator/v1/deposits?${new URLSearchParams({ ...query, limit, cursor })}`,
    )
    expect([query, status]).toEqual([query, 200])
    found.push(...body.items)
    cursor = body.cursor
  }
  return found
}

const idsOf = (deposits: Json[]) => deposits.map(({ paymentId }) => paymentId)

beforeAll(async () => {
  service.clock.hold()
  one = await newDepositor(service, { number: '411111******4242' })
  other = await newDepositor(service, { number: '555555******0001' })
  const state = `case i % 6 when 0 then 'CAPTURED' when 1 then 'DECLINED' when 2 then 'VOIDED' when 3 then 'REVIEW'
    when 4 then 'AUTHORISED' else 'CAPTURED' end`
  const fault = `case when i % 6 in (1, 2) then case when i % 4 < 2 then 'insufficientFunds' else 'authorisationFailed' end end`
  const review = `case when i % 6 = 3 then 'capture-refused' when i % 12 = 5 then 'cancel-unresolved' end`
  const values = `500 + i * 10, case when i % 3 = 0 then 'EUR' else 'GBP' end, ${state}, ${fault}, ${review},
    case when i % 6 = 3 then 1000 + (i * 7) % 96 end`
  await insertDeposits(service, other, EACH, values)
  service.clock.advance(EACH * MINUTE_MS)
  await insertDeposits(service, one, EACH, values)
  all = await walk({})
})

test('without a filter every deposit is listed, the newest first', () => {
  expect(all).toHaveLength(2 * EACH)
  expect(new Set(idsOf(all)).size).toBe(2 * EACH)
})

const minutesAgo = (minutes: number) => new Date(service.clock.now() - minutes * MINUTE_MS).toISOString()
type Part = { query: () => Record<string, string>; passes: (deposit: Json) => boolean }
const PARTS: Part[] = [
  { query: () => ({ customerId: `${one.id}` }), passes: ({ customerId }) => customerId === `${one.id}` },
  { query: () => ({ lastFour: '0001' }), passes: ({ lastFour }) => lastFour === '0001' },
  { query: () => ({ paymentMethodId: `${one.method}` }), passes: (row) => row.paymentMethodId === `${one.method}` },
  { query: () => ({ state: 'CAPTURED' }), passes: ({ state }) => state === 'CAPTURED' },
  { query: () => ({ state: 'REVIEW' }), passes: ({ state }) => state === 'REVIEW' },
  { query: () => ({ reason: '24007' }), passes: ({ fault }) => fault === '24007' },
  { query: () => ({ reason: 'cancel-unresolved' }), passes: ({ review }) => review === 'cancel-unresolved' },
  { query: () => ({ currency: 'EUR' }), passes: ({ currency }) => currency === 'EUR' },
  { query: () => ({ minAmount: '7.50' }), passes: ({ amount }) => Number(amount) >= 7.5 },
  { query: () => ({ maxAmount: '15' }), passes: ({ amount }) => Number(amount) <= 15 },
  { query: () => ({ from: minutesAgo(150) }), passes: ({ createdAt }) => createdAt >= minutesAgo(150) },
  { query: () => ({ to: minutesAgo(50) }), passes: ({ createdAt }) => createdAt < minutesAgo(50) },
]

const byTime = (a: Json, b: Json) => b.createdAt.localeCompare(a.createdAt)

test('filters, alone and in pairs', async () => {
  for (const [index, first] of PARTS.entries()) {
    for (const second of PARTS.slice(index)) {
      const query = { ...first.query(), ...second.query() }
      // Two values of one filter: the second one counts.
      const parts = Object.keys(query).length > 1 ? [first, second] : [second]
      const found = await walk(query, '40')
      const expected = all.filter((row) => parts.every(({ passes }) => passes(row)))
      expect([query, idsOf(found)]).toEqual([query, idsOf(expected)])
    }
  }
})

test('a day of `to` belongs to the period, a time does not', async () => {
  const newest = all.toSorted(byTime)[0]
  const day = newest.createdAt.slice(0, 10)
  expect(idsOf(await walk({ from: day, to: day }))).toContain(newest.paymentId)
  expect(idsOf(await walk({ to: newest.createdAt }))).not.toContain(newest.paymentId)
  expect(await walk({ from: '2026-01-01', to: '2025-12-31' })).toEqual([])
  expect(await walk({ paymentMethodId: '999999999' })).toEqual([])
  expect(await walk({ paymentMethodId: `${one.method}`, customerId: `${other.id}` })).toEqual([])
})

test.each([
  'from=yesterday',
  'from=2026-02-30',
  'to=2026-13-01',
  'to=2026-01-01T25:00Z',
  'minAmount=-1',
  'maxAmount=1.234',
  'currency=pounds',
  'state=LOST',
  'reason=24011',
  'lastFour=12345',
  'lastFour=411111******1111',
  'paymentMethodId=x',
  'limit=101',
  `cursor=${Buffer.from('1').toString('base64url')}`,
])('?%s is refused', async (query) => {
  for (const path of ['/deposits', '/deposits.csv'].slice(0, /limit|cursor/.test(query) ? 1 : 2)) {
    const reply = await service.operator('GET', `/operator/v1${path}?${query}`)
    expect([reply.status, reply.body.errors[0].pointer]).toEqual([422, `query/${query.split('=')[0]}`])
  }
})

test('the reasons of refusals are the faults of the public API', () => {
  for (const [code, fault] of Object.entries(REFUSALS_BY_CODE)) expect(faultTable[fault].code).toBe(code)
})

test('a deposit that failed says why in words, in lists, alone and in the file, and which card it was', async () => {
  const WORDS = [
    ['DECLINED', '24007', 'Not enough money', /^Nothing: the card works/],
    ['DECLINED', '24005', 'Refused by the bank', /contacts their bank/],
    ['VOIDED', '24005', 'No certain answer in time', /may try again/],
    ['REVIEW', null, 'Capture refused', /Look the payment up at the gateway/],
  ] as const
  const card = { scheme: 'VISA', lastFour: '4242', expiryDate: '12/49' }
  for (const [state, fault, title, next] of WORDS) {
    const listed = all.find((row) => row.customerId === `${one.id}` && row.state === state && row.fault === fault)
    const why = {
      title,
      meaning: expect.stringMatching(/\.$/),
      customerMessage: expect.any(String),
      nextStep: expect.stringMatching(next),
    }
    expect(listed).toMatchObject({ why, ...card })
    const { body } = await service.operator('GET', `/operator/v1/deposits/${listed.paymentId}`)
    expect(body).toMatchObject({ why: listed.why, ...card })
  }
  expect(all.filter(({ state }) => ['CAPTURED', 'AUTHORISED'].includes(state)).every(({ why }) => why === null)).toBe(
    true,
  )
  const reply = await service.operator('GET', `/operator/v1/deposits.csv?customerId=${one.id}&state=DECLINED`)
  const rows = parse(reply.body, { columns: true }) as Json[]
  const refused = all.filter((row) => row.customerId === `${one.id}` && row.state === 'DECLINED')
  expect(rows.map(({ why, meaning, customerMessage, nextStep }) => [why, meaning, customerMessage, nextStep])).toEqual(
    refused.map(({ why }) => [why.title, why.meaning, why.customerMessage, why.nextStep]),
  )
})

test('the file has all deposits that pass the filters, in the same order, and no more of a card than four digits', async () => {
  const query = { state: 'CAPTURED', currency: 'GBP' }
  const reply = await service.operator('GET', `/operator/v1/deposits.csv?${new URLSearchParams(query)}`)
  expect([reply.headers.get('content-type'), reply.headers.get('content-disposition')]).toEqual([
    'text/csv; charset=utf-8',
    'attachment; filename="deposits.csv"',
  ])
  const rows = parse(reply.body, { columns: true }) as Json[]
  const expected = await walk(query)
  expect(rows.length).toBeGreaterThan(20)
  expect(rows).toEqual(
    expected.map(({ idempotencyKey, why, ...row }) => ({
      ...row,
      ...{ why: '', meaning: '', customerMessage: '', nextStep: '' },
      fault: row.fault ?? '',
      review: row.review ?? '',
      gatewayReference: row.gatewayReference ?? '',
    })),
  )
  expect(reply.body).not.toContain('411111')
})

test('a reference of the gateway that a spreadsheet would take for a formula is text in the file', async () => {
  const customer = await newDepositor(service)
  await insertDeposits(service, customer, 1, `1, 'GBP', 'DECLINED', 'cv2Invalid', null, null`)
  await service.context.database.script(
    `update deposit set gateway_reference = '=1+1,"x"' where customer_id = ${customer.id}`,
  )
  const { body } = await service.operator('GET', `/operator/v1/deposits.csv?customerId=${customer.id}`)
  expect(body).toContain(`,"'=1+1,""x""",`)
})

describe('with many deposits', () => {
  test('a page of a rare filter looks at a bounded number of them, and says how far it went', async () => {
    const own = await startTestService()
    try {
      own.clock.hold()
      const customer = await own.customer()
      const payer = { id: customer.id, method: await addCard(own, customer) }
      const count = 2 * WINDOW + 10
      const values = `500, case when i = 5 then 'EUR' else 'GBP' end, 'DECLINED', 'cv2Invalid', null, null`
      await insertDeposits(own, payer, count, values)
      for (const filter of [
        'currency=EUR',
        'currency=EUR&reason=24009',
        'currency=EUR&state=DECLINED',
        'currency=EUR&from=2020-01-01',
      ]) {
        const pages: Json[] = []
        for (let cursor: string | null = ''; cursor !== null; ) {
          const { body } = await own.operator('GET', `/operator/v1/deposits?${filter}&cursor=${cursor}`)
          pages.push(body)
          cursor = body.cursor
        }
        const until = (position: number) => new Date(own.clock.now() - (position - 1) * MINUTE_MS).toISOString()
        expect([filter, pages.map(({ items, searchedUntil }) => [items.length, searchedUntil])]).toEqual([
          filter,
          [
            [0, until(WINDOW)],
            [0, until(2 * WINDOW)],
            [1, null],
          ],
        ])
      }
      const { body } = await own.operator('GET', '/operator/v1/deposits.csv?currency=GBP')
      expect(body.split('\r\n')).toHaveLength(count + 1)
    } finally {
      await own.close()
    }
  })
})

test('the inbox has the deposits in review, the one that waits longest first', async () => {
  const expected = all.filter(({ state }) => state === 'REVIEW')
  const found: Json[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body } = await service.operator('GET', `/operator/v1/deposit-review?limit=7&cursor=${cursor}`)
    expect(body.waiting).toBe(expected.length)
    found.push(...body.items)
    cursor = body.cursor
  }
  expect(idsOf(found).toSorted()).toEqual(idsOf(expected).toSorted())
  const since = found.map(({ reviewSince }) => reviewSince)
  expect(since).toEqual(since.toSorted())
})

test('a deposit waits in the inbox since its review began, and leaves it when it is resolved', async () => {
  const payer = await newDepositor(service, { token: 'sandbox:capture-refused' })
  const { paymentId } = (await deposit(service, payer)).json().whoWallets
  service.clock.advance(5_000)
  await sweepUntil(service, payer.id, ['REVIEW'])
  const inbox = async () => (await service.operator('GET', '/operator/v1/deposit-review?limit=100')).body.items
  const mine = (await inbox()).find((row: Json) => row.paymentId === paymentId)
  expect(mine).toMatchObject({ review: 'capture-refused', reviewSince: new Date(service.clock.now()).toISOString() })
  expect(Date.parse(mine.reviewSince) - Date.parse(mine.createdAt)).toBe(5_000)
  const body = { outcome: 'captured', note: 'seen' }
  await service.operator('POST', `/operator/v1/deposits/${paymentId}/resolution`, body)
  expect(idsOf(await inbox())).not.toContain(paymentId)
})

test('what waits: the oldest in review, and the oldest authorised deposit', async () => {
  const own = await startTestService()
  try {
    own.clock.hold()
    const read = async () => (await own.operator('GET', '/operator/v1/statistics/waiting-deposits')).body
    const none = { waiting: 0, oldest: null }
    expect(await read()).toEqual({ review: none, captures: none })
    const customer = await own.customer()
    const payer = { id: customer.id, method: await addCard(own, customer) }
    await insertDeposits(own, payer, 4, `700 + i, 'GBP', 'REVIEW', null, 'capture-refused', 5000 - i`)
    expect(await read()).toMatchObject({
      review: { waiting: 4, oldest: { amount: '7.04', since: '1970-01-01T00:00:04.996Z', currency: 'GBP' } },
      captures: none,
    })
  } finally {
    await own.close()
  }
})
