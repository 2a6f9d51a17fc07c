// Who writes when. SQLite lets one connection write at a time. Within a process writers queue here; between processes
// (WORKERS) the file is locked, and SQLite's own way of waiting for it does not serve: it puts the whole process to
// sleep, for longer each time it finds the file locked, and a process that writes without a pause starves the others
// (measured with settlement batches in one process: 9 of 600 small writes of another got through in 3 s, and its event
// loop was blocked for 2.3 s). So we retry every millisecond without blocking, and leave gaps for each other.

import { setTimeout as pause } from 'node:timers/promises'
import { DatabaseUnavailable } from '../database.ts'

/** Another process is writing. Nothing was done yet. */
export class DatabaseBusy extends DatabaseUnavailable {}

const RETRY_EVERY_MS = 1
const GIVE_UP_AFTER_MS = 5_000

/** A process that has written for this long without a gap lets others in. Together they cost it a tenth of its time. */
const MAX_RUN_MS = 20
const GAP_MS = 2

/** Retries while it throws DatabaseBusy. Returns without a promise if the first attempt succeeds. */
export function untilFree<T>(attempt: () => T): T | Promise<T> {
  try {
    return attempt()
  } catch (error) {
    if (!(error instanceof DatabaseBusy)) throw error
    return later(attempt)
  }
}

async function later<T>(attempt: () => T): Promise<T> {
  const until = performance.now() + GIVE_UP_AFTER_MS
  for (;;) {
    await pause(RETRY_EVERY_MS)
    try {
      return attempt()
    } catch (error) {
      if (!(error instanceof DatabaseBusy) || performance.now() >= until) throw error
    }
  }
}

/** First come, first served; runs at once, without a promise, when nobody is waiting. */
export function turnstile(severalProcesses: boolean) {
  let last: Promise<unknown> | undefined
  const gaps = severalProcesses ? gapsBetweenRuns() : undefined

  function take<T>(work: () => T | Promise<T>): T | Promise<T> {
    if (gaps === undefined) return work()
    const mine = gaps.isDue() ? pause(GAP_MS).then(work) : work()
    if (mine instanceof Promise) return mine.finally(gaps.wrote)
    gaps.wrote()
    return mine
  }

  return {
    run<T>(work: () => T | Promise<T>): T | Promise<T> {
      const before = last
      const inTurn = () => take(work)
      const mine = before ? before.then(inTurn, inTurn) : inTurn()
      if (!(mine instanceof Promise)) return mine
      const turn = mine
        .catch(() => {})
        .then(() => {
          if (last === turn) last = undefined
        })
      last = turn
      return mine
    },
  }
}

/** Writes that follow each other faster than other processes can retry are one run. */
function gapsBetweenRuns() {
  let runSince = 0
  let wroteAt = 0
  return {
    isDue(): boolean {
      const now = performance.now()
      if (now - wroteAt >= GAP_MS) runSince = now
      else if (now - runSince >= MAX_RUN_MS) {
        runSince = now + GAP_MS
        return true
      }
      return false
    },
    wrote(): void {
      wroteAt = performance.now()
    },
  }
}
