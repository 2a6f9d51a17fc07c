import type { Logger } from 'pino'
import type { Metrics } from '../observability/metrics.ts'
import type { Tracing } from '../tracing/tracing.ts'
import { type Database, DatabaseUnavailable } from './database.ts'
import type { CommitPositions } from './postgres/commit-positions.ts'
import { openPostgres, type PostgresSettings } from './postgres/postgres.ts'
import type { PrimaryWatch } from './postgres/primary-watch.ts'
import { openSeverablePostgres } from './postgres/severable-postgres.ts'
import { WriteCheck } from './postgres/write-check.ts'
import { openSqlite } from './sqlite/sqlite.ts'
import { tracedStatements } from './trace-statements.ts'

export type DatabaseSettings = {
  /** The address of PostgreSQL; null: the embedded database. */
  readonly url: string | null
  /** The file of the embedded database. */
  readonly file: string
  readonly severalProcesses: boolean
}

/** For commands, which fail when the database does. */
export function openUncheckedDatabase({ url, file, severalProcesses }: DatabaseSettings): Database {
  return url === null ? openSqlite(file, undefined, { severalProcesses }) : openPostgres({ url })
}

/** How long PostgreSQL is waited for, where it is not as long as usual: by tests, on machines that are busy with others. */
export type DatabasePatience = Partial<
  Pick<PostgresSettings, 'statementTimeoutMs' | 'connectTimeoutMs'> & { maxBeatMs: number }
>

type CheckedDatabase = { database: Database; writes: Pick<WriteCheck, 'problem' | 'start' | 'close'> }

/** The embedded database takes writes as long as it answers. */
const ALWAYS_WRITABLE = { problem: () => null, start: async () => {}, close: async () => {} }

export type CheckedDatabaseParts = {
  readonly log: Logger
  readonly metrics: Metrics
  readonly tracing: Tracing | null
  readonly patience?: DatabasePatience
  /** null: nobody needs to know when the primary is away, and where commits are. */
  readonly stale: { readonly watch: PrimaryWatch; readonly commits: CommitPositions } | null
}

/** For a service. The check of writes starts when the schema is there. */
export function openCheckedDatabase(
  settings: DatabaseSettings,
  { log, metrics, tracing, patience = {}, stale }: CheckedDatabaseParts,
): CheckedDatabase {
  const { url, file, severalProcesses } = settings
  const observe = tracedStatements(metrics.statement, url === null ? 'sqlite' : 'postgres', tracing)
  if (url === null) return { database: openSqlite(file, observe, { severalProcesses }), writes: ALWAYS_WRITABLE }
  const watch = stale?.watch ?? null
  const writes = new WriteCheck({ url, log, metrics, watch, onDemoted: () => connections.sever(), ...patience })
  const onConflict = (code: string) => metrics.count('paddock_database_conflicts_total', `code="${code}"`)
  const connections = openSeverablePostgres({
    url,
    observe,
    onConflict,
    beforeWrite: () => writes.beforeWrite(),
    ...(stale === null ? {} : { demandedTimeline: stale.watch.demandedTimeline, commits: stale.commits }),
    ...patience,
  })
  watch?.on('former', connections.sever)
  return { database: connections.database, writes }
}

const TRY_AGAIN_MS = 500

/** Repeats what failed because the database is away: it may be starting too. */
export async function untilAvailable(work: () => Promise<void>, waitMs: number, log: Logger): Promise<void> {
  const until = performance.now() + waitMs
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable) || performance.now() >= until) throw error
      if (tries === 1) log.warn({}, `waiting up to ${waitMs / 1000} s for the database: ${error.message}`)
    }
    await new Promise((resolve) => setTimeout(resolve, TRY_AGAIN_MS))
  }
}
