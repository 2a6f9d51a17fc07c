// Faults of withdrawals at the gateway, and of the list of a day.

import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../../src/platform/runtime/durations.ts'
import { sweep } from '../../../src/wallets/sweep/sweeper.ts'
import { adyenSettings, deliver, startFakeAdyen } from '../../harness/adyen.ts'
import { transferWebhook } from '../../harness/adyen-transfers.ts'
import {
  books,
  newCard,
  newClient,
  optionsOf,
  partsOf,
  payInCaptured,
  reasonOf,
  sweepUntilWithdrawal,
  takeOut,
  win,
  withdrawalOf,
} from '../../harness/cashier.ts'
import { engine, newTestDatabase, type Settings, startTestService, type TestService } from '../../harness/service.ts'
import { newMatch, newTip, type TestOutcome } from '../../harness/sportsbook.ts'

const TRANSFER_SETTINGS = [
  'ADYEN_TRANSFERS_URL',
  'ADYEN_TRANSFERS_KEY',
  'ADYEN_BALANCE_ACCOUNT',
  'ADYEN_TRANSFERS_HMAC_KEY',
]

let fake: Awaited<ReturnType<typeof startFakeAdyen>>
/** With nothing but the payments API, and with transfers. */
let paymentsOnly: Settings
let whole: Settings
let service: TestService

beforeAll(async () => {
  fake = await startFakeAdyen()
  whole = { GATEWAY: 'adyen', GATEWAY_TIMEOUT_MS: '1000', ...adyenSettings(fake.url) }
  paymentsOnly = Object.fromEntries(Object.entries(whole).filter(([name]) => !TRANSFER_SETTINGS.includes(name)))
  service = await startTestService(whole)
})
afterAll(async () => {
  await books(service)
  await service.close()
  await fake.close()
})

/** A 20, and 10 won. */
async function winner(one: TestService, token = 'approve') {
  const client = await newClient(one)
  const A = await newCard(one, client, 'A', { token })
  const a = await payInCaptured(one, client, A, 20)
  await win(one, client, 10)
  return { client, A, a }
}

const paths = (from: number) => fake.requests.slice(from).map(({ path }) => path.replace(/PSP\d+/, 'PSP'))

test('with nothing but the payments API what was paid in goes back, and the options say why winnings do not', async () => {
  const one = await startTestService(paymentsOnly)
  try {
    const { client, A, a } = await winner(one)
    expect(await optionsOf(one, client)).toEqual({ available: 30, keptBack: 0, A: '20 (20 + 0 + 0)' })
    expect(await reasonOf(one, client, A)).toMatch(/\w \w/)
    const from = fake.requests.length
    const id = await takeOut(one, client, { card: A, pounds: 20 })
    await sweepUntilWithdrawal(one, id, 'SENDING')
    expect(await partsOf(one, id, { [a]: 'A' })).toEqual(['return 20 of A: paid 0, returned 0, SENDING'])
    expect(paths(from)).toEqual(['/v72/payments/PSP/refunds'])
    await books(one)
  } finally {
    await one.close()
  }
})

test('winnings go out by the Transfers API, and no call of the old payouts is left', async () => {
  const { client, A } = await winner(service)
  const from = fake.requests.length
  const id = await takeOut(service, client, { card: A, pounds: 30 })
  await sweepUntilWithdrawal(service, id, 'SENDING')
  await sweep(service.context)
  expect(paths(from).sort()).toEqual(['/btl/v4/transfers', '/v72/payments/PSP/refunds'])
})

test('the gateway’s reference of a payout is known after a lost answer, and its webhook finds it', async () => {
  const { client, A, a } = await winner(service, 'transfer-lost')
  const id = await takeOut(service, client, { card: A, pounds: 30 })
  const reference = await payoutReference(id)
  const found = async () => {
    await sweep(service.context)
    service.clock.advance(60_000)
    return [...fake.transfers.values()].filter((one) => one.reference === reference).length
  }
  await expect.poll(found, { timeout: 60_000, interval: 20 }).toBe(1)
  const [transfer] = [...fake.transfers.values()].filter((one) => one.reference === reference)
  const known = async () => {
    await sweep(service.context)
    service.clock.advance(60_000)
    return (await withdrawalOf(service, id)).parts.at(-1).gatewayReference
  }
  await expect.poll(known, { timeout: 60_000, interval: 20 }).toBe(transfer?.id)
  // By the gateway's own reference alone.
  const webhook = transferWebhook({ id: transfer?.id as string, reference: 'another', status: 'booked', value: 1000 })
  await deliver(service, webhook)
  expect((await partsOf(service, id, { [a]: 'A' }))[1]).toBe('payout 10 of winnings: paid 10, returned 0, PAID')
})

async function payoutReference(id: string): Promise<string> {
  const { parts } = await withdrawalOf(service, id)
  return parts.find(({ kind }: { kind: string }) => kind === 'payout').reference
}

