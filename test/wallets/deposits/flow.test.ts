import { expect, test } from 'vitest'
import { recordDecision } from '../../../src/wallets/deposits/transitions.ts'
import type { Gateway } from '../../../src/wallets/gateways/gateway.ts'
import { sweep } from '../../../src/wallets/sweep/sweeper.ts'
import { startTestService, useService } from '../../harness/service.ts'
import {
  addCard,
  deposit,
  depositStates,
  ledgerProblems,
  newDepositor,
  paidOrFaultCode,
  sweepUntil,
} from '../../harness/wallets.ts'

const SETTINGS = { GATEWAY_TIMEOUT_MS: '100', DEPOSIT_LEASE_SECONDS: '30', VOID_GRACE_SECONDS: '60' }

/** The bank refuses the cv2 that is not 123. */
const service = useService(SETTINGS, {
  gateway: (port) => ({
    ...port,
    authorise(request, cv2) {
      const token = cv2.reveal() === '123' ? request.token : 'sandbox:wrong-cv2'
      return port.authorise({ ...request, token }, cv2)
    },
  }),
})

async function onlyDeposit(customerId: number) {
  const { items: deposits } = (await service.operator('GET', `/operator/v1/deposits?customerId=${customerId}`)).body
  expect(deposits).toHaveLength(1)
  return (await service.operator('GET', `/operator/v1/deposits/${deposits[0].paymentId}`)).body
}

const eventsOf = (one: { events: { event: string }[] }) => one.events.map(({ event }) => event)

test('the same key and parameters return the first result again, also a fault', async () => {
  const { ticket, method, id } = await newDepositor(service)
  const first = await deposit(service, { ticket, method, key: 'a' })
  expect(first.headers.get('idempotent-replayed')).toBeNull()
  await sweepUntil(service, id, ['CAPTURED'])
  const again = await deposit(service, { ticket, method, key: 'a', cv2: '999' })
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  expect(again.json()).toEqual(first.json())
  expect(await depositStates(service, id)).toEqual(['CAPTURED'])

  const poor = await addCard(service, { id, ticket }, { token: 'sandbox:insufficient-funds' })
  expect(paidOrFaultCode(await deposit(service, { ticket, method: poor, key: 'b' }))).toBe('24007')
  const refused = await deposit(service, { ticket, method: poor, key: 'b' })
  expect([refused.status, paidOrFaultCode(refused), refused.headers.get('idempotent-replayed')]).toEqual([
    200,
    '24007',
    'true',
  ])

  for (const change of [{ amount: '10.01' }, { method: poor }]) {
    const other = await deposit(service, { ticket, method, key: 'a', ...change })
    expect([other.status, other.json().whoFaults[0].faultName]).toEqual([200, 'Idempotency-Key'])
    expect(paidOrFaultCode(other)).toBe('10071')
  }
  for (const key of ['x'.repeat(65), 'with space', 'é']) {
    expect(paidOrFaultCode(await deposit(service, { ticket, method, key }))).toBe('10071')
  }
  expect(await depositStates(service, id)).toEqual(['CAPTURED', 'DECLINED'])
})

test.each(['', ' ', '\t '])('a blank key ("%s") counts as no key: each deposit is a new one', async (key) => {
  const { ticket, method, id } = await newDepositor(service)
  for (const amount of ['10.00', '11.00']) {
    const reply = await deposit(service, { ticket, method, key, amount })
    expect([paidOrFaultCode(reply), reply.headers.get('idempotent-replayed')]).toEqual(['paid', null])
  }
  expect(await depositStates(service, id)).toHaveLength(2)
})

test('a key belongs to one customer and one application', async () => {
  const one = await newDepositor(service)
  const other = await newDepositor(service)
  const paid = [
    await deposit(service, { ticket: one.ticket, method: one.method, key: 'same' }),
    await deposit(service, { ticket: other.ticket, method: other.method, key: 'same' }),
  ]
  expect(new Set(paid.map((reply) => reply.json().whoWallets.paymentId)).size).toBe(2)
})

test('a refusal before the gateway is called uses up neither key nor limit', async () => {
  const { ticket, method, id } = await newDepositor(service)
  expect(paidOrFaultCode(await deposit(service, { ticket, method, key: 'k', amount: '1.00' }))).toBe('24002')
  expect(paidOrFaultCode(await deposit(service, { ticket, method, key: 'k', amount: '10.00' }))).toBe('paid')
  expect(await depositStates(service, id)).toHaveLength(1)
})

test('the daily limit counts what has not failed, and ends at midnight UTC', async () => {
  const customer = await service.customer({ dailyDepositLimit: 2_500n })
  const good = await addCard(service, customer)
  const bad = await addCard(service, customer, { token: 'sandbox:decline' })
  const lost = await addCard(service, customer, { token: 'sandbox:error-after' })
  const { ticket } = customer
  expect(paidOrFaultCode(await deposit(service, { ticket, method: bad, amount: '25.00' }))).toBe('24005')
  expect(paidOrFaultCode(await deposit(service, { ticket, method: lost, amount: '25.00' }))).toBe('24005')
  expect(paidOrFaultCode(await deposit(service, { ticket, method: good, amount: '15.00' }))).toBe('paid')
  expect(paidOrFaultCode(await deposit(service, { ticket, method: good, amount: '10.01' }))).toBe('24008')
  expect(paidOrFaultCode(await deposit(service, { ticket, method: good, amount: '10.00' }))).toBe('paid')
  expect(paidOrFaultCode(await deposit(service, { ticket, method: good, amount: '5.00' }))).toBe('24008')
})

