import { type Database, DatabaseUnavailable } from '../platform/database/database.ts'
import { turns } from '../platform/runtime/slots.ts'

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
  const all = turns<null>({ atOnce: MAX_AT_ONCE, longestWaitMs: MAX_WAIT_MS })
  const tooMany = () => new DatabaseUnavailable('too many changes by operators are waiting')
  return { ...database, transaction: (work) => all.run(null, () => database.transaction(work), tooMany) }
}
