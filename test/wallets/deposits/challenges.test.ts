// Deposits with 3-D Secure and the sandbox's bank.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isoTime } from '../../../src/platform/runtime/iso-time.ts'
import { balanceOf } from '../../../src/wallets/account/ledger.ts'
import { beginVoid } from '../../../src/wallets/deposits/transitions.ts'
import { sandboxResult } from '../../../src/wallets/gateways/sandbox/challenges.ts'
import { claimJobs } from '../../../src/wallets/sweep/store.ts'
import { sweep } from '../../../src/wallets/sweep/sweeper.ts'
import {
  cancelChallenge,
  challengedDepositor,
  finishChallenge,
  makeDeposit,
  RETURN_URL,
  readDeposit,
  registerReturnAddresses,
} from '../../harness/challenges.ts'
import { KEY, newTestDatabase, startTestService, type TestService } from '../../harness/service.ts'
import {
  type Bank,
  deposit,
  depositStates,
  ledgerProblems,
  newDepositor,
  paidOrFaultCode,
  startBank,
  sweepUntil,
} from '../../harness/wallets.ts'

let bank: Bank
let service: TestService

beforeAll(async () => {
  bank = await startBank()
  service = await startTestService({ SANDBOX_GATEWAY_URL: bank.url })
  // So that a lease ends when a test wants it to.
  service.clock.hold()
  await registerReturnAddresses(service)
})
afterAll(async () => {
  await service.close()
  await bank.close()
})

const LEASE_MS = 600_000
const answerOf = (reply: { json(): { whoWallets?: unknown } }) => reply.json().whoWallets as Record<string, string>

async function atBank(paymentId: string) {
  return (await bank.payments()).find(({ reference }) => reference === paymentId)?.state
}

test('a frictionless card is authorised at once', async () => {
  const { id, ticket, method } = await newDepositor(service, { token: 'sandbox:frictionless' })
  const reply = await makeDeposit(service, { ticket, method })
  expect(answerOf(reply)).toEqual({
    paymentId: expect.any(String),
    paymentDateTime: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
    status: 'authorised',
  })
  await sweepUntil(service, id, ['CAPTURED'])
  expect(answerOf(await readDeposit(service, ticket, answerOf(reply).paymentId ?? ''))).toEqual(answerOf(reply))
})

test('a challenge says where the browser goes, in JSON and XML, also to a browser that lost its page', async () => {
  const { id, ticket, method } = await newDepositor(service, { token: 'sandbox:challenge' })
  const reply = await makeDeposit(service, { ticket, method, idempotencyKey: 'k1' })
  const { paymentId = '' } = answerOf(reply)
  const url = `${service.publicUrl}/sandbox/issuer/${paymentId}`
  const expected = {
    paymentId,
    paymentDateTime: expect.any(String),
    status: 'challenge',
    action: { type: 'redirect', url, method: 'GET', data: [] },
    challengeUntilDateTimeZoned: isoTime(service.clock.now() + LEASE_MS).replace('Z', '+00:00'),
  }
  expect(answerOf(reply)).toEqual(expected)
  expect(await depositStates(service, id)).toEqual(['CHALLENGE'])
  expect(answerOf(await readDeposit(service, ticket, paymentId))).toEqual(expected)
  const again = await makeDeposit(service, { ticket, method, idempotencyKey: 'k1' })
  expect(answerOf(again)).toEqual(expected)
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  const xml = await readDeposit(service, ticket, paymentId, 'application/xml')
  expect(xml.text).toContain(
    `<status>challenge</status><action><type>redirect</type><url>${url}</url><method>GET</method><data></data></action>`,
  )
  await finishChallenge(service, { ticket, paymentId, result: sandboxResult(paymentId, 'refuse') })
})

test('an approved challenge is credited and captured once, and answers the same again', async () => {
  const { id, ticket, paymentId } = await challengedDepositor(service)
  const result = sandboxResult(paymentId, 'approve')
  const replies = await Promise.all([1, 2, 3].map(() => finishChallenge(service, { ticket, paymentId, result })))
  expect(replies.map((reply) => answerOf(reply).status)).toEqual(['authorised', 'authorised', 'authorised'])
  await sweepUntil(service, id, ['CAPTURED'])
  expect(answerOf(await finishChallenge(service, { ticket, paymentId, result })).status).toBe('authorised')
  expect(await balanceOf(service.context.database, id, 'GBP')).toBe(1000n)
  expect(await ledgerProblems(service)).toEqual([])
})

