// A *process* of the service whose database and gateway answer when the scheduler lets them. A call is two steps: it is
// carried out, and its answer arrives. A killed process hears of no answer and calls nobody any more; what it has sent to
// the bank is carried out nevertheless.

import type { Scheduler } from 'fast-check'
import type { Database } from '../../src/platform/database/database.ts'
import type { WalletsContext } from '../../src/wallets/context.ts'
import type { Gateway } from '../../src/wallets/gateways/gateway.ts'
import type { Gateways } from '../../src/wallets/gateways/gateways.ts'
import { sandboxGateway } from '../../src/wallets/gateways/sandbox/gateway.ts'
import { NEVER_MS, type World } from './world.ts'

export type Process = {
  readonly context: WalletsContext
  /** What the work returns, or 'none' if the process is killed before. `before` runs in the step of its transaction. */
  run<T>(work: (context: WalletsContext) => Promise<T>, before?: () => Promise<void>): Promise<T | 'none'>
  kill(): void
}

/** `payment`: of a refund. */
export type BankCall = {
  readonly name: string
  readonly reference: string
  readonly amount: bigint
  readonly payment?: string
}
export type Loss = 'answered' | 'lost' | 'lost and late'

export type ProcessOptions = {
  readonly name: string
  /** By how much its clock is slow. */
  readonly lagMs: number
  /** What becomes of the next call of this name, if its answer is lost: carried out at any moment, or after all else. */
  nextLoss(name: string): Loss
  /** What was sent to the bank and is not carried out yet. */
  readonly onTheWay: Set<() => Promise<unknown>>
  /** Runs after the bank has carried out a call. */
  carriedOut(call: BankCall, outcome: string): void
}

/** Runs `work` when the scheduler chooses it, and nothing else meanwhile. */
export async function step<T>(scheduler: Scheduler, label: string, work: () => T | Promise<T>): Promise<T> {
  let result: { value: T } | { error: unknown } | undefined
  const builder = async () => {
    try {
      result = { value: await work() }
    } catch (error) {
      result = { error }
    }
  }
  await scheduler.scheduleSequence([{ label, builder }]).task
  if (result !== undefined && 'value' in result) return result.value
  throw result?.error
}

export function startProcess(world: World, scheduler: Scheduler, options: ProcessOptions): Process {
  const killed = Promise.withResolvers<'none'>()
  let isAlive = true
  const untilAlive = async () => {
    if (!isAlive) await new Promise(() => {})
  }
  /** Carried out, then answered: others may run between the two, and the process may be killed. */
  const call: Call = async (name, work, isSent = false) => {
    await untilAlive()
    const carryOut = async () => (isAlive || isSent ? settled(work) : undefined)
    const answer = await step(scheduler, `${options.name}: ${name}`, carryOut)
    await untilAlive()
    await step(scheduler, `${options.name}: ${name} answered`, () => {})
    await untilAlive()
    if (answer === undefined) throw new Error('the answer of a living process is missing')
    return answer()
  }
  const context: WalletsContext = {
    ...world.context,
    now: () => world.clock.now - options.lagMs,
    database: scheduledDatabase(world.context.database, call),
    gateways: onlyGateway(scheduledGateway(world, scheduler, options, call)),
  }
  return {
    context,
    run(work, before) {
      const database = scheduledDatabase(world.context.database, call, before)
      return Promise.race([work(before === undefined ? context : { ...context, database }), killed.promise])
    },
    kill() {
      isAlive = false
      killed.resolve('none')
    },
  }
}

/** `isSent`: it is carried out even if the process is killed meanwhile. */
type Call = <T>(name: string, work: () => T | Promise<T>, isSent?: boolean) => Promise<T>

async function settled<T>(work: () => T | Promise<T>): Promise<() => T> {
  try {
    const value = await work()
    return () => value
  } catch (error) {
    return () => {
      throw error
    }
  }
}

/** A transaction is one step: on the embedded engine nothing of others runs in it. Its own awaits are in crash-points.test.ts. */
function scheduledDatabase(port: Database, call: Call, before = async () => {}): Database {
  return {
    ...port,
    query: (statement, parameters) => call(statement.name, () => port.query(statement, parameters)),
    one: (statement, parameters) => call(statement.name, () => port.one(statement, parameters)),
    run: (statement, parameters) => call(statement.name, () => port.run(statement, parameters)),
    transaction: (work) =>
      call('transaction', async () => {
        await before()
        return port.transaction(work)
      }),
  }
}

/** Its first answer is lost, after the money was sent. */
const PAID_UNHEARD = 'sandbox:payout-unknown'

/** The sandbox's bank, with a memory of what it has paid out. */
function rememberedBank(world: World): Gateway {
  const port = sandboxGateway(world.bank, NEVER_MS)
  return {
    ...port,
    async payout(request) {
      const said = await port.payout(request)
      const isPaid = said.outcome === 'paid' || (said.outcome === 'unknown' && request.token === PAID_UNHEARD)
      if (isPaid) world.paidOut.set(request.reference, request.amount)
      return said
    },
  }
}

/** A process in which nothing waits for the scheduler. */
export function undisturbed(world: World): Process {
  const context: WalletsContext = { ...world.context, gateways: onlyGateway(rememberedBank(world)) }
  return {
    context,
    async run(work, before) {
      await before?.()
      return work(context)
    },
    kill: () => {},
  }
}

function scheduledGateway(world: World, scheduler: Scheduler, options: ProcessOptions, call: Call): Gateway {
  const port = rememberedBank(world)
  type Answer = { readonly outcome: string }
  const lost = { outcome: 'unknown', reason: 'the answer was lost', gatewayReference: null } as const
  const atBank = <T extends Answer>(sent: BankCall, work: () => Promise<T>): Promise<T | typeof lost> => {
    let carriedOut: Promise<T> | undefined
    const carryOut = () => {
      options.onTheWay.delete(carryOut)
      carriedOut ??= work().then((answer) => {
        options.carriedOut(sent, answer.outcome)
        return answer
      })
      return carriedOut
    }
    options.onTheWay.add(carryOut)
    const loss = options.nextLoss(sent.name)
    if (loss === 'answered') return call(`bank ${sent.name}`, carryOut, true)
    // The bank may carry it out before or after the service has given up.
    if (loss === 'lost') void step(scheduler, `${options.name}: bank ${sent.name}, late`, carryOut)
    return call(`bank ${sent.name} not answered`, () => lost)
  }
  return {
    ...port,
    authorise: (request, cv2) => atBank({ ...request, name: 'authorise' }, () => port.authorise(request, cv2)),
    finishChallenge: (payment, result) =>
      atBank({ ...payment, name: 'finishChallenge' }, () => port.finishChallenge(payment, result)),
    capture: (payment) => atBank({ ...payment, name: 'capture' }, () => port.capture(payment)),
    cancel: (payment) => atBank({ ...payment, name: 'cancel' }, () => port.cancel(payment)),
    refund: (payment, refund) =>
      atBank({ ...refund, payment: payment.reference, name: 'refund' }, () => port.refund(payment, refund)),
    payout: (request) => atBank({ ...request, name: 'payout' }, () => port.payout(request)),
    declinePayout: (request) => atBank({ ...request, name: 'declinePayout' }, () => port.declinePayout(request)),
  }
}

function onlyGateway(gateway: Gateway): Gateways {
  return {
    current: gateway,
    configured: [gateway],
    byName: (name) => (name === gateway.name ? gateway : undefined),
    close: async () => {},
  }
}
