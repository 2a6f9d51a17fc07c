// What an operator, or the customer, changes while the gateway decides: an approval is credited only if the deposit is
// still allowed. Else it is voided, and the answer is the fault of the rule (ruling R11).

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { balanceOf } from '../../../src/wallets/account/ledger.ts'
import { sweep } from '../../../src/wallets/sweep/sweeper.ts'
import { adyenNotification, adyenSettings, startFakeAdyen } from '../../harness/adyen.ts'
import { makeDeposit, registerReturnAddresses } from '../../harness/challenges.ts'
import { refundsOf, sweepUntilRefunds } from '../../harness/refunds.ts'
import { startTestService, type TestService, useService } from '../../harness/service.ts'
import {
  addCard,
  type CardOptions,
  deposit,
  depositStates,
  ledgerProblems,
  newDepositor,
  paidOrFaultCode,
  slowGateway,
  sweepUntil,
} from '../../harness/wallets.ts'

const gateway = slowGateway()
const service = useService({}, { gateway: gateway.observe })

type Depositor = Awaited<ReturnType<typeof newDepositor>>
type Change = (service: TestService, depositor: Depositor) => Promise<unknown>

const putCustomer =
  (body: object): Change =>
  (one, { id }) =>
    one.operator('PUT', `/operator/v1/customers/${id}`, body)
const setStatus =
  (status: string): Change =>
  (one, { id }) =>
    one.operator('PUT', `/operator/v1/customers/${id}/status`, { status, reason: 'asked for it' })
const registerAgain =
  (options: CardOptions): Change =>
  (one, { id, method }) =>
    addCard(one, { id }, { id: method, ...options })

const selfExclude = setStatus('self-excluded')
const closeCard: Change = (one, { id, method }) =>
  one.operator('POST', `/operator/v1/customers/${id}/payment-methods/${method}/closure`, { reason: 'lost' })
const lowerLimit = putCustomer({ dailyDepositLimit: '9.99' })

const CHANGES: [what: string, change: Change, code: string][] = [
  ['a self-exclusion', selfExclude, '24004'],
  ['a suspension', setStatus('suspended'), '24004'],
  ['a closed account', setStatus('closed'), '24004'],
  ['a customer who is no longer verified', putCustomer({ verified: false }), '24004'],
  ['a funds statement that is accepted no longer', putCustomer({ fundsStatementVersion: 0 }), '24015'],
  ['a closed card', closeCard, '24001'],
  [
    'a removed card',
    (one, { id, method }) => one.operator('DELETE', `/operator/v1/customers/${id}/payment-methods/${method}`),
    '24001',
  ],
  ['a card that is now a credit card', registerAgain({ funding: 'credit' }), '24001'],
  ['a lower daily limit', lowerLimit, '24008'],
  ['a lower maximum of the card', registerAgain({ max: '9.00' }), '24003'],
]

async function storedDeposit(one: TestService, customerId: number) {
  const { items } = (await one.operator('GET', `/operator/v1/deposits?customerId=${customerId}`)).body
  expect(items).toHaveLength(1)
  return (await one.operator('GET', `/operator/v1/deposits/${items[0].paymentId}`)).body
}

test.each(CHANGES)('%s while the gateway decides: voided, never credited', async (_, change, code) => {
  const depositor = await newDepositor(service)
  const { id, ticket, method } = depositor
  gateway.meanwhile(() => change(service, depositor))
  expect(paidOrFaultCode(await deposit(service, { ticket, method, key: 'a' }))).toBe(code)
  expect(await balanceOf(service.context.database, id, 'GBP')).toBe(0n)
  const voiding = await storedDeposit(service, id)
  expect([voiding.state, voiding.fault]).toEqual(['VOIDING', code])
  expect(voiding.events.at(-1).detail).toMatch(/^approved, but no longer allowed: \w+$/)
  const listed = await service.operator('GET', `/operator/v1/deposits?customerId=${id}&reason=${code}`)
  expect(listed.body.items.map((one: { fault: string }) => one.fault)).toEqual([code])
  await sweepUntil(service, id, ['VOIDED'])
  const view = await service.operator('GET', `/operator/v1/deposits/${voiding.paymentId}/gateway`)
  expect([view.body.theirs.state, view.body.differences]).toEqual(['cancelled', []])
  expect(await ledgerProblems(service)).toEqual([])
})

test('a deposit that a time-out voids while the gateway decides does not wait for the issuer', async () => {
  await registerReturnAddresses(service)
  const { id, ticket, method } = await newDepositor(service, { token: 'sandbox:challenge' })
  gateway.meanwhile(() => service.call('PUT', '/v1/wallets/me/time-out?hours=24', { ticket }))
  expect(paidOrFaultCode(await makeDeposit(service, { ticket, method }))).toBe('24004')
  expect((await storedDeposit(service, id)).state).toBe('VOIDING')
  service.clock.advance(service.context.config.wallets.voidGraceMs)
  await sweepUntil(service, id, ['VOIDED'])
})

