// What is long by somebody's choice works in slices: while it runs, no turn of the event loop takes longer than a bound. Turns are
// counted by the processor time of the thread, so that other work on the machine changes nothing.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { OPERATOR_TOKEN, useService } from '../harness/service.ts'
import { withoutTriggers } from '../harness/without-triggers.ts'

const service = useService()
/** A slice takes 8 ms, reading a body of 1 MB or collecting garbage up to 150 on a busy machine. */
const BOUND_MS = 250
const LOOK_EVERY_MS = 5

/** Runs `work`, and answers how many turns were longer than the bound meanwhile. */
async function longTurnsOf(work: () => Promise<unknown>): Promise<number> {
  let long = 0
  let before = process.threadCpuUsage()
  const looking = setInterval(() => {
    const { user, system } = process.threadCpuUsage(before)
    if ((user + system) / 1000 > BOUND_MS) long++
    before = process.threadCpuUsage()
  }, LOOK_EVERY_MS)
  await work()
  await new Promise((resolve) => setTimeout(resolve, 2 * LOOK_EVERY_MS))
  clearInterval(looking)
  return long
}

/** Takes the answer as it comes, and keeps nothing of it. */
async function bytesOf(method: string, path: string, body?: string): Promise<number> {
  const response = await fetch(`${service.operatorUrl}/operator/v1/${path}`, {
    method,
    headers: {
      authorization: `Bearer ${OPERATOR_TOKEN}`,
      ...(body === undefined ? {} : { 'content-type': path === 'feed' ? 'application/x-ndjson' : 'application/json' }),
    },
    ...(body === undefined ? {} : { body }),
  })
  let bytes = 0
  for await (const chunk of response.body as ReadableStream<Uint8Array>) bytes += chunk.length
  expect([path, response.status]).toEqual([path, 200])
  return bytes
}

const ROWS = 60_000
const FIRST = 1_000_000
let customer: number
let other: number

/** Rows of a customer with a long history, and of a long audit trail. */
function fills(now: number): string[] {
  const numbers = `with recursive n (i) as (select 1 union all select i + 1 from n where i < ${ROWS})`
  return [
    `insert into account (id, kind, customer_id, currency, balance) values (${FIRST}, 'customer', ${customer}, 'GBP', 0)`,
    `insert into account (id, kind, currency) values (${FIRST + 1}, 'sportsbook', 'GBP')`,
    `insert into movement (id, reference, customer_id, kind, amount, currency, at)
     ${numbers} select ${FIRST} + i, 'movement-' || i, ${customer}, 'stake', i, 'GBP', ${now} from n`,
    `insert into transfer (movement_id, kind, debit_account_id, credit_account_id, amount, currency, at, customer_account_id, line,
       balance_after)
     ${numbers} select ${FIRST} + i, 'stake', ${FIRST}, ${FIRST + 1}, i, 'GBP', ${now}, ${FIRST}, i, i from n`,
    `insert into safeguard_change (customer_id, kind, at, data)
     ${numbers} select ${customer}, 'limit.changed', i, '{}' from n`,
    `insert into audit (at, actor, role, action, subject, detail)
     ${numbers} select i, 'ann', 'admin', 'getCustomer', '' || i, '{"reason":"Asked by the customer"}' from n`,
    `insert into payment_method (id, customer_id, type, token, min_deposit, max_deposit, card_number, expiry_date, country, scheme,
       funding, created_at)
     values (${FIRST}, ${customer}, 'CARD', 't', 500, 100000, '411111******1111', '12/49', 'GB', 'VISA', 'debit', ${now})`,
    `insert into deposit (number, id, customer_id, api_key, idempotency_key, payment_method_id, gateway, amount, currency, day,
       state, fault, lease_until, created_at, decided_at, captured)
     ${numbers} select ${FIRST} + i, 'deposit-' || i, ${customer}, 'k', 'key-' || i, ${FIRST}, 'sandbox', i, 'GBP', i / 100, 'DECLINED',
       'insufficientFunds', i, i, i, 0 from n`,
  ]
}

beforeAll(async () => {
  customer = (await service.member()).id
  other = (await service.member()).id
  const { database } = service.context
  await withoutTriggers(database, async () => {
    for (const fill of fills(Date.now())) await database.script(fill)
  })
  await database.script('analyze')
}, 120_000)
afterAll(() => expect(service.logged()).not.toContain('"level":50'))

test('a turn that is too long is counted', async () => {
  const busy = async () => {
    await new Promise((resolve) => setTimeout(resolve, 2 * LOOK_EVERY_MS))
    const before = process.threadCpuUsage()
    while (process.threadCpuUsage(before).user / 1000 < 2 * BOUND_MS);
  }
  expect(await longTurnsOf(busy)).toBe(1)
})

const word = (index: number) =>
  `${'abcdefghijklmnopqrstuvwxyz'.repeat(4)}`.slice(0, 94) + index.toString(36).padStart(6, 'q')
const blocked = Array.from({ length: 10_000 }, (_, index) => word(index))

const CALLS = [
  ['GET', 'customers/ID/statement.csv', undefined],
  ['GET', 'audit.csv', undefined],
  ['GET', 'deposits.csv', undefined],
  ['GET', 'audit/check', undefined],
  ['GET', 'customers/ID/personal-data', undefined],
  ['GET', 'ledger/check', undefined],
  ['PUT', 'moderation/words', { blocked, allowed: [] }],
  ['POST', 'moderation/words/test', { text: 'zyzzyva '.repeat(37), as: 'tip', blocked: blocked.slice(2), allowed: [] }],
  [
    'PUT',
    'moderation/settings',
    { labels: [], groups: [], rules: { links: null, rate: null, words: blocked.slice(0, 1_000) } },
  ],
] as const

/** The same call with next to nothing. */
const shortened = (body: object) => ({ ...body, ...('blocked' in body ? { blocked: [] } : {}) })

test.each(CALLS)('%s %s', async (method, path, body) => {
  const call = (id: number, sent: object | undefined) => {
    const text = sent === undefined ? undefined : JSON.stringify(sent)
    return bytesOf(method, path.replace('ID', `${id}`), text)
  }
  // What is compiled at its first call, and not because it is long.
  await call(other, body === undefined ? undefined : shortened(body))
  expect(await longTurnsOf(() => call(customer, body))).toBe(0)
})
