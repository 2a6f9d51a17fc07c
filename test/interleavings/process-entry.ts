// A process that plays one operation after another, step by step as the scheduler lets it (steps are in messages.ts).

import { Fault } from '../../src/faults.ts'
import { openPostgres } from '../../src/platform/database/postgres/postgres.ts'
import { Refused } from '../../src/platform/runtime/refused.ts'
import type { Gateway } from '../../src/wallets/gateways/gateway.ts'
import { NOW, openContext, PATIENCE } from './context.ts'
import { Gate } from './gate.ts'
import type { Answer, GatewayCall, Order } from './messages.ts'
import { type Operation, play } from './operations.ts'
import { scheduledDatabase, withoutLock } from './scheduled-database.ts'
import { scheduleTimers } from './timers.ts'

const url = process.env.DATABASE_URL as string
const gate = new Gate((report) => process.send?.(report))
const port = openPostgres({ url, ...PATIENCE, onConflict: (code) => gate.conflict(code) })
// Before the first step: opening a connection is none.
await port.transaction(async (begun) => begun.script('select 1'))

/** The sandbox's bank is in the process of the scheduler, for both processes. */
function scheduledGateway(): Gateway {
  const call =
    (name: GatewayCall['name']) =>
    (...terms: unknown[]) =>
      gate.step({ kind: 'gateway', name, transaction: null, call: { name, terms } }, (answer) => answer as never)
  const notCalled = () => Promise.reject(new Error('no operation here calls it'))
  return {
    name: 'sandbox',
    paysOut: true,
    // A security code is for one request, and no message.
    authorise: (request) => call('authorise')(request),
    capture: call('capture'),
    cancel: call('cancel'),
    refund: call('refund'),
    payout: call('payout'),
    lookUpPayout: call('lookUpPayout'),
    finishChallenge: notCalled,
    lookUp: notCalled,
    tryKeys: notCalled,
    backOfficeLink: () => null,
    readNotifications: () => null,
    close: async () => {},
  }
}

let replace = withoutLock(null)
const database = scheduledDatabase(port, gate, (statement) => replace(statement))
const context = openContext(url, { database, gateway: scheduledGateway(), now: () => NOW })

async function answerOf(operation: Operation, without: string | null): Promise<Answer> {
  replace = withoutLock(without)
  try {
    return { text: await play(operation, context), isFailure: false }
  } catch (error) {
    if (error instanceof Fault) return { text: `${error.code} ${error.kind}`, isFailure: false }
    if (error instanceof Refused) return { text: `${error.kind}: ${error.message}`, isFailure: false }
    return { text: String(error), isFailure: true }
  }
}

process.on('message', async (order: Order) => {
  if ('play' in order) gate.answer(await answerOf(order.play, order.without))
  else gate.letThrough(order.letThrough, order.answer)
})
process.on('disconnect', () => process.exit())
scheduleTimers(gate)
gate.settle()