test('the limit starts again on the next day', async () => {
  const own = await startTestService(SETTINGS)
  try {
    const customer = await own.customer({ dailyDepositLimit: 1_000n })
    const method = await addCard(own, customer)
    const pay = async () => paidOrFaultCode(await deposit(own, { ticket: customer.ticket, method }))
    expect([await pay(), await pay()]).toEqual(['paid', '24008'])
    const now = own.clock.now()
    own.clock.advance(86_400_000 - (now % 86_400_000))
    const issued = await own.context.sessions?.issue(customer.id, null)
    customer.ticket = issued?.ticket ?? ''
    expect([await pay(), await pay()]).toEqual(['paid', '24008'])
  } finally {
    await own.close()
  }
})

test.for(['timeout-after', 'error-after'])('a hold without an answer (%s) is released', async (token) => {
  const { ticket, method, id } = await newDepositor(service, { token: `sandbox:${token}` })
  expect(paidOrFaultCode(await deposit(service, { ticket, method }))).toBe('24005')
  await sweepUntil(service, id, ['VOIDED'])
  const done = await onlyDeposit(id)
  expect([done.state, done.fault, eventsOf(done)]).toEqual(['VOIDED', '24005', ['begun', 'voiding', 'voided']])
  expect(await ledgerProblems(service)).toEqual([])
})

test('"not found" is final only after the grace period', async () => {
  const own = await startTestService(SETTINGS)
  try {
    own.clock.hold()
    const { ticket, method, id } = await newDepositor(own, { token: 'sandbox:timeout-before' })
    expect(paidOrFaultCode(await deposit(own, { ticket, method }))).toBe('24005')
    await sweepUntil(own, id, ['VOIDING'])
    own.clock.advance(59_000)
    await sweep(own.context)
    expect(await depositStates(own, id)).toEqual(['VOIDING'])
    own.clock.advance(61_000)
    await sweepUntil(own, id, ['VOIDED'])
  } finally {
    await own.close()
  }
})

test('an approval after the lease has expired credits nothing and is cancelled', async () => {
  const tooLate = (port: Gateway): Gateway => ({
    ...port,
    async authorise(request, cv2) {
      own.clock.advance(31_000)
      await sweepUntil(own, request.customerId, ['VOIDING'])
      return port.authorise(request, cv2)
    },
  })
  const own = await startTestService(SETTINGS, undefined, { gateway: tooLate })
  try {
    const { ticket, method, id } = await newDepositor(own)
    expect(paidOrFaultCode(await deposit(own, { ticket, method }))).toBe('24005')
    own.clock.advance(10_000)
    await sweepUntil(own, id, ['VOIDED'])
    expect(await ledgerProblems(own)).toEqual([])
  } finally {
    await own.close()
  }
})

test('a refusal that arrives after the void was decided changes nothing', async () => {
  const { ticket, method, id } = await newDepositor(service, { token: 'sandbox:timeout-before' })
  expect(paidOrFaultCode(await deposit(service, { ticket, method }))).toBe('24005')
  const { paymentId } = await onlyDeposit(id)
  const request = { reference: paymentId, amount: 1_000n, currency: 'GBP' }
  const refusal = { outcome: 'refused', fault: 'insufficientFunds', reason: '' } as const
  const stored = await service.context.database.transaction((tx) =>
    recordDecision(tx, service.context, request, refusal),
  )
  expect([stored.state, stored.fault]).toEqual(['VOIDING', 'authorisationFailed'])
  expect(eventsOf(await onlyDeposit(id))).toEqual(['begun', 'voiding'])
})

test('five wrong cv2 in a row close a method until an operator registers it again', async () => {
  const { id, ticket, method } = await newDepositor(service)
  const pay = async (cv2: string) => paidOrFaultCode(await deposit(service, { ticket, method, cv2 }))
  for (let turn = 0; turn < 5; turn++) expect(await pay('999')).toBe('24009')
  expect(await depositStates(service, id)).toHaveLength(5)
  expect(await pay('123')).toBe('24009')
  expect(await depositStates(service, id)).toHaveLength(5)
  await addCard(service, { id }, { id: method })
  expect(await pay('123')).toBe('paid')
})

test('an approval resets the count of wrong cv2', async () => {
  const { id, ticket, method } = await newDepositor(service)
  const pay = async (cv2: string) => paidOrFaultCode(await deposit(service, { ticket, method, cv2 }))
  for (let turn = 0; turn < 4; turn++) await pay('999')
  expect(await pay('123')).toBe('paid')
  for (let turn = 0; turn < 5; turn++) await pay('999')
  expect(await depositStates(service, id)).toHaveLength(10)
})

test('a removed card is no longer listed; its deposits stay', async () => {
  const { ticket, method, id } = await newDepositor(service)
  expect(paidOrFaultCode(await deposit(service, { ticket, method }))).toBe('paid')
  const path = `/operator/v1/customers/${id}/payment-methods/${method}`
  expect((await service.operator('DELETE', path)).status).toBe(204)
  expect((await service.operator('DELETE', path)).status).toBe(404)
  expect(paidOrFaultCode(await deposit(service, { ticket, method }))).toBe('24001')
  expect(await depositStates(service, id)).toHaveLength(1)
})