test('a refused challenge is 24005, and its state refused', async () => {
  const { id, ticket, paymentId } = await challengedDepositor(service)
  const result = sandboxResult(paymentId, 'refuse')
  expect(paidOrFaultCode(await finishChallenge(service, { ticket, paymentId, result }))).toBe('24005')
  expect(await depositStates(service, id)).toEqual(['DECLINED'])
  expect(answerOf(await readDeposit(service, ticket, paymentId)).status).toBe('refused')
  // The issuer changed its mind: nothing is credited, and nothing stays held.
  const approved = sandboxResult(paymentId, 'approve')
  expect(paidOrFaultCode(await finishChallenge(service, { ticket, paymentId, result: approved }))).toBe('24005')
  expect(await balanceOf(service.context.database, id, 'GBP')).toBe(0n)
})

test('a challenge holds the guard and the limit of the day, and needs no cv2 later', async () => {
  const { id, ticket, method, paymentId } = await challengedDepositor(service)
  expect(paidOrFaultCode(await deposit(service, { ticket, method }))).toBe('24011')
  expect(paidOrFaultCode(await makeDeposit(service, { ticket, method }))).toBe('24011')
  const summary = (await service.operator('GET', `/operator/v1/customers/${id}`)).body
  expect(JSON.stringify(summary)).toContain('"depositedToday":"10.00"')
  const result = sandboxResult(paymentId, 'approve')
  expect(answerOf(await finishChallenge(service, { ticket, paymentId, result })).status).toBe('authorised')
})

test('an abandoned challenge is voided after its lease, and nothing stays held', async () => {
  const { id, ticket, paymentId } = await challengedDepositor(service)
  service.clock.advance(LEASE_MS - 1)
  await sweep(service.context)
  expect(await depositStates(service, id)).toEqual(['CHALLENGE'])
  service.clock.advance(1)
  await sweepUntil(service, id, ['VOIDED'])
  expect(answerOf(await readDeposit(service, ticket, paymentId)).status).toBe('void')
  const late = { ticket, paymentId, result: sandboxResult(paymentId, 'approve') }
  expect(paidOrFaultCode(await finishChallenge(service, late))).toBe('24005')
  expect(await atBank(paymentId)).toBe('cancelled')
  expect(await balanceOf(service.context.database, id, 'GBP')).toBe(0n)
})

test('a customer who gives a challenge up can deposit again at once, and nothing stays held', async () => {
  const { id, ticket, method, paymentId } = await challengedDepositor(service)
  const cancelled = await Promise.all([1, 2].map(() => cancelChallenge(service, { ticket, paymentId })))
  expect(cancelled.map((reply) => answerOf(reply).status)).toEqual(['void', 'void'])
  const late = { ticket, paymentId, result: sandboxResult(paymentId, 'approve') }
  expect(paidOrFaultCode(await finishChallenge(service, late))).toBe('24005')
  const next = answerOf(await makeDeposit(service, { ticket, method }))
  expect(next.status).toBe('challenge')
  // A decided one stays what it is.
  const paid = { ticket, paymentId: next.paymentId ?? '', result: sandboxResult(next.paymentId ?? '', 'approve') }
  expect(answerOf(await finishChallenge(service, paid)).status).toBe('authorised')
  expect(answerOf(await cancelChallenge(service, paid)).status).toBe('authorised')
  service.clock.advance(service.context.config.wallets.voidGraceMs)
  await sweepUntil(service, id, ['VOIDED', 'CAPTURED'])
  expect(await atBank(paymentId)).toBe('cancelled')
  expect(await balanceOf(service.context.database, id, 'GBP')).toBe(1000n)
  expect(await ledgerProblems(service)).toEqual([])
})

test('given up and approved at the same time: one of them, whole', async () => {
  for (let round = 0; round < 5; round++) {
    const { id, ticket, paymentId } = await challengedDepositor(service)
    const result = sandboxResult(paymentId, 'approve')
    const replies = await Promise.all([
      finishChallenge(service, { ticket, paymentId, result }),
      cancelChallenge(service, { ticket, paymentId }),
    ])
    const isPaid = paidOrFaultCode(replies[0]) === 'paid'
    expect(answerOf(await readDeposit(service, ticket, paymentId)).status).toBe(isPaid ? 'authorised' : 'void')
    service.clock.advance(service.context.config.wallets.voidGraceMs)
    await sweepUntil(service, id, [isPaid ? 'CAPTURED' : 'VOIDED'])
    expect(await balanceOf(service.context.database, id, 'GBP')).toBe(isPaid ? 1000n : 0n)
  }
  expect(await ledgerProblems(service)).toEqual([])
})

