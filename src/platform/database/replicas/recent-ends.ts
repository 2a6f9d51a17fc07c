// What this process or its workers have ended lately: a session, a key. While the primary is away a replica may not show it, and
// must not be believed. Which statements end what is declared where they are (ENDING_STATEMENTS of identity).

import type { Database, SqlParameters, Statement } from '../database.ts'
import type { OtherProcesses } from './recent-writes.ts'

/** For each statement, by its name, the key of what it ends. */
export type EndingStatements = { readonly [statement: string]: (parameters: SqlParameters) => string }

export type RecentEnds = ReturnType<typeof recentEnds>

export function recentEnds(keptMs: number) {
  /** Oldest first. */
  const ends = new Map<string, number>()
  return {
    record(key: string): void {
      const now = performance.now()
      ends.delete(key)
      ends.set(key, now)
      for (const [oldest, at] of ends) {
        if (at >= now - keptMs) break
        ends.delete(oldest)
      }
    },
    /** Whether it was ended, and a replica that shows everything before `freshness` may not show that. */
    hidden(key: string, freshness: number): boolean {
      const at = ends.get(key)
      return at !== undefined && at >= freshness
    },
  }
}

type Noting = {
  readonly ending: EndingStatements
  readonly record: (key: string) => void
  readonly others: OtherProcesses | null
}

/** The same database. What its statements end is recorded, here and in the other processes, before the caller goes on. */
export function databaseNotingEnds(database: Database, { ending, record, others }: Noting): Database {
  const keyOf = (statement: Statement<never, unknown>, parameters: SqlParameters) =>
    ending[statement.name]?.(parameters)

  async function note(keys: Iterable<string>): Promise<void> {
    for (const key of keys) {
      record(key)
      await others?.notify({ ended: key })
    }
  }

  /** What runs in a transaction has ended something when it is committed. */
  function collecting(handle: Database, keys: Set<string>): Database {
    return {
      ...handle,
      run(statement, parameters, last) {
        const key = keyOf(statement as never, parameters)
        if (key !== undefined) keys.add(key)
        return handle.run(statement, parameters, last)
      },
    }
  }

  return {
    ...database,
    async run(statement, parameters, last) {
      const changed = await database.run(statement, parameters, last)
      const key = keyOf(statement as never, parameters)
      if (key !== undefined) await note([key])
      return changed
    },
    async transaction(work, durability) {
      let keys = new Set<string>()
      const result = await database.transaction((handle) => {
        keys = new Set()
        return work(collecting(handle, keys))
      }, durability)
      await note(keys)
      return result
    },
  }
}
