import { expect, test } from 'vitest'
import type { Database } from '../../../src/platform/database/database.ts'
import { makeChallengedDeposit } from '../../../src/wallets/deposits/challenge.ts'
import { type Cv2, parseCv2 } from '../../../src/wallets/gateways/cv2.ts'
import { sweep } from '../../../src/wallets/sweep/sweeper.ts'
import { makeDeposit, RETURN_URL, registerReturnAddresses } from '../../harness/challenges.ts'
import { engine, KEY, newTestDatabase, startTestService, useService } from '../../harness/service.ts'
import {
  addCard,
  deposit,
  depositStates,
  ledgerProblems,
  newDepositor,
  paidOrFaultCode,
} from '../../harness/wallets.ts'

const service = useService()

const SCREEN = {
  language: 'en',
  colorDepth: 24,
  screenWidth: 1,
  screenHeight: 1,
  timeZoneOffset: 0,
  javaEnabled: false,
}
const BROWSER = { userAgent: 'x', acceptHeader: '*/*', ...SCREEN, ip: null }

/** Waits until the deposit is at the gateway. */
async function inFlight(customerId: number): Promise<void> {
  while ((await depositStates(service, customerId)).at(-1) !== 'AUTHORISING') {
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

test('a second deposit in flight is refused with 24011, before any fault of the card or the amount', async () => {
  const customer = await service.customer()
  const { ticket } = customer
  const slow = await addCard(service, customer, { token: 'sandbox:slow-1000' })
  const expired = await addCard(service, customer, { expiryDate: '01/20' })
  const first = deposit(service, { ticket, method: slow })
  await inFlight(customer.id)
  expect(paidOrFaultCode(await deposit(service, { ticket, method: slow }))).toBe('24011')
  expect(paidOrFaultCode(await deposit(service, { ticket, method: expired, amount: '0' }))).toBe('24011')
  expect(paidOrFaultCode(await deposit(service, { ticket, method: '77' }))).toBe('24001')
  expect(paidOrFaultCode(await first)).toBe('paid')
  expect(await depositStates(service, customer.id)).toHaveLength(1)
})

test('of twenty concurrent deposits one is in flight, and each is paid or refused with 24011', async () => {
  const customer = await service.customer()
  const method = await addCard(service, customer, { token: 'sandbox:slow-200' })
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => deposit(service, { ticket: customer.ticket, method })),
  )
  const codes = replies.map(paidOrFaultCode)
  expect(new Set(codes)).toEqual(new Set(['paid', '24011']))
  expect((await depositStates(service, customer.id)).length).toBe(codes.filter((code) => code === 'paid').length)
})

test('a challenge is answered as it was decided, also if a time-out voids the deposit before the answer', async () => {
  const { context } = service
  const { id: customerId, ticket, method } = await newDepositor(service, { token: 'sandbox:challenge' })
  await registerReturnAddresses(service)
  const challenge = { returnUrl: new URL(RETURN_URL), browser: BROWSER, serviceUrl: service.publicUrl }
  const order = { customerId, apiKey: KEY, idempotencyKey: 'challenged', amount: 1_000n, methodId: method, challenge }
  let isVoided = false
  const excluding = {
    ...context.database,
    async transaction<Result>(work: (tx: Database) => Promise<Result>) {
      const result = await context.database.transaction(work)
      isVoided ||= (await depositStates(service, customerId)).at(-1) === 'CHALLENGE'
      if (isVoided) await service.call('PUT', '/v1/wallets/me/time-out?hours=24', { ticket })
      return result
    },
  }
  const cv2 = parseCv2('123') as Cv2
  const { result } = await makeChallengedDeposit({ ...context, database: excluding }, order, cv2)
  expect(await depositStates(service, customerId)).toEqual(['VOIDING'])
  expect(result).toMatchObject({ status: 'challenge', action: { url: expect.stringMatching(/issuer/) } })
  expect(paidOrFaultCode(await makeDeposit(service, { ticket, method, idempotencyKey: 'challenged' }))).toBe('24004')
})

test('concurrent deposits never exceed the daily limit', async () => {
  const customer = await service.customer({ dailyDepositLimit: 5_000n })
  const method = await addCard(service, customer)
  const codes: string[] = []
  async function client(): Promise<void> {
    for (let turn = 0; turn < 12; turn++) {
      codes.push(paidOrFaultCode(await deposit(service, { ticket: customer.ticket, method, amount: '7.00' })))
    }
  }
  await Promise.all(Array.from({ length: 6 }, client))
  expect(codes.filter((code) => !['paid', '24011', '24008'].includes(code))).toEqual([])
  expect(codes.filter((code) => code === 'paid')).toHaveLength(7)
  await sweep(service.context)
  expect(await ledgerProblems(service)).toEqual([])
})

test('concurrent deposits with one Idempotency-Key charge once', async () => {
  const { ticket, method, id } = await newDepositor(service)
  const codes = new Map<string, number>()
  const payments = new Set<string>()
  await Promise.all(
    Array.from({ length: 20 }, async () => {
      const reply = await deposit(service, { ticket, method, key: 'one-key' })
      const code = paidOrFaultCode(reply)
      codes.set(code, (codes.get(code) ?? 0) + 1)
      if (code === 'paid') payments.add(reply.json().whoWallets.paymentId)
    }),
  )
  expect([...codes.keys()].filter((code) => code !== 'paid' && code !== '24011')).toEqual([])
  const again = await deposit(service, { ticket, method, key: 'one-key' })
  payments.add(again.json().whoWallets.paymentId)
  expect(payments.size).toBe(1)
  expect(await depositStates(service, id)).toHaveLength(1)
})

// One process owns an embedded database; several share PostgreSQL.
test.runIf(engine === 'postgres')('several processes on one database sweep without running a job twice', async () => {
  const testDatabase = await newTestDatabase()
  const services = await Promise.all([startTestService({}, testDatabase), startTestService({}, testDatabase)])
  try {
    const [one, other] = services as [typeof service, typeof service]
    const depositors = await Promise.all(Array.from({ length: 12 }, () => newDepositor(one)))
    const replies = await Promise.all(
      depositors.map(({ ticket, method }, index) => deposit(index % 2 === 0 ? one : other, { ticket, method })),
    )
    expect(new Set(replies.map(paidOrFaultCode))).toEqual(new Set(['paid']))
    await Promise.all(Array.from({ length: 4 }, (_, index) => sweep((index % 2 === 0 ? one : other).context)))
    while ((await one.operator('GET', '/operator/v1/deposits?state=AUTHORISED')).body.items.length > 0) {
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    expect(await ledgerProblems(one)).toEqual([])
    for (const reply of replies) {
      const { body } = await one.operator('GET', `/operator/v1/deposits/${reply.json().whoWallets.paymentId}`)
      expect(body.events.map((event: { event: string }) => event.event)).toEqual(['begun', 'authorised', 'captured'])
    }
  } finally {
    for (const one of services) await one.close()
    await testDatabase.remove()
  }
})
