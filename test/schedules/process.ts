// A *process* of the service whose database and gateway answer when the scheduler lets them. A call is two steps: it is
// carried out, and its answer arrives. A killed process hears of no answer and calls nobody any more; what it has sent to
// the bank is carried out nevertheless. After each transaction the checker compares.

import type { Scheduler } from 'fast-check'
import type { Database } from '../../src/platform/database/database.ts'
import type { WalletsContext } from '../../src/wallets/context.ts'
import type { Gateways } from '../../src/wallets/gateways/gateways.ts'
import { type Input, ignoredAnswers, newRun, observe, type Run } from './checker.ts'
import { type GatewayCall, gatewayOf } from './gateway.ts'
import type { Played } from './played.ts'

export type Loss = 'answered' | 'lost' | 'lost and late'

export type ProcessOptions = {
  readonly name: string
  /** null: nothing waits. */
  readonly scheduler: Scheduler | null
  /** By how much its clock is slow. */
  readonly lagMs: number
  /** What becomes of the next call of this name, if its answer is lost: carried out at any moment, or after all else. */
  nextLoss(name: string): Loss
  /** What was sent to the bank and is not carried out yet. */
  readonly onTheWay: Set<() => unknown>
}

export type Process = {
  /** What the work returns, or 'none' if the process is killed before. `expected`: what its first transaction must do. */
  run<T>(expected: Input | null, work: (context: WalletsContext, run: Run) => Promise<T>): Promise<T | 'none'>
  kill(): void
}

/** Runs `work` when the scheduler chooses it, and nothing else meanwhile. */
export async function step<T>(scheduler: Scheduler | null, label: string, work: () => T | Promise<T>): Promise<T> {
  if (scheduler === null) return work()
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

export function startProcess(played: Played, options: ProcessOptions): Process {
  const { name: process, scheduler, lagMs } = options
  const killed = Promise.withResolvers<'none'>()
  let isAlive = true
  const untilAlive = async () => {
    if (!isAlive) await new Promise(() => {})
  }
  /** Carried out, then answered: others may run between the two, and the process may be killed. */
  const call: Call = async (name, work, isSent = false) => {
    await untilAlive()
    const carryOut = async () => (isAlive || isSent ? settled(work) : undefined)
    const answer = await step(scheduler, `${process}: ${name}`, carryOut)
    await untilAlive()
    await step(scheduler, `${process}: ${name} answered`, () => {})
    await untilAlive()
    if (answer === undefined) throw new Error('the answer of a living process is missing')
    return answer()
  }
  const now = () => played.world.clock.now - lagMs
  const gatewayCall = (): GatewayCall => (name, work, late) => {
    let done: ReturnType<typeof work> | undefined
    const carryOut = () => {
      options.onTheWay.delete(carryOut)
      done ??= work()
      return done
    }
    options.onTheWay.add(carryOut)
    const loss = options.nextLoss(name)
    if (loss === 'answered') return call(`bank ${name}`, carryOut, true)
    // The bank may carry it out before or after the service has given up.
    if (loss === 'lost') void step(scheduler, `${process}: bank ${name}, late`, carryOut)
    return call(`bank ${name} not answered`, () => late)
  }
  return {
    async run(expected, work) {
      const run = newRun(now, expected)
      const gateway = gatewayOf(played, run, gatewayCall())
      const database = scheduledDatabase(played, run, call)
      const context = { ...played.context, now, database, gateways: onlyGateway(gateway) }
      const result = await Promise.race([work(context, run), killed.promise])
      if (isAlive) ignoredAnswers(played, run)
      return result
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
function scheduledDatabase(played: Played, run: Run, call: Call): Database {
  const port = played.context.database
  return {
    ...port,
    query: (statement, parameters) => call(statement.name, () => port.query(statement, parameters)),
    one: (statement, parameters) =>
      call(statement.name, () => {
        if (statement.name === 'depositWithChallenge' && run.read !== undefined) run.predicted = run.read()
        return port.one(statement, parameters)
      }),
    run: (statement, parameters) => call(statement.name, () => port.run(statement, parameters)),
    transaction: (work) =>
      call('transaction', async () => {
        const writes = { any: false }
        try {
          return await port.transaction((tx) => work(noting(tx, writes)))
        } finally {
          await observe(played, run, writes.any)
        }
      }),
  }
}

function noting(tx: Database, writes: { any: boolean }): Database {
  const note = <Result>(statement: { access: string }, result: Result): Result => {
    if (statement.access === 'writes') writes.any = true
    return result
  }
  return {
    ...tx,
    query: (statement, parameters) => note(statement, tx.query(statement, parameters)),
    one: (statement, parameters) => note(statement, tx.one(statement, parameters)),
    run: (statement, parameters) => note(statement, tx.run(statement, parameters)),
  }
}

function onlyGateway(gateway: Gateways['current']): Gateways {
  return {
    current: gateway,
    configured: [gateway],
    byName: (name) => (name === gateway.name ? gateway : undefined),
    close: async () => {},
  }
}
