// The service is killed on the paths of refunds, withdrawals, notifications, reviews and cards, at one await after the other,
// and started again. Then clients, operators and the bank repeat what they did, and everything must end as if nothing had been
// killed. As crash-points.test.ts, which says what `npm test` leaves out.

import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { balancesOf } from '../../src/wallets/account/ledger.ts'
import { openSandboxBank, type SandboxBank } from '../../src/wallets/gateways/sandbox/bank.ts'
import { applyNotification } from '../../src/wallets/notifications/notifications.ts'
import { sweep } from '../../src/wallets/sweep/sweeper.ts'
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
import { MONEY_PATHS, type MoneyPath, moneyCases, moneyPoints } from './money-paths.ts'
import { type Customer, optionsOf, perform, type Target } from './money-steps.ts'

const SETTINGS = {
  PORT: '0',
  OPERATOR_PORT: '0',
  SANDBOX_SEED: 'off',
  OPERATOR_TOKEN,
  WITHDRAWAL_APPROVED_UP_TO: '5.00',
  REFUND_FOUR_EYES_ABOVE: '5.00',
  RESOLUTION_FOUR_EYES_ABOVE: '1.00',
  PAYOUT_DELAY_HOURS: '1',
}
let testDatabase: TestDatabase
let bank: SandboxBank
/** Of the second person. */
let secondToken = ''
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

async function targetOf(child: ChildProcess): Promise<Target> {
  const { url = '', operatorUrl = '' } = await message(child)
  return { url, operatorUrl, secondToken, notify: (notice) => tell(child, { notify: notice }) }
}

/** A new customer deposits 10.00. */
async function newCustomer(child: ChildProcess, target: Target, path: MoneyPath): Promise<Customer> {
  const id = customers.length + 1
  const { token, isCapturedLate = false, isNewCard = false } = path
  const { ticket = '' } = await tell(child, { create: { id, token, currency: 'GBP', isCapturedLate, isNewCard } })
  const form = `/v1/wallets/me?transactionType=deposit&amount=10.00&id=${id}&cv2=123`
  const paid = await call(target.url, 'POST', form, optionsOf(ticket))
  expect(paidOrFaultCode(paid)).toBe('paid')
  const customer = { id, path, ticket, paymentId: paid.json().whoWallets.paymentId }
  customers.push(customer)
  return customer
}

const BEFORE = {
  'only winnings': ['winnings', '10.00'],
  won: ['winnings', '10.00'],
  spent: ['stake', '6.00'],
} as const

/** What happened before the path, once the deposit was captured. */
async function prepare({ operatorUrl, notify }: Target, { id, path, paymentId }: Customer): Promise<void> {
  if (path.before === undefined) return
  const [kind, amount] = BEFORE[path.before]
  const body = { reference: `before-${id}`, customerId: `${id}`, kind, amount }
  const moved = await callOperator(operatorUrl, 'POST', '/operator/v1/movements', { body })
  expect([200, 201]).toContain(moved.status)
  if (path.before !== 'only winnings') return
  await notify({ meaning: 'refunded', event: 'REFUND', reference: paymentId, of: `before-${id}`, amount: '1000' })
}

const lookAt = (child: ChildProcess) => async () => (await tell(child, {})).points ?? []

/** Until the last step of the path is done, or the process has ended. */
async function walk(child: ChildProcess, target: Target, path: MoneyPath): Promise<void> {
  const customer = await newCustomer(child, target, path)
  if (path.before !== undefined) await untilCaptured(target, customer)
  await prepare(target, customer)
  await tell(child, { arm: customer.paymentId })
  const reached = async (point: string) => expect(await lookAt(child)()).toContain(point)
  for (const [after, step] of path.steps) {
    if (after !== null) await vi.waitFor(() => reached(after), { timeout: 60_000, interval: 10 })
    await perform(target, customer, step)
  }
}

async function untilCaptured({ operatorUrl }: Target, { paymentId }: Customer): Promise<void> {
  const captured = async () => {
    const { body } = await callOperator(operatorUrl, 'GET', `/operator/v1/deposits/${paymentId}`)
    expect(body.state).toBe('CAPTURED')
  }
  await vi.waitFor(captured, { timeout: 60_000, interval: 10 })
}

describe('without interruption, by one process', () => {
  let child: ChildProcess
  let target: Target

  beforeAll(async () => {
    child = start('nowhere')
    target = await targetOf(child)
    const second = { body: { name: 'a second operator', owner: 'second', role: 'admin' } }
    secondToken = (await callOperator(target.operatorUrl, 'POST', '/operator/v1/tokens', second)).body.token
    target = { ...target, secondToken }
  })

  // Its sweeper would find what those that are killed below leave.
  afterAll(async () => {
    child.send({ stop: true })
    await ended(child)
    moneyPoints.update(Object.keys(MONEY_PATHS))
  })

  test.for(Object.entries(MONEY_PATHS))(
    '%s: the listed points are those that the path reaches',
    async ([name, path]) => {
      await walk(child, target, path)
      await moneyPoints.compare(name, lookAt(child))
    },
  )
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
  union all select 'part ' || id from withdrawal_part where state not in ('PAID', 'RETURNED')
  union all select 'notification ' || id from gateway_notification where outcome = 'failed'
  union all select 'proposal ' || subject from money_proposal
  union all select 'job ' || id from job`

const nameOf = ({ path }: Customer) => Object.keys(MONEY_PATHS).find((name) => MONEY_PATHS[name] === path)

async function endOf(service: TestService, { id, paymentId }: Customer) {
  const own = await rows(service, `select reference from withdrawal_part where customer_id = ${id}`)
  const paid = bank.payouts().filter(({ state }) => state === 'paid')
  return {
    ...(await balancesOf(service.context.database, id, 'GBP')),
    refunded: bank.refundsOf(paymentId).length,
    paidOut: paid.filter(({ reference }) => own.some((one) => one.reference === reference)).length,
  }
}

const ROUNDS = Math.max(...Object.values(MONEY_PATHS).map(({ steps }) => steps.length))

test('after all crashes everything ends as if nothing had been killed', async () => {
  const service = await startTestService(SETTINGS, testDatabase)
  const { context, publicUrl, operatorUrl } = service
  const notify = (notice: Notice) => applyNotification(context, 'sandbox', toNotification(notice))
  const target = { url: publicUrl, operatorUrl, secondToken, notify }
  try {
    // Longer than payouts to a new card wait.
    const pass = async () => {
      service.clock.advance(4_000_000)
      await sweep(context)
    }
    // Between two steps of a path, what the first began ends.
    await pass()
    for (const customer of customers) await prepare(target, customer)
    for (let round = 0; round < ROUNDS; round++) {
      await pass()
      for (const customer of customers) {
        const step = customer.path.steps[round]
        if (step !== undefined) await perform(target, customer, step[1])
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
    // A test that is tried again has another customer.
    expect(customers.length).toBeGreaterThanOrEqual(Object.keys(MONEY_PATHS).length + moneyCases.length)
    expect(await ledgerProblems(service)).toEqual([])
  } finally {
    await service.close()
  }
})
