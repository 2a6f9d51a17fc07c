// The ledger is checked at the start, every hour, and when an operator requests it. Each process stores the result of its
// last check, for the console and the metrics.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../platform/database/database.ts'
import type { Log } from '../../platform/observability/log.ts'
import type { Metrics } from '../../platform/observability/metrics.ts'
import { HOUR_MS } from '../../platform/runtime/durations.ts'
import { type PeriodicTask, startPeriodicTask } from '../../platform/runtime/periodic-task.ts'
import { checkLedger, type LedgerCheck } from './ledger-check.ts'

const EVERY_MS = HOUR_MS
/** The database was unavailable. */
const AFTER_FAILURE_MS = 60_000

export type DatedCheck = LedgerCheck & { checkedAt: number }

export type LedgerChecks = {
  last(): DatedCheck | null
  /** `pause` is awaited between pages; what it throws ends the check. */
  run(pause?: () => Promise<unknown>): Promise<DatedCheck>
}

type Parts = { readonly database: Database; readonly metrics: Metrics; readonly now: () => number }

export function ledgerChecks({ database, metrics, now }: Parts): LedgerChecks {
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

export function startLedgerChecks(
  { ledgerChecks, log }: { ledgerChecks: LedgerChecks; log: Log },
  everyMs = EVERY_MS,
): PeriodicTask {
  const work = async (closing: AbortSignal) => {
    const { problems } = await ledgerChecks.run(pauseBetweenPages(closing))
    if (problems.length > 0)
      log.error(
        { problems: problems.slice(0, 10) },
        'the ledger does not add up: GET /operator/v1/ledger/last-check lists all problems',
      )
  }
  return startPeriodicTask(work, {
    everyMs,
    afterFailureMs: Math.min(everyMs, AFTER_FAILURE_MS),
    onFailure: (error) => log.warn({ err: error }, 'the ledger could not be checked; it will be checked again'),
  })
}

/** Rests as long as the page before took, so that requests have at least half of the time. */
function pauseBetweenPages(closing: AbortSignal): () => Promise<void> {
  let start = performance.now()
  return async () => {
    await sleep(performance.now() - start, undefined, { signal: closing })
    start = performance.now()
  }
}
