// The service in a process of its own that kills itself (SIGKILL) at one named point of the path of a deposit, a refund, a
// withdrawal or a notification. Every call of the path goes through a port, so the points are found by counting calls: nothing in
// the service knows of them.

import { replaceReturnAddresses } from '../../src/identity/applications/store.ts'
import { putCustomer } from '../../src/identity/customers/customer.ts'
import { readConfig } from '../../src/platform/config/config.ts'
import type { Database } from '../../src/platform/database/database.ts'
import { createLog } from '../../src/platform/observability/log.ts'
import { DAY_MS } from '../../src/platform/runtime/durations.ts'
import { startService } from '../../src/service.ts'
import * as ledgerStatements from '../../src/wallets/account/ledger-store.ts'
import { registerMethod } from '../../src/wallets/cards/register.ts'
import * as cardStatements from '../../src/wallets/cards/store.ts'
import * as challengeStatements from '../../src/wallets/deposits/challenge-store.ts'
import * as factStatements from '../../src/wallets/deposits/facts-store.ts'
import * as depositStatements from '../../src/wallets/deposits/store.ts'
import * as disputeStatements from '../../src/wallets/disputes/store.ts'
import type { Gateway } from '../../src/wallets/gateways/gateway.ts'
import * as jobStatements from '../../src/wallets/jobs/store.ts'
import * as depositorStatements from '../../src/wallets/limits/deposit-facts-store.ts'
import { applyNotification } from '../../src/wallets/notifications/notifications.ts'
import * as notificationStatements from '../../src/wallets/notifications/store.ts'
import * as proposalStatements from '../../src/wallets/proposals-store.ts'
import * as refundStatements from '../../src/wallets/refunds/store.ts'
import * as reviewStatements from '../../src/wallets/reviews/store.ts'
import * as sweepStatements from '../../src/wallets/sweep/store.ts'
import * as partStatements from '../../src/wallets/withdrawals/part-store.ts'
import * as withdrawalStatements from '../../src/wallets/withdrawals/store.ts'
import { type CrashMessage, type CrashOrder, type Depositor, toNotification } from './crash-orders.ts'

/** The path of a deposit begins with this statement; others begin with a message. */
const FIRST = process.env.ARM_BY_MESSAGE === undefined ? 'lockDepositor' : undefined
const modules = [
  ...[depositorStatements, factStatements, depositStatements, challengeStatements, cardStatements, jobStatements],
  ...[ledgerStatements, refundStatements, disputeStatements, withdrawalStatements, partStatements],
  ...[notificationStatements, proposalStatements, reviewStatements, sweepStatements],
]
/** Reads of the sweeper and of challenges, which begin something where they find it. Others leave nothing behind. */
const READS = ['expiredDeposits', 'firstDueJob', 'depositWithChallenge']
const pathStatements = new Set(
  modules
    .flatMap((module) => Object.values(module).flatMap((one) => (typeof one === 'object' && 'sql' in one ? [one] : [])))
    .filter(({ name, access }) => access !== 'reads' || READS.includes(name))
    .map(({ name }) => name),
)

const startsArmed = process.env.ARMED !== undefined && process.env.ARMED !== ''
let armed = startsArmed
const seen = new Map<string, number>()
const points: string[] = []
const openTransactions = new Set<Promise<unknown>>()
const excludedMeanwhile = new Set<number>()
/** Where the gateway is to capture the customer's deposit only after the bank has told something about it. */
let heldCapture: { id: number; begun: PromiseWithResolvers<void>; allowed: PromiseWithResolvers<void> } | undefined

/** A point is a name and how often it was reached since the path began. */
function reach(name: string): void {
  if (!armed) return
  const times = (seen.get(name) ?? 0) + 1
  seen.set(name, times)
  const point = `${name} #${times}`
  points.push(point)
  if (point === process.env.CRASH_AT) process.kill(process.pid, 'SIGKILL')
}

/** For the next path of this process. */
function forgetPoints(): void {
  armed = startsArmed
  seen.clear()
  points.length = 0
}

/** `called`: within a transaction, runs for each statement of the path. */
function observed(port: Database, called?: () => void): Database {
  const watch = async <T>(statement: { name: string }, work: () => T | Promise<T>): Promise<T> => {
    if (statement.name === FIRST) {
      armed = true
      reach('before the deposit')
    }
    const result = await work()
    // The sweeper's own queries, outside transactions, are points only if they find something.
    const isIdle = called === undefined && Array.isArray(result) && result.length === 0
    if (pathStatements.has(statement.name) && !isIdle) {
      // The sweeper can read a job before its request hears of the commit: it waits, so that the points have one order.
      if (called === undefined) await Promise.allSettled(openTransactions)
      called?.()
      reach(`after ${statement.name}`)
    }
    return result
  }
  return {
    ...port,
    query: (statement, parameters) => watch(statement, () => port.query(statement, parameters)),
    one: (statement, parameters) => watch(statement, () => port.one(statement, parameters)),
    run: (statement, parameters) => watch(statement, () => port.run(statement, parameters)),
    async transaction(work) {
      let counted = false
      const observedWork: typeof work = (tx) =>
        work(
          observed(tx, () => {
            counted = true
          }),
        )
      const committed = port.transaction(observedWork).then((result) => {
        if (counted) reach('after commit')
        return result
      })
      openTransactions.add(committed)
      try {
        return await committed
      } finally {
        openTransactions.delete(committed)
      }
    },
  }
}