test('the Idempotency-Key of a deposit that was no longer allowed answers the same fault, also when it is allowed again', async () => {
  for (const [change, undo, code] of [
    [lowerLimit, putCustomer({ dailyDepositLimit: null }), '24008'],
    [closeCard, registerAgain({}), '24001'],
    [putCustomer({ verified: false }), putCustomer({ verified: true }), '24004'],
  ] as const) {
    const depositor = await newDepositor(service)
    const { ticket, method } = depositor
    gateway.meanwhile(() => change(service, depositor))
    expect(paidOrFaultCode(await deposit(service, { ticket, method, key: 'k' }))).toBe(code)
    for (const _ of [1, 2]) {
      const again = await deposit(service, { ticket, method, key: 'k' })
      expect([paidOrFaultCode(again), again.headers.get('idempotent-replayed')]).toEqual([code, 'true'])
      await undo(service, depositor)
    }
  }
})

test('a limit that the deposit still keeps, with those before it, does not void it', async () => {
  const depositor = await newDepositor(service)
  const { ticket, method } = depositor
  expect(paidOrFaultCode(await deposit(service, { ticket, method }))).toBe('paid')
  gateway.meanwhile(() => putCustomer({ dailyDepositLimit: '20.00' })(service, depositor))
  expect(paidOrFaultCode(await deposit(service, { ticket, method }))).toBe('paid')
  await putCustomer({ dailyDepositLimit: '40.00' })(service, depositor)
  gateway.meanwhile(() => putCustomer({ dailyDepositLimit: '29.99' })(service, depositor))
  expect(paidOrFaultCode(await deposit(service, { ticket, method }))).toBe('24008')
  await putCustomer({ dailyDepositLimit: '30.00' })(service, depositor)
  expect(paidOrFaultCode(await deposit(service, { ticket, method }))).toBe('paid')
  expect(await balanceOf(service.context.database, depositor.id, 'GBP')).toBe(3000n)
})

test('the time that the gateway takes refuses nothing: a card that expires meanwhile, a day that ends', async () => {
  const own = await startTestService({ DEPOSIT_LEASE_SECONDS: '600' }, undefined, { gateway: gateway.observe })
  try {
    const end = new Date(own.clock.now())
    const nextMonth = Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1, 1)
    own.clock.advance(nextMonth - own.clock.now() - 60_000)
    const now = new Date(own.clock.now())
    const expiryDate = `${`${now.getUTCMonth() + 1}`.padStart(2, '0')}/${`${now.getUTCFullYear()}`.slice(2)}`
    const { ticket, method, id } = await newDepositor(own, { expiryDate })
    await own.operator('PUT', `/operator/v1/customers/${id}`, { dailyDepositLimit: '10.00' })
    gateway.meanwhile(async () => own.clock.advance(120_000))
    expect(paidOrFaultCode(await deposit(own, { ticket, method }))).toBe('paid')
  } finally {
    await own.close()
  }
})

test('a deposit that is no longer allowed frees its amount for the limit', async () => {
  const customer = await service.customer({ dailyDepositLimit: 1_000n })
  const method = await addCard(service, customer)
  const { ticket } = customer
  gateway.meanwhile(() => closeCard(service, { ...customer, method }))
  expect(paidOrFaultCode(await deposit(service, { ticket, method }))).toBe('24001')
  await addCard(service, customer, { id: method })
  await service.operator('DELETE', `/operator/v1/customers/${customer.id}/payment-methods/${method}/closure`)
  expect(paidOrFaultCode(await deposit(service, { ticket, method }))).toBe('paid')
})

