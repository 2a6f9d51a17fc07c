// The service is killed on the paths of refunds, withdrawals, notifications and the job settle, at one await after the other,
// and started again. Then clients, operators and the bank repeat what they did, and everything must end as if nothing had been
// killed. As crash-points.test.ts, which says what `npm test` leaves out.

import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openSandboxBank, type SandboxBank } from '../../src/wallets/gateways/sandbox/bank.ts'
import { balancesOf } from '../../src/wallets/ledger.ts'
import { applyNotification } from '../../src/wallets/notifications.ts'
import { referenceOf } from '../../src/wallets/payment-reference.ts'
import { sweep } from '../../src/wallets/sweeper.ts'
import { type Notice, toNotification } from '../harness/crash-orders.ts'
import { ended, message, startCrashing, tell } from '../harness/crash-process.ts'
import {
  call,
  callOperator,
  newTestDatabase,
  OPERATOR_TOKEN,
  startTestService,
  type TestDatabase,
  type TestService,
} from '../harness/service.ts'
import { ledgerProblems, paidOrFaultCode } from '../harness/wallets.ts'
import { rows } from '../harness/withdrawals.ts'
import { MONEY_PATHS, type MoneyPath, moneyCases, type Step } from './money-paths.ts'

const SETTINGS = {
  PORT: '0',
  OPERATOR_PORT: '0',
  SANDBOX_SEED: 'off',
  OPERATOR_TOKEN,
  WITHDRAWAL_APPROVED_UP_TO: '5.00',
}
const [SMALL, MUCH] = ['4.00', '6.00']

let testDatabase: TestDatabase
let bank: SandboxBank
/** Of the second operator. */
let secondToken = ''

/** `withdrawal`: its id, once it was answered. */
type Customer = { id: number; path: MoneyPath; ticket: string; paymentId: string; withdrawal?: string }
const customers: Customer[] = []

beforeAll(async () => {
  testDatabase = await newTestDatabase()
  bank = openSandboxBank(join(testDatabase.settings.DATA_DIR as string, 'sandbox-gateway.db'))
})
afterAll(async () => {
  bank.close()
  await testDatabase.remove()
})

// The clock is held, so that a process runs no jobs but those of its own path.
const start = (crashAt: string) =>
  startCrashing(crashAt, { ...SETTINGS, ...testDatabase.settings, ARM_BY_MESSAGE: 'yes', CLOCK_HELD: 'yes' })

type Target = { url: string; operatorUrl: string; notify(notice: Notice): Promise<unknown> }

async function targetOf(child: ChildProcess): Promise<Target> {
  const { url = '', operatorUrl = '' } = await message(child)
  return { url, operatorUrl, notify: (notice) => tell(child, { notify: notice }) }
}

/** A new customer deposits 10.00. */
async function newCustomer(child: ChildProcess, { url }: Target, path: MoneyPath): Promise<Customer> {
  const id = customers.length + 1
  const { token, isCapturedLate = false } = path
  const { ticket = '' } = await tell(child, { create: { id, token, currency: 'GBP', isCapturedLate } })
  const target = `/v1/wallets/me?transactionType=deposit&amount=10.00&id=${id}&cv2=123`
  const paid = await call(url, 'POST', target, optionsOf(ticket))
  expect(paidOrFaultCode(paid)).toBe('paid')
  const customer = { id, path, ticket, paymentId: paid.json().whoWallets.paymentId }
  customers.push(customer)
  return customer
}

const optionsOf = (ticket: string) => ({ key: 'crash-key', secret: 'crash-secret', ticket, accept: 'application/json' })

const keyOf = ({ id }: Customer) => `withdrawal-${id}`

async function withdraw({ url }: Target, customer: Customer, amount: string): Promise<void> {
  const headers = { 'idempotency-key': keyOf(customer) }
  const path = `/v1/wallets/me/withdrawals?amount=${amount}&id=${customer.id}`
  const reply = await call(url, 'POST', path, { ...optionsOf(customer.ticket), headers })
  customer.withdrawal = reply.json().whoWallets.withdrawal.id
}

function noticeOf(customer: Customer, event: string): Notice {
  const { paymentId: reference, id } = customer
  if (event === 'CHARGEBACK') {
    return { meaning: 'disputed', event, reference, of: `dispute-${reference}`, amount: '1500' }
  }
  if (event === 'PAIDOUT_REVERSED') {
    const key = { customerId: id, apiKey: 'crash-key', idempotencyKey: keyOf(customer) }
    const own = referenceOf(key, 'withdrawal')
    return { meaning: 'payoutReversed', event, reference: own, of: `sandbox-${own}`, amount: '400' }
  }
  const [refund] = bank.refundsOf(reference)
  const meaning = event === 'REFUND' ? 'refunded' : 'refundFailed'
  return { meaning, event, reference, of: `sandbox-${refund?.reference}`, amount: '400' }
}