test('an issuer that approves after the lease is cancelled again', async () => {
  const { id, ticket, paymentId } = await challengedDepositor(service, 'sandbox:challenge-late')
  const result = sandboxResult(paymentId, 'approve')
  expect(paidOrFaultCode(await finishChallenge(service, { ticket, paymentId, result }))).toBe('24011')
  expect(await depositStates(service, id)).toEqual(['CHALLENGE'])
  service.clock.advance(LEASE_MS)
  await sweep(service.context)
  expect(await depositStates(service, id)).toEqual(['VOIDING'])
  await expect.poll(() => atBank(paymentId)).toBe('held')
  service.clock.advance(2_000)
  await sweepUntil(service, id, ['VOIDED'])
  expect(await atBank(paymentId)).toBe('cancelled')
})

test('an issuer that approves after the first cancel is cancelled again, although that cancel came late', async () => {
  const { id, paymentId } = await challengedDepositor(service, 'sandbox:challenge-late')
  service.clock.advance(LEASE_MS)
  // The process ends between the void and its cancel, and comes back after the grace.
  const { database, now, config } = service.context
  const over = { fault: 'authorisationFailed', reason: 'the lease is over', gatewayReference: null } as const
  await database.transaction((tx) => beginVoid(tx, paymentId, over, now()))
  service.clock.advance(config.wallets.voidGraceMs)
  await sweep(service.context)
  await expect.poll(() => atBank(paymentId)).toBe('held')
  service.clock.advance(2_000)
  await sweepUntil(service, id, ['VOIDED'])
  expect(await atBank(paymentId)).toBe('cancelled')
})

test('a cancel that a killed process had claimed and not sent is not the first one', async () => {
  const { id, paymentId } = await challengedDepositor(service, 'sandbox:challenge-late')
  service.clock.advance(LEASE_MS)
  const { database, now, config } = service.context
  const over = { fault: 'authorisationFailed', reason: 'the lease is over', gatewayReference: null } as const
  await database.transaction((tx) => beginVoid(tx, paymentId, over, now()))
  await database.query(claimJobs, { now: now(), until: now() + 1 })
  service.clock.advance(config.wallets.voidGraceMs)
  await sweep(service.context)
  await expect.poll(() => atBank(paymentId)).toBe('held')
  service.clock.advance(2_000)
  await sweepUntil(service, id, ['VOIDED'])
  expect(await atBank(paymentId)).toBe('cancelled')
})

test('a time-out voids a deposit that waits for the issuer', async () => {
  const { id, ticket, paymentId } = await challengedDepositor(service)
  expect((await service.call('PUT', '/v1/wallets/me/time-out?hours=24', { ticket })).status).toBe(200)
  expect(await depositStates(service, id)).toEqual(['VOIDING'])
  service.clock.advance(service.context.config.wallets.voidGraceMs)
  await sweep(service.context)
  service.clock.advance(2_000)
  await sweepUntil(service, id, ['VOIDED'])
  expect(await atBank(paymentId)).not.toBe('held')
  expect(await balanceOf(service.context.database, id, 'GBP')).toBe(0n)
})

test('a lease that is over voids no challenge that began meanwhile', async () => {
  const { id, paymentId } = await challengedDepositor(service)
  const expired = {
    fault: 'authorisationFailed',
    reason: 'the lease is over',
    gatewayReference: null,
    lease: 1,
  } as const
  const { database, now } = service.context
  expect(await database.transaction((tx) => beginVoid(tx, paymentId, expired, now()))).toBeUndefined()
  expect(await depositStates(service, id)).toEqual(['CHALLENGE'])
})

test('another customer neither reads nor finishes a challenge', async () => {
  const { paymentId } = await challengedDepositor(service)
  const { ticket } = await service.customer()
  const result = sandboxResult(paymentId, 'approve')
  for (const reply of [
    await readDeposit(service, ticket, paymentId),
    await finishChallenge(service, { ticket, paymentId, result }),
    await cancelChallenge(service, { ticket, paymentId }),
  ]) {
    expect(reply.status).toBe(200)
    expect(reply.json().whoFaults[0]).toMatchObject({ faultCode: '10071', faultName: 'paymentId' })
  }
  expect(await atBank(paymentId)).toBeUndefined()
})

test('a result of another payment is refused, and decides nothing', async () => {
  const one = await challengedDepositor(service)
  const other = await challengedDepositor(service)
  const reply = await finishChallenge(service, { ...one, result: sandboxResult(other.paymentId, 'approve') })
  expect(reply.json().whoFaults[0]).toMatchObject({ faultCode: '10071', faultName: 'redirectResult' })
  expect(await depositStates(service, one.id)).toEqual(['CHALLENGE'])
})