test('a payout that waited for money or settings for a day is no review when it is accepted', async () => {
  const testDatabase = await newTestDatabase()
  const start = (settings: Settings) => startTestService({ ...settings, ...testDatabase.settings }, testDatabase)
  const days = async (one: TestService, count: number) => {
    for (let hour = 0; hour < 24 * count; hour++) {
      await sweep(one.context)
      one.clock.advance(HOUR_MS)
    }
  }
  let one = await start(whole)
  try {
    const { client, A } = await winner(one, 'transfer-received')
    const id = await takeOut(one, client, { card: A, pounds: 30 })
    await one.close()
    one = await start(paymentsOnly)
    await days(one, 2)
    const ahead = 2 * DAY_MS
    const waits = { kind: 'payout', state: 'WAITING' }
    expect((await withdrawalOf(one, id)).parts).toContainEqual(expect.objectContaining(waits))
    await one.close()
    one = await start(whole)
    one.clock.advance(ahead)
    const state = async () => {
      await sweep(one.context)
      one.clock.advance(60_000)
      return (await withdrawalOf(one, id)).parts.at(-1)
    }
    const sent = { kind: 'payout', state: 'SENDING', gatewayReference: expect.any(String) }
    await expect.poll(state, { timeout: 60_000, interval: 20 }).toMatchObject(sent)
    await sweep(one.context)
    expect(await state()).toMatchObject(sent)
    await books(one)
  } finally {
    await one.close()
    await testDatabase.remove()
  }
})

test('the withdrawals of a day are those that were requested on it, whatever their ids', async () => {
  const { client, A } = await winner(service)
  const midnight = service.clock.now() - (service.clock.now() % DAY_MS) + 2 * DAY_MS
  service.clock.advance(midnight + 30_000 - service.clock.now())
  const after = await takeOut(service, client, { card: A, pounds: 1 })
  // Another process, whose clock is a minute behind.
  service.clock.advance(-60_000)
  const before = await takeOut(service, client, { card: A, pounds: 2 })
  service.clock.advance(60_000)
  const last = await takeOut(service, client, { card: A, pounds: 3 })
  const day = (time: number) => new Date(time).toISOString().slice(0, 10)
  const listed = async (query: string) => {
    const of = async (path: string) => {
      const { items } = (await service.operator('GET', `/operator/v1/withdrawals?${path}`)).body
      return items.map(({ id }: { id: string }) => id).sort()
    }
    const ids = await of(`customerId=${client.id}&${query}`)
    expect(await of(query)).toEqual(ids)
    return ids
  }
  const [yesterday, today] = [day(midnight - 1), day(midnight)]
  expect(await listed(`from=${yesterday}&to=${yesterday}`)).toEqual([before])
  expect(await listed(`from=${today}&to=${today}`)).toEqual([after, last].sort())
  expect(await listed(`from=${yesterday}&to=${today}`)).toEqual([after, before, last].sort())
})

// Without connections the last call would wait for minutes.
const PATIENCE = { timeout: 120_000 }

test.runIf(engine === 'postgres')(
  'batches that wait for locks leave connections, all kinds together',
  PATIENCE,
  async () => {
    const [outcome] = (await newMatch(service)) as [TestOutcome]
    const members = await Promise.all(Array.from({ length: 6 }, () => service.member()))
    const [author, ...fans] = members as [(typeof members)[0], ...typeof members]
    const tip = await newTip(service, author, outcome.id)
    const { client } = await winner(service)
    const holder = new pg.Client({ connectionString: service.context.config.databaseUrl as string })
    await holder.connect()
    const calls: Promise<unknown>[] = []
    try {
      await holder.query('begin; lock table comment_like, follow, comment in exclusive mode')
      for (const [turn, { ticket }] of fans.entries()) {
        const path = `/v1/communities/comments/${tip}/like`
        const following = `/v1/profiles/me/followings/${author.profileId}`
        for (const [method, address] of [
          ['POST', path],
          ['DELETE', path],
          ['POST', following],
          ['DELETE', following],
          ['POST', `/v1/communities/comments/me/outcomes/${outcome.id}?betId=${9_000_000 + turn}&text=A+fine+price`],
        ] as const) {
          calls.push(service.call(method, address, { ticket }))
        }
        // Longer than a batch may take before the next one goes ahead of it.
        await new Promise((resolve) => setTimeout(resolve, 300))
      }
      const waiting = `select count(*) as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`
      const blocked = async () => Number((await holder.query(waiting)).rows[0].waiting)
      await expect.poll(blocked, { timeout: 60_000, interval: 20 }).toBeGreaterThan(3)
      // While they wait, money moves.
      await win(service, client, 5)
    } finally {
      await holder.end()
      await Promise.allSettled(calls)
    }
  },
)
