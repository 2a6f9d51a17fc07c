// Keys and tickets are checked on the primary. While it is away they are read on a replica, which may lack what was created just
// before, and may still have what was ended.

import { type Database, DatabaseUnavailable, type SqlParameters, type Statement } from '../database.ts'
import type { RecentEnds } from './recent-ends.ts'
import type { Replica } from './replica.ts'
import type { StaleReads } from './stale-reads.ts'

/** `stale`: null for a row of the primary. */
export type FoundRow<R> = { readonly row: R | undefined; readonly stale: StaleRow | null }

export type StaleRow = {
  /** Whether it was ended lately, which the replica may not show yet. The key is that of the statement that ends it. */
  isEnded(key: string): boolean
}

export type CredentialReads = {
  one<P extends SqlParameters, R>(statement: Statement<P, R>, parameters: P): Promise<FoundRow<R>>
}

export function primaryCredentials(database: Database): CredentialReads {
  return { one: async (statement, parameters) => ({ row: await database.one(statement, parameters), stale: null }) }
}

export function staleCredentials(database: Database, stale: StaleReads, ends: RecentEnds): CredentialReads {
  const { watch } = stale

  async function whileAway<P extends SqlParameters, R>(
    statement: Statement<P, R>,
    parameters: P,
  ): Promise<FoundRow<R>> {
    const failed = new Set<Replica>()
    for (;;) {
      const chosen = stale.chooseForCredentials((replica) => !failed.has(replica))
      if (chosen === null) {
        await stale.untilBack()
        return { row: await database.one(statement, parameters), stale: null }
      }
      const { replica, freshness } = chosen
      try {
        const row = await replica.database.one(statement, parameters)
        stale.noteShown(freshness)
        return { row, stale: { isEnded: (key) => ends.hidden(key, freshness) } }
      } catch {
        failed.add(replica)
        replica.suspect()
      }
    }
  }

  return {
    async one(statement, parameters) {
      if (watch.isAway()) return whileAway(statement, parameters)
      try {
        return { row: await watch.unlessAway(() => database.one(statement, parameters)), stale: null }
      } catch (error) {
        if (!(error instanceof DatabaseUnavailable)) throw error
        if (await stale.isAwayAfterAll()) return whileAway(statement, parameters)
        return { row: await database.one(statement, parameters), stale: null }
      }
    },
  }
}
