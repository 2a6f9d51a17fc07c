import { type Database, DatabaseUnavailable } from '../database/database.ts'

/** Three of the ten connections that a process has for transactions (postgres.ts). */
const MOST_AT_ONCE = 3
/** As long as a statement may wait for a lock. */
const LONGEST_WAIT_MS = 10_000

/**
 * Operators' changes wait for each other at the end of their transactions (audit-chain.ts), each with its connection. Left
 * to themselves, ten of them would hold every connection that customers' transactions need.
 */
export function takingTurns(database: Database): Database {
  let running = 0
  const waiting = new Set<() => void>()

  function turn(): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = () => {
        clearTimeout(late)
        waiting.delete(begin)
        resolve()
      }
      const late = setTimeout(() => {
        waiting.delete(begin)
        reject(new DatabaseUnavailable('too many changes by operators are waiting for each other'))
      }, LONGEST_WAIT_MS)
      waiting.add(begin)
    })
  }

  return {
    ...database,
    async transaction(work) {
      if (running === MOST_AT_ONCE) await turn()
      else running++
      try {
        return await database.transaction(work)
      } finally {
        // The turn is handed over to who has waited longest.
        const [next] = waiting
        if (next === undefined) running--
        else next()
      }
    },
  }
}
