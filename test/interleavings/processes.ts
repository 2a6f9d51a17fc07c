// The two processes of the service, and PostgreSQL's word on which of them waits for the other.

import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import { programEnvironment } from '../harness/program-environment.ts'
import type { Answer, Order, Report, Step } from './messages.ts'

const program = fileURLToPath(new URL('process-entry.ts', import.meta.url))

/** As the scheduler knows it. */
export type Process = {
  /** What it wants to do next. */
  pending: readonly Step[]
  /** Let through, and not ended: PostgreSQL is at it, or lets it wait for a lock. */
  readonly inFlight: Map<number, Step>
  /** What its operation has answered. */
  answer: Answer | null
  /** SQLSTATEs for which transactions were repeated. */
  conflicts: string[]
  send(order: Order): void
}

export type Processes = {
  readonly both: readonly [Process, Process]
  /** The next report of any, or none in this time. */
  nextReport(milliseconds: number): Promise<boolean>
  /** Whether PostgreSQL lets every statement that it is at wait for another process. */
  allWait(): Promise<boolean>
  stop(): Promise<void>
}

const NAMES = ['process-0', 'process-1'] as const

export async function startProcesses(url: string, control: pg.Client): Promise<Processes> {
  const news = newsOf()
  const started = NAMES.map((name) => startOne(name, url, news))
  await Promise.all(started.map(({ isReady }) => isReady))
  const both = started.map(({ process }) => process) as [Process, Process]
  return {
    both,
    nextReport: news.next,
    async allWait() {
      const { rows } = await control.query({ name: 'waiting', text: WAITING, values: [NAMES] })
      return both.every(({ inFlight }, index) => {
        const row = rows.find(({ name }) => name === NAMES[index])
        return inFlight.size === 0 || Number(row?.waiting) === inFlight.size
      })
    },
    async stop() {
      await Promise.all(started.map(({ stop }) => stop()))
    },
  }
}

type News = ReturnType<typeof newsOf>

/** That something was reported since it was asked for last. */
function newsOf() {
  let isNew = false
  let failure: Error | undefined
  let wake = () => {}
  return {
    report(error?: Error): void {
      isNew = true
      failure ??= error
      wake()
    },
    async next(milliseconds: number): Promise<boolean> {
      if (!isNew) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, milliseconds)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
      if (failure !== undefined) throw failure
      const wasNew = isNew
      isNew = false
      return wasNew
    },
  }
}

function startOne(name: string, url: string, news: News) {
  const address = new URL(url)
  // PostgreSQL names the connections so.
  address.searchParams.set('application_name', name)
  const child: ChildProcess = fork(program, {
    env: { ...programEnvironment, DATABASE_URL: address.href },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    serialization: 'advanced',
  })
  const process: Process = {
    pending: [],
    inFlight: new Map(),
    answer: null,
    conflicts: [],
    send: (order) => void child.send(order),
  }
  child.on('message', (report: Report) => {
    process.pending = report.pending
    for (const id of report.ended) process.inFlight.delete(id)
    process.answer ??= report.answer
    process.conflicts.push(...report.conflicts)
    news.report()
  })
  const isReady = new Promise<void>((resolve, reject) => {
    child.once('message', () => resolve())
    child.once('exit', (code) => {
      const error = new Error(`${name} ended with ${code}`)
      news.report(error)
      reject(error)
    })
  })
  return {
    process,
    isReady,
    async stop() {
      const end = new Promise((resolve) => child.once('exit', resolve))
      if (child.connected) child.disconnect()
      if (child.exitCode === null) await end
    },
  }
}

const WAITING = `
  with backend as (select pid, application_name as name from pg_stat_activity
    where datname = current_database() and application_name = any ($1))
  select name, count(*) filter (
    where pg_isolation_test_session_is_blocked(pid, array(select other.pid from backend other))) as waiting
  from backend group by name`
