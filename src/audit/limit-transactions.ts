import { type Database, DatabaseUnavailable } from '../platform/database/database.ts'

/**
 * Transactions at once, of the ten connections that a process has for them (platform/database/postgres/postgres.ts).
 */
const MAX_AT_ONCE = 3
/** The same time as a statement may wait for a lock. */
const MAX_WAIT_MS = 10_000

/**
 * A database that runs at most three transactions at a time. Operators' changes wait for each other at the end of their
 * transactions (chain.ts), each with its connection: ten of them would hold every connection that customers need.
 */
export function limitTransactions(database: Database): Database {
  let running = 0
  const waiting = new Set<() => void>()

  function waitForTurn(): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = () => {
        clearTimeout(late)
        waiting.delete(begin)
        resolve()
      }
      const late = setTimeout(() => {
        waiting.delete(begin)
        reject(new DatabaseUnavailable('too many changes by operators are waiting'))
      }, MAX_WAIT_MS)
      waiting.add(begin)
    })
  }

  return {
    ...database,
    async transaction(work) {
      if (running === MAX_AT_ONCE) await waitForTurn()
      else running++
      try {
        return await database.transaction(work)
      } finally {
        // The turn passes to the transaction that has waited longest.
        const [next] = waiting
        if (next === undefined) running--
        else next()
      }
    },
  }
}
