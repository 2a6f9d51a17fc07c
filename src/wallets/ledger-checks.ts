// The ledger is checked by itself, at the start and every hour, and whenever an operator asks. The result of the last
// check is kept in this process, for the console and the metrics.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../context.ts'
import { checkLedger, type LedgerCheck } from './ledger.ts'

const EVERY_MS = 3_600_000
/** After a check that could not be finished, because the database was away. */
const AGAIN_AFTER_MS = 60_000

export type DatedCheck = LedgerCheck & { checkedAt: number }

export type LedgerChecks = {
  last(): DatedCheck | null
  /** `pause` is awaited between pages; a check ends with what it throws. */
  run(pause?: () => Promise<unknown>): Promise<DatedCheck>
}

export function ledgerChecks({ database, metrics, now }: Pick<Context, 'database' | 'metrics' | 'now'>): LedgerChecks {
  let last: DatedCheck | null = null
  return {
    last: () => last,
    async run(pause) {
      const check = { ...(await checkLedger(database, pause)), checkedAt: now() }
      last = check
      metrics.gauge('paddock_ledger_problems', '', check.problems.length)
      metrics.gauge('paddock_ledger_checked_timestamp_seconds', '', check.checkedAt / 1000)
      return check
    },
  }
}

export function startLedgerChecks(context: Context, everyMs = EVERY_MS): { close(): Promise<void> } {
  let closed = false
  let timer: NodeJS.Timeout | undefined
  let running = tick()

  async function tick(): Promise<void> {
    const isDone = await checkAndTell(context, () => closed)
    if (closed) return
    timer = setTimeout(
      () => {
        running = tick()
      },
      isDone ? everyMs : Math.min(everyMs, AGAIN_AFTER_MS),
    )
    timer.unref()
  }

  return {
    async close() {
      closed = true
      clearTimeout(timer)
      await running
    },
  }
}

/** Whether it could be finished. */
async function checkAndTell({ ledgerChecks, log }: Context, isClosed: () => boolean): Promise<boolean> {
  try {
    const { problems } = await ledgerChecks.run(restingPause(isClosed))
    if (problems.length > 0) log.error({ problems: problems.slice(0, 10) }, 'the ledger does not add up')
    return true
  } catch (error) {
    if (!isClosed()) log.warn({ err: error }, 'the ledger could not be checked; it is tried again')
    return false
  }
}

/** Rests as long as the page before took, so that requests have at least half of the time. */
function restingPause(isClosed: () => boolean): () => Promise<void> {
  let start = performance.now()
  return async () => {
    if (isClosed()) throw new Error('the service is closing')
    await sleep(performance.now() - start)
    start = performance.now()
  }
}
