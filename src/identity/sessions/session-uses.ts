// Which sessions are in use. Collected and stored together each second, so that no request waits for it: a commit may wait
// for a synchronous standby. What a crash loses only makes a session look idle for some seconds longer.

import type { Logger } from 'pino'
import type { Database } from '../../platform/database/database.ts'
import { textListOf } from '../../platform/database/row-list-store.ts'
import { startPeriodicTask } from '../../platform/runtime/periodic-task.ts'
import { touchSessions } from './store.ts'

const STORE_EVERY_MS = 1_000

export type SessionUses = {
  record(ticketHash: string, at: number): void
  /**
   * The time of a use that is not stored yet, or 0. Call it before the session is read: the use may be stored
   * meanwhile.
   */
  unstoredUse(ticketHash: string): number
  close(): Promise<void>
}

export function sessionUses(database: Database, log: Logger): SessionUses {
  let unstored = new Set<string>()
  let lastUse = 0
  let storing: ReadonlySet<string> = new Set()
  let lastUseBeingStored = 0

  async function store(): Promise<void> {
    if (unstored.size === 0) return
    storing = unstored
    lastUseBeingStored = lastUse
    unstored = new Set()
    const touched = { ticketHashes: textListOf(storing), now: lastUseBeingStored }
    try {
      await database.transaction((transaction) => transaction.run(touchSessions, touched, 'last'), 'may be lost')
    } catch (error) {
      unstored = new Set([...storing, ...unstored])
      throw error
    } finally {
      storing = new Set()
    }
  }

  const task = startPeriodicTask(store, {
    everyMs: STORE_EVERY_MS,
    onFailure: (error) => log.warn({ err: error }, 'storing which sessions are in use failed; it will be retried'),
  })

  return {
    record(ticketHash, at) {
      unstored.add(ticketHash)
      lastUse = at
    },
    unstoredUse(ticketHash) {
      if (unstored.has(ticketHash)) return lastUse
      return storing.has(ticketHash) ? lastUseBeingStored : 0
    },
    async close() {
      await task.close()
      await store().catch(() => {})
    },
  }
}