test('makeTransaction cancels what an issuer wants to challenge', async () => {
  const { id, ticket, method } = await newDepositor(service, { token: 'sandbox:challenge' })
  expect(paidOrFaultCode(await deposit(service, { ticket, method }))).toBe('24005')
  expect(await depositStates(service, id)).toEqual(['VOIDING'])
})

test('a customer who is banned during the challenge is not credited', async () => {
  const { id, ticket, paymentId } = await challengedDepositor(service)
  const changed = await service.operator('PUT', `/operator/v1/customers/${id}`, { status: 'self-excluded' })
  expect([200, 201]).toContain(changed.status)
  const { database } = service.context
  const result = sandboxResult(paymentId, 'approve')
  const reply = await finishChallenge(service, { ticket, paymentId, result })
  // Their session is over within seconds; until then the rule answers.
  if (reply.status === 200) expect(paidOrFaultCode(reply)).toBe('24004')
  expect(await balanceOf(database, id, 'GBP')).toBe(0n)
})

describe('return addresses', () => {
  test.each([
    ['https://shop.example/cashier', true],
    ['https://shop.example/cashier/', true],
    ['https://shop.example/cashier/back?order=7', true],
    ['https://SHOP.example/cashier', true],
    ['https://shop.example/cashier/caf%C3%A9', true],
    ['https://shop.example/other/../cashier', false],
    ['https://shop.example/cashier/./back', false],
    ['https://shop.example/cashier/..%2fadmin', false],
    ['https://shop.example/cashier/%2F..%2Fadmin', false],
    ['https://shop.example/cashier/..%5cadmin', false],
    ['https://shop.example/cashier/..\\admin', false],
    ['https://shop.example/%63ashier', false],
    ['http://localhost:3000/done', true],
    ['https://shop.example/', false],
    ['https://shop.example/cashier-copy', false],
    ['https://shop.example/cashier/../admin', false],
    ['https://shop.example/cashier/%2e%2e/admin', false],
    ['https://shop.example.evil.com/cashier', false],
    ['https://shop.example@evil.com/cashier', false],
    ['https://evil@shop.example/cashier', false],
    ['https://shop.example:8443/cashier', false],
    ['http://shop.example/cashier', false],
    ['http://localhost.evil.com/done', false],
    ['https://shop.example/cashier#part', false],
    ['javascript:alert(1)', false],
    ['//shop.example/cashier', false],
    ['shop.example/cashier', false],
  ])('%s: allowed is %s', async (returnUrl, allowed) => {
    const { ticket, method } = await newDepositor(service, { token: 'sandbox:frictionless' })
    const reply = await makeDeposit(service, { ticket, method, returnUrl })
    if (allowed) expect(answerOf(reply).status).toBe('authorised')
    else expect(reply.json().whoFaults[0]).toMatchObject({ faultCode: '10071', faultName: 'returnUrl' })
  })

  test('one of another application does not count', async () => {
    const created = (await service.operator('POST', '/operator/v1/applications', { name: 'Other' })).body
    const { ticket, method } = await newDepositor(service, { token: 'sandbox:frictionless' })
    const credentials = { key: created.apiKey, secret: created.secret }
    const reply = await makeDeposit(service, { ticket, method, ...credentials, returnUrl: RETURN_URL })
    expect(reply.json().whoFaults[0]).toMatchObject({ faultCode: '10071', faultName: 'returnUrl' })
  })

  test.each(['http://shop.example/', 'https://u:p@shop.example/', 'https://shop.example/#a', 'nothing'])(
    'an operator cannot register %s',
    async (address) => {
      const path = `/operator/v1/applications/${KEY}/return-addresses`
      const reply = await service.operator('PUT', path, { returnAddresses: ['https://fine.example/', address] })
      expect(reply.status).toBe(422)
      expect(JSON.stringify(reply.body)).toContain('/returnAddresses/1')
    },
  )
})

test('a challenge survives a restart of the service', async () => {
  const testDatabase = await newTestDatabase()
  const first = await startTestService({ SANDBOX_GATEWAY_URL: bank.url }, testDatabase)
  await registerReturnAddresses(first)
  const { id, ticket, paymentId } = await challengedDepositor(first)
  await first.close()
  const next = await startTestService({ SANDBOX_GATEWAY_URL: bank.url }, testDatabase)
  expect(await depositStates(next, id)).toEqual(['CHALLENGE'])
  const result = sandboxResult(paymentId, 'approve')
  expect(answerOf(await finishChallenge(next, { ticket, paymentId, result })).status).toBe('authorised')
  await next.close()
  await testDatabase.remove()
})
