// The list of a customer's own deposits: each state in one word, and why it failed.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { putCustomer } from '../../../src/identity/customers/customer.ts'
import { sandboxResult } from '../../../src/wallets/gateways/sandbox/challenges.ts'
import { changeLimit } from '../../../src/wallets/limits/limits.ts'
import { finishChallenge, makeDeposit, registerReturnAddresses } from '../../harness/challenges.ts'
import { startTestService, type TestService } from '../../harness/service.ts'
import {
  addCard,
  type Bank,
  deposit,
  depositStates,
  newDepositor,
  startBank,
  sweepUntil,
} from '../../harness/wallets.ts'

let bank: Bank
let service: TestService

beforeAll(async () => {
  bank = await startBank()
  service = await startTestService({ SANDBOX_GATEWAY_URL: bank.url })
  service.clock.hold()
  await registerReturnAddresses(service)
})
afterAll(async () => {
  await service.close()
  await bank.close()
})

const PATH = '/v1/wallets/me/deposits'

function list(ticket: string, query = '', accept = 'application/json') {
  return service.call('GET', `${PATH}${query}`, { ticket, accept })
}

async function listed(ticket: string, query = ''): Promise<Record<string, string>[]> {
  return (await list(ticket, query)).json().whoWallets.deposits
}

test('newest first, in blocks, in JSON and XML, and nobody else’s', async () => {
  const { id, ticket, method } = await newDepositor(service)
  const other = await newDepositor(service)
  await deposit(service, { ticket: other.ticket, method: other.method })
  expect((await list(ticket)).status).toBe(204)
  for (const amount of ['5.00', '6.00', '7.00']) await deposit(service, { ticket, method, amount })
  await sweepUntil(service, id, ['CAPTURED', 'CAPTURED', 'CAPTURED'])
  const all = await listed(ticket)
  expect(all.map(({ amount }) => amount)).toEqual(['7.00', '6.00', '5.00'])
  expect(all[0]).toEqual({
    paymentId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    amount: '7.00',
    currency: 'GBP',
    methodId: `${method}`,
    status: 'authorised',
    isInReview: 'N',
    createdDateTimeZoned: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*\+00:00$/),
  })
  expect(await listed(ticket, '?blockSize=2&blockNum=1')).toEqual(all.slice(2))
  expect((await list(ticket, '?blockSize=2&blockNum=2')).status).toBe(204)
  const xml = (await list(ticket, '?blockSize=1', 'application/xml')).text
  expect(xml).toContain(`<deposits><deposit><paymentId>${all[0]?.paymentId}</paymentId><amount>7.00</amount>`)
})

test('each state has its word, and each failure its code', async () => {
  const { id, ticket } = await newDepositor(service)
  const words = async () =>
    (await listed(ticket)).map(({ status, isInReview, reason = '', limitPeriod = '' }) =>
      [status, isInReview, reason, limitPeriod].join(' ').trimEnd(),
    )
  const token = async (name: string) => {
    const method = await addCard(service, { id }, { token: `sandbox:${name}` })
    return makeDeposit(service, { ticket, method })
  }
  await token('insufficient-funds')
  expect(await words()).toEqual(['refused N 24007'])
  const slow = token('slow-1000')
  await expect.poll(() => depositStates(service, id), { timeout: 60_000 }).toContain('AUTHORISING')
  expect((await words())[0]).toBe('processing N')
  await slow
  expect((await words())[0]).toBe('authorised N')
  await token('error-before')
  expect((await words())[0]).toBe('void N 24005')
  const challenged = (await token('challenge')).json().whoWallets
  expect((await words())[0]).toBe('challenge N')
  await changeLimit(service.context, id, 'week', 1_000n)
  const result = sandboxResult(challenged.paymentId, 'approve')
  await finishChallenge(service, { ticket, paymentId: challenged.paymentId, result })
  expect((await words())[0]).toBe('void N 24008 week')
})

test('what is in manual review is said to be, and whether it is in the account', async () => {
  const { id, ticket } = await newDepositor(service)
  const method = await addCard(service, { id }, { token: 'sandbox:capture-refused' })
  await deposit(service, { ticket, method })
  await sweepUntil(service, id, ['REVIEW'])
  const [inReview] = await listed(ticket)
  expect(inReview).toMatchObject({ status: 'void', isInReview: 'Y' })
  const path = `/operator/v1/deposits/${inReview?.paymentId}/resolution`
  expect((await service.operator('POST', path, { outcome: 'voided', note: 'Not paid' })).status).toBeLessThan(300)
  const [resolved] = await listed(ticket)
  expect(resolved).toMatchObject({ status: 'void', isInReview: 'N' })
  expect(resolved).not.toHaveProperty('reason')
})

test('a customer who may not deposit still reads them', async () => {
  const { id, ticket, method } = await newDepositor(service)
  await deposit(service, { ticket, method })
  await putCustomer(service.context.database, id, { verified: false }, service.context.now())
  expect(await listed(ticket)).toHaveLength(1)
})
