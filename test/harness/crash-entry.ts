// The service in a process of its own that kills itself (SIGKILL) at one named point of the deposit path. Every call
// of the path goes through a port, so the points are found by counting calls: nothing in the service knows of them.

import { replaceReturnAddresses } from '../../src/identity/applications/store.ts'
import { putCustomer } from '../../src/identity/customers/customer.ts'
import { readConfig } from '../../src/platform/config/config.ts'
import type { Database } from '../../src/platform/database/database.ts'
import { createLog } from '../../src/platform/observability/log.ts'
import { startService } from '../../src/service.ts'
import * as challengeStatements from '../../src/wallets/challenge-store.ts'
import * as factStatements from '../../src/wallets/deposit-facts-store.ts'
import type { Gateway } from '../../src/wallets/gateways/gateway.ts'
import * as jobStatements from '../../src/wallets/job-store.ts'
import * as ledgerStatements from '../../src/wallets/ledger-store.ts'
import { requestRefund } from '../../src/wallets/refund.ts'
import * as refundStatements from '../../src/wallets/refund-store.ts'
import { registerMethod } from '../../src/wallets/register-method.ts'
import * as statements from '../../src/wallets/store.ts'

/** The path begins with this statement. */
const FIRST = process.env.ARM_AT ?? 'lockDepositor'
const depositPathStatements = new Set(
  [statements, factStatements, challengeStatements, jobStatements, ledgerStatements, refundStatements].flatMap(
    (module) => Object.values(module).flatMap((one) => (typeof one === 'object' && 'sql' in one ? [one.name] : [])),
  ),
)

const startsArmed = process.env.ARMED !== undefined && process.env.ARMED !== ''
let armed = startsArmed
const seen = new Map<string, number>()
const points: string[] = []
const openTransactions = new Set<Promise<unknown>>()
const excludedMeanwhile = new Set<number>()

/** A point is a name and how often it was reached since the deposit began. */
function reach(name: string): void {
  if (!armed) return
  const times = (seen.get(name) ?? 0) + 1
  seen.set(name, times)
  const point = `${name} #${times}`
  points.push(point)
  if (point === process.env.CRASH_AT) process.kill(process.pid, 'SIGKILL')
}

/** For the next deposit of this process. */
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
      reach(FIRST === 'lockDepositor' ? 'before the deposit' : `before ${FIRST}`)
    }
    const result = await work()
    // The sweeper's own queries, outside transactions, are points only if they find something.
    const isIdle = called === undefined && Array.isArray(result) && result.length === 0
    if (depositPathStatements.has(statement.name) && !isIdle) {
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
    capture: (payment) => around('capture', () => port.capture(payment)),
    cancel: (payment) => around('cancel', () => port.cancel(payment)),
    refund: (payment, refund) => around('refund', () => port.refund(payment, refund)),
  }
}

const service = await startService(readConfig(process.env), {
  log: createLog('silent', () => {}, 0),
  // With the clock ahead, leases of others expire sooner.
  now: () => Date.now() + Number(process.env.CLOCK_AHEAD_MS ?? 0),
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

/** `excluded`: they exclude themselves while the gateway decides. */
type Depositor = { id: number; token: string; currency: string; excluded: boolean }

/** Creates a customer with a card of this token and returns a ticket. */
async function createDepositor({ id, token, currency, excluded }: Depositor): Promise<string> {
  if (excluded) excludedMeanwhile.add(id)
  await putCustomer(context.database, id, { currency }, Date.now())
  const method = {
    type: 'CARD',
    token,
    minDeposit: 500n,
    maxDeposit: 100_000n,
    cardNumber: '411111******1111',
    issueDate: null,
    expiryDate: '12/49',
    country: 'GB',
    scheme: 'VISA',
    funding: 'debit' as const,
  }
  await registerMethod(context.database, { id, customerId: id }, method, Date.now())
  return (await context.sessions?.issue(id, null))?.ticket ?? ''
}

/** As soon as the deposit is captured. */
async function refundWhenCaptured(paymentId: string): Promise<void> {
  while ((await context.database.one(statements.depositById, { id: paymentId }))?.state !== 'CAPTURED') {
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  await requestRefund(context, { paymentId, amount: 400n, reason: 'asked for it', by: 'crash' })
}

process.on('message', async (message: { create?: Depositor; refund?: string; stop?: true }) => {
  if (message.create !== undefined) {
    forgetPoints()
    process.send?.({ ticket: await createDepositor(message.create) })
  } else if (message.refund !== undefined) {
    await refundWhenCaptured(message.refund)
    process.send?.({ refunded: message.refund })
  } else if (message.stop) process.exit()
  else process.send?.({ points })
})
process.send?.({ url: service.publicUrl })