describe('an approval that a notification brings', () => {
  let fake: Awaited<ReturnType<typeof startFakeAdyen>>
  let adyen: TestService

  beforeAll(async () => {
    fake = await startFakeAdyen()
    const settings = { GATEWAY: 'adyen', VOID_GRACE_SECONDS: '600', ...adyenSettings(fake.url) }
    adyen = await startTestService(settings, undefined, { gateway: gateway.observe })
  })
  afterAll(async () => {
    await adyen.close()
    await fake.close()
  })

  /** With the gateway's reference of the payment, or one of its own while the gateway has none. */
  async function notifyApproved(customerId: number): Promise<void> {
    const { items } = (await adyen.operator('GET', `/operator/v1/deposits?customerId=${customerId}`)).body
    const reference: string = items[0].paymentId
    const psp = [...fake.payments].find(([, payment]) => payment.reference === reference)?.[0] ?? `early-${customerId}`
    const body = adyenNotification({ event: 'AUTHORISATION', reference, psp })
    const headers = { 'content-type': 'application/json' }
    const reply = await adyen.call('POST', '/v1/notifications/adyen', { key: null, secret: null, headers, body })
    expect(reply.text).toBe('[accepted]')
  }

  const eventsOf = async (id: number) =>
    (await storedDeposit(adyen, id)).events.map(({ event }: { event: string }) => event)

  test.each([
    ['a self-exclusion', selfExclude, '24004'],
    ['a closed card', closeCard, '24001'],
    ['a lower daily limit', lowerLimit, '24008'],
  ])('%s: voided whether it comes before the answer or after it', async (_, change, code) => {
    for (const first of ['notification', 'answer']) {
      const depositor = await newDepositor(adyen, { token: 'approve' })
      const { id, ticket, method } = depositor
      gateway.meanwhile(async () => {
        await change(adyen, depositor)
        if (first === 'notification') await notifyApproved(id)
      })
      expect(paidOrFaultCode(await deposit(adyen, { ticket, method }))).toBe(code)
      if (first === 'answer') await notifyApproved(id)
      expect([await depositStates(adyen, id), (await storedDeposit(adyen, id)).fault]).toEqual([['VOIDING'], code])
      expect(await eventsOf(id)).toEqual(
        first === 'answer'
          ? ['begun', 'voiding', 'notified', 'approved too late']
          : ['begun', 'notified', 'voiding', 'approved too late'],
      )
      await sweep(adyen.context)
      const payment = [...fake.payments.values()].at(-1)
      expect(payment?.state).toBe('cancelled')
      expect(await balanceOf(adyen.context.database, id, 'GBP')).toBe(0n)
      expect(await ledgerProblems(adyen)).toEqual([])
    }
  })

  test('answers, notifications and changes at once: each deposit is credited and paid, or neither', async () => {
    const depositors = await Promise.all(Array.from({ length: 12 }, () => newDepositor(adyen, { token: 'approve' })))
    const codes = await Promise.all(
      depositors.map(async (depositor, index) => {
        const { id, ticket, method } = depositor
        const paying = deposit(adyen, { ticket, method })
        await expect.poll(() => depositStates(adyen, id), { timeout: 60_000, interval: 5 }).toHaveLength(1)
        await Promise.all([notifyApproved(id), [selfExclude, closeCard, lowerLimit][index % 3]?.(adyen, depositor)])
        return paidOrFaultCode(await paying)
      }),
    )
    for (const [index, { id }] of depositors.entries()) {
      expect(['paid', '24004', '24001', '24008']).toContain(codes[index])
      const balance = await balanceOf(adyen.context.database, id, 'GBP')
      expect([codes[index] === 'paid', balance]).toEqual([balance > 0n, codes[index] === 'paid' ? 1000n : 0n])
    }
    expect(await ledgerProblems(adyen)).toEqual([])
  })
})

/** A deposit that was voided without an answer, and that the bank captured nevertheless. */
async function capturedAfterVoid() {
  const depositor = await newDepositor(service, { token: 'sandbox:error-after' })
  const { id, ticket, method } = depositor
  expect(paidOrFaultCode(await deposit(service, { ticket, method }))).toBe('24005')
  const { paymentId } = await storedDeposit(service, id)
  const payment = { reference: paymentId, gatewayReference: null, amount: 1000n, currency: 'GBP' }
  expect((await service.context.gateways.current.capture(payment)).outcome).toBe('captured')
  await sweepUntil(service, id, ['REVIEW'])
  const resolve = (outcome: string) =>
    service.operator('POST', `/operator/v1/deposits/${paymentId}/resolution`, { outcome, note: 'asked the bank' })
  return { depositor, resolve, paymentId }
}

test('a self-exclusion before a manual review: what was captured is refunded, not credited', async () => {
  const { depositor, resolve, paymentId } = await capturedAfterVoid()
  await selfExclude(service, depositor)
  expect((await resolve('captured')).status).toBe(200)
  expect(await depositStates(service, depositor.id)).toEqual(['CAPTURED'])
  await sweepUntilRefunds(service, paymentId, ['DONE'])
  expect((await refundsOf(service, paymentId)).items).toMatchObject([{ amount: '10.00' }])
  expect(await balanceOf(service.context.database, depositor.id, 'GBP')).toBe(0n)
  expect(await ledgerProblems(service)).toEqual([])
})

test.each([
  ['a closed card', closeCard, '24001'],
  ['a lower daily limit', lowerLimit, '24008'],
])('%s before a manual review: the operator cannot credit, and resolves it as voided', async (_, change, code) => {
  const { depositor, resolve } = await capturedAfterVoid()
  await change(service, depositor)
  const refused = await resolve('captured')
  expect([refused.status, refused.body.detail]).toEqual([409, expect.stringContaining(code)])
  expect(await depositStates(service, depositor.id)).toEqual(['REVIEW'])
  expect((await resolve('voided')).status).toBe(200)
  expect(await balanceOf(service.context.database, depositor.id, 'GBP')).toBe(0n)
  expect(await ledgerProblems(service)).toEqual([])
})

test('a manual review of what is still allowed is resolved as captured, with the credit', async () => {
  const { depositor, resolve } = await capturedAfterVoid()
  expect((await resolve('captured')).status).toBe(200)
  expect(await balanceOf(service.context.database, depositor.id, 'GBP')).toBe(1000n)
  expect(await ledgerProblems(service)).toEqual([])
})