/** What processes that were killed have left is captured at once. */
async function untilAllowed(paymentId: string): Promise<void> {
  const held = heldCapture
  if (held === undefined) return
  const deposit = await context.database.one(depositStatements.depositById, { id: paymentId })
  if (deposit?.customer_id !== held.id) return
  held.begun.resolve()
  await held.allowed.promise
}

function observedGateway(port: Gateway): Gateway {
  const around = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    reach(`before ${name}`)
    const result = await work()
    reach(`after ${name}`)
    return result
  }
  return {
    ...port,
    authorise: (request, cv2) =>
      around('authorise', async () => {
        if (excludedMeanwhile.has(request.customerId)) {
          await putCustomer(context.database, request.customerId, { status: 'self-excluded' }, Date.now())
        }
        return port.authorise(request, cv2)
      }),
    finishChallenge: (payment, result) => around('finishChallenge', () => port.finishChallenge(payment, result)),
    capture: (payment) =>
      around('capture', async () => {
        await untilAllowed(payment.reference)
        return port.capture(payment)
      }),
    cancel: (payment) => around('cancel', () => port.cancel(payment)),
    refund: (payment, refund) => around('refund', () => port.refund(payment, refund)),
    payout: (request) => around('payout', () => port.payout(request)),
    lookUpPayout: (request) => around('lookUpPayout', () => port.lookUpPayout(request)),
  }
}

const started = Date.now()
const service = await startService(readConfig(process.env), {
  log: createLog('silent', () => {}, 0),
  // With the clock ahead, leases of others expire sooner. With a clock that is held, what is postponed stays so.
  now: () => (process.env.CLOCK_HELD === undefined ? Date.now() : started) + Number(process.env.CLOCK_AHEAD_MS ?? 0),
  sweepEveryMs: 20,
  observePorts: { database: (port) => observed(port), gateway: observedGateway },
})
const { context } = service
if ((await context.applications.find('crash-key')) === undefined) {
  const fixed = { apiKey: 'crash-key', secret: 'crash-secret' }
  await context.applications.create({ name: 'Crash', perSecond: null, perMinute: null, fixed })
  const addresses = JSON.stringify(['https://shop.example/'])
  await context.database.run(replaceReturnAddresses, { apiKey: fixed.apiKey, addresses })
}

/** The name of customers and of the holders of their cards, so that these take payouts. */
const NAME = { firstName: 'Cara', lastName: 'Crash' }

/** Creates a customer with a card of this token and returns a ticket, which lives longer than a busy machine takes. */
async function createDepositor({
  id,
  token,
  currency,
  excluded,
  isCapturedLate,
  isNewCard,
}: Depositor): Promise<string> {
  if (excluded) excludedMeanwhile.add(id)
  heldCapture = isCapturedLate
    ? { id, begun: Promise.withResolvers<void>(), allowed: Promise.withResolvers<void>() }
    : undefined
  await putCustomer(context.database, id, { currency, ...NAME }, Date.now())
  const method = {
    type: 'CARD',
    token,
    min_deposit: 500n,
    max_deposit: 100_000n,
    card_number: '411111******1111',
    issue_date: null,
    expiry_date: '12/49',
    country: 'GB',
    scheme: 'VISA',
    funding: 'debit' as const,
    first_name: NAME.firstName,
    last_name: NAME.lastName,
  }
  const registeredAt = isNewCard ? Date.now() : Date.now() - DAY_MS
  await registerMethod(context.database, { id, customerId: id }, method, registeredAt)
  return (await context.sessions?.issue(id, DAY_MS))?.ticket ?? ''
}

/** The path begins: the deposit is captured, or about to be, and nothing else is running. */
async function arm(paymentId: string): Promise<void> {
  if (heldCapture !== undefined) await heldCapture.begun.promise
  else
    while ((await context.database.one(depositStatements.depositById, { id: paymentId }))?.state !== 'CAPTURED') {
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  await Promise.allSettled(openTransactions)
  armed = true
}

async function carryOut(order: CrashOrder): Promise<CrashMessage> {
  if (order.create !== undefined) {
    forgetPoints()
    return { ticket: await createDepositor(order.create) }
  }
  if (order.arm !== undefined) await arm(order.arm)
  if (order.notify !== undefined) {
    await applyNotification(context, 'sandbox', toNotification(order.notify))
    heldCapture?.allowed.resolve()
  }
  return { points }
}

process.on('message', async (order: CrashOrder) => {
  if (order.stop) process.exit()
  process.send?.(await carryOut(order))
})
process.send?.({ url: service.publicUrl, operatorUrl: service.operatorUrl })
