// Checks for all background tasks at once whether they have work. When nothing happens this is one statement every 400 ms,
// however many tasks there are. While something happens, work waits 100 ms at most.

import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { type PeriodicTask, type StartTask, startPeriodicTask, startTask } from '../runtime/periodic-task.ts'
import type { Database, Statement } from './database.ts'

const BUSY_MS = 100
const IDLE_MS = 400
/** After work was found. */
const BUSY_FOR_MS = 3_000
/** For work that no condition detects: gauges, a day that begins. */
const RUN_ANYWAY_MS = 15_000

export type WorkCheck<Task extends string> = PeriodicTask & {
  /** Starts the task that has this name in the statement: it runs at once, then when it has work. */
  starter(task: Task): StartTask
}

export function startWorkCheck<Task extends string>(
  { database, log, now }: { database: Database; log: Logger; now: () => number },
  statement: Statement<{ now: number }, { [Name in Task]: number }>,
): WorkCheck<Task> {
  const started = new Set<Task>()
  const waiting = new Map<Task, () => void>()
  let lastWork = performance.now()
  let hasFailed = false

  async function check(closing: AbortSignal): Promise<void> {
    const found = (await database.one(statement, { now: now() })) as { [Name in Task]: number }
    for (const [task, run] of waiting) if (hasFailed || found[task] === 1) run()
    hasFailed = false
    if ([...started].some((task) => found[task] === 1)) lastWork = performance.now()
    else if (performance.now() - lastWork > BUSY_FOR_MS) await pause(IDLE_MS - BUSY_MS, undefined, { signal: closing })
  }

  function untilWork(task: Task, closing: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const run = (): void => {
        waiting.delete(task)
        clearTimeout(late)
        closing.removeEventListener('abort', run)
        resolve()
      }
      const late = setTimeout(run, RUN_ANYWAY_MS).unref()
      closing.addEventListener('abort', run)
      waiting.set(task, run)
    })
  }

  const checking = startPeriodicTask(check, {
    everyMs: BUSY_MS,
    afterFailureMs: 1_000,
    onFailure(error) {
      hasFailed = true
      log.warn({ err: error }, 'checking whether background tasks have work failed; it will be retried')
    },
  })
  return {
    starter(task) {
      started.add(task)
      return (work, schedule) => startTask(work, schedule, (closing) => untilWork(task, closing))
    },
    close: () => checking.close(),
  }
}