/** Each may be repeated: it is done once. */
async function perform(target: Target, customer: Customer, step: Step): Promise<void> {
  const operate = (path: string, body?: object, token = OPERATOR_TOKEN) =>
    callOperator(target.operatorUrl, 'POST', `/operator/v1${path}`, { body, token })
  const refund = { amount: SMALL, reason: 'asked for it', returned: '0.00' }
  if (step === 'refund') await operate(`/deposits/${customer.paymentId}/refunds`, refund)
  else if (step === 'withdraw') await withdraw(target, customer, SMALL)
  else if (step === 'withdraw much') await withdraw(target, customer, MUCH)
  else if (step === 'approve') await operate(`/withdrawals/${customer.withdrawal}/approval`)
  else if (step === 'approve again')
    await operate(`/withdrawals/${customer.withdrawal}/approval`, undefined, secondToken)
  else if (step === 'refuse') await operate(`/withdrawals/${customer.withdrawal}/refusal`, { reason: 'no' })
  else await target.notify(noticeOf(customer, step.replace('tell ', '')))
}

/** Until the process has gone through all points of the path, or has ended. */
async function walk(child: ChildProcess, target: Target, path: MoneyPath): Promise<string[]> {
  const customer = await newCustomer(child, target, path)
  await tell(child, { arm: customer.paymentId })
  let points: string[] = []
  const reached = async (point: string) => {
    points = (await tell(child, {})).points ?? []
    expect(points).toContain(point)
  }
  for (const [after, step] of path.steps) {
    if (after !== null) await vi.waitFor(() => reached(after), { timeout: 60_000, interval: 10 })
    await perform(target, customer, step)
  }
  await vi.waitFor(() => reached(path.points.at(-1) as string), { timeout: 60_000, interval: 10 })
  return points
}

describe('without interruption, by one process', () => {
  let child: ChildProcess
  let target: Target

  beforeAll(async () => {
    child = start('nowhere')
    target = await targetOf(child)
    const second = { body: { name: 'a second operator', role: 'admin' } }
    secondToken = (await callOperator(target.operatorUrl, 'POST', '/operator/v1/tokens', second)).body.token
  })

  // Its sweeper would find what those that are killed below leave.
  afterAll(async () => {
    child.send({ stop: true })
    await ended(child)
  })

  test.for(Object.entries(MONEY_PATHS))('%s: the listed points are those that the path reaches', async ([, path]) => {
    expect(await walk(child, target, path)).toEqual(path.points)
  })
})

test.for(moneyCases)('$path, killed $point', async ({ path, point }) => {
  const child = start(point)
  const walking = walk(child, await targetOf(child), MONEY_PATHS[path] as MoneyPath)
  // Whatever it waits for ends with the process.
  walking.catch(() => {})
  expect(await ended(child)).toBe('SIGKILL')
})

const UNFINISHED = `
  select 'deposit ' || id as name from deposit where state not in ('CAPTURED', 'DECLINED', 'VOIDED')
  union all select 'refund ' || id from refund where state not in ('DONE', 'FAILED')
  union all select 'withdrawal ' || id from withdrawal where state not in ('PAID', 'RETURNED', 'REFUSED')
  union all select 'job ' || id from job`

const nameOf = ({ path }: Customer) => Object.keys(MONEY_PATHS).find((name) => MONEY_PATHS[name] === path)

async function hasRefund(service: TestService, { paymentId }: Customer): Promise<boolean> {
  return (await rows(service, `select id from refund where deposit_id = '${paymentId}'`)).length > 0
}

async function endOf(service: TestService, { id, paymentId }: Customer) {
  const own = await rows(service, `select reference from withdrawal where customer_id = ${id}`)
  const paid = bank.payouts().filter(({ state }) => state === 'paid')
  return {
    ...(await balancesOf(service.context.database, id, 'GBP')),
    refunded: bank.refundsOf(paymentId).length,
    paidOut: paid.filter(({ reference }) => own.some((one) => one.reference === reference)).length,
  }
}

test('after all crashes everything ends as if nothing had been killed', async () => {
  const service = await startTestService(SETTINGS, testDatabase)
  const { context, publicUrl, operatorUrl } = service
  const notify = (notice: Notice) => applyNotification(context, 'sandbox', toNotification(notice))
  const target = { url: publicUrl, operatorUrl, notify }
  try {
    const pass = async () => {
      service.clock.advance(400_000)
      await sweep(context)
    }
    // Between two steps of a path, what the first began ends.
    for (const round of [0, 1, 2]) {
      await pass()
      for (const customer of customers) {
        const step = customer.path.steps[round]
        // An operator looks whether there is a refund before requesting it again.
        const isStored = step?.[1] === 'refund' && (await hasRefund(service, customer))
        if (step !== undefined && !isStored) await perform(target, customer, step[1])
      }
    }
    const unfinished = async () => {
      await pass()
      return rows(service, UNFINISHED)
    }
    await expect.poll(unfinished, { timeout: 60_000 }).toEqual([])
    for (const customer of customers) {
      const { balance, debt = 0n, refunded = 0, paidOut = 0 } = customer.path
      const seen = await endOf(service, customer)
      expect({ path: nameOf(customer), ...seen }).toEqual({ path: nameOf(customer), balance, debt, refunded, paidOut })
    }
    expect(customers).toHaveLength(Object.keys(MONEY_PATHS).length + moneyCases.length)
    expect(await ledgerProblems(service)).toEqual([])
  } finally {
    await service.close()
  }
})
