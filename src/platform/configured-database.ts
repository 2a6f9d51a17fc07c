// Opens the database that the settings name.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from './config/config.ts'
import { backupBeforeMigrations } from './database/backup/before-migrations.ts'
import type { Progress } from './database/backup/manifest.ts'
import type { Installation } from './database/backup/write.ts'
import type { Database } from './database/database.ts'
import type { BeforeMigrations } from './database/migrate.ts'
import {
  type CheckedDatabaseParts,
  type DatabaseSettings,
  openCheckedDatabase,
  openUncheckedDatabase,
} from './database/open.ts'
import { commitPositions } from './database/postgres/commit-positions.ts'
import { PrimaryWatch } from './database/postgres/primary-watch.ts'
import { databaseNotingEnds, type EndingStatements, recentEnds } from './database/replicas/recent-ends.ts'
import type { OtherProcesses } from './database/replicas/recent-writes.ts'
import { openReplicas, type ReplicasSettings, type StaleSettings } from './database/replicas/replicas.ts'
import { tracedStatements } from './database/trace-statements.ts'
import type { Tracing } from './tracing/tracing.ts'

export function sqliteFile(config: Config): string {
  return join(config.dataFolder, 'paddock.db')
}

export function databaseSettings(config: Config): DatabaseSettings {
  return { url: config.databaseUrl, file: sqliteFile(config), severalProcesses: config.workers > 1 }
}

/** What a backup holds. */
export function installationOf(config: Config): Installation {
  const { databaseUrl: url, dataFolder } = config
  return { url, file: sqliteFile(config), dataFolder, picturesOnDisk: config.pictures.store === 'disk' }
}

/** What comes before the migrations that a start finds pending. */
export function beforeMigrations(config: Config, now: number, progress: Progress): BeforeMigrations {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  return backupBeforeMigrations(installationOf(config), { enabled: config.backupBeforeUpgrade, version, now, progress })
}

export const openDatabase = (config: Config): Database => openUncheckedDatabase(databaseSettings(config))

/** After the limit, what was read from a replica is cached for 3 seconds, and a request takes a while. */
const ENDS_KEPT_LONGER_MS = 5_000

/** null: reads wait while the primary is away. */
function staleSettings(
  { replicas: { stale } }: Config,
  { log, metrics }: Pick<ReplicasSettings, 'log' | 'metrics'>,
): StaleSettings | null {
  if (stale === null) return null
  const { upToMs, silentMs, probeUrl } = stale
  return {
    ...{ upToMs, probeUrl, commits: commitPositions() },
    watch: new PrimaryWatch({ silentMs, keptMs: upToMs, log, metrics }),
    ends: recentEnds(upToMs + ENDS_KEPT_LONGER_MS),
  }
}

type ServiceParts = Omit<CheckedDatabaseParts, 'stale'> & {
  readonly ending: EndingStatements
  readonly others: OtherProcesses | null
  readonly observePort: ((port: Database) => Database) | undefined
}

/** `unobserved`: without what `observePort` puts around it. */
export function openServiceDatabase(config: Config, parts: ServiceParts) {
  const { ending, others, observePort = (port) => port, ...more } = parts
  const stale = staleSettings(config, more)
  const { database: unobserved, writes } = openCheckedDatabase(databaseSettings(config), { ...more, stale })
  const observed = observePort(unobserved)
  const database =
    stale === null ? observed : databaseNotingEnds(observed, { ending, others, record: stale.ends.record })
  return { unobserved, database, writes, stale }
}

export async function replicasOf(
  config: Config,
  primary: Database,
  {
    tracing,
    ...more
  }: Pick<ReplicasSettings, 'log' | 'metrics' | 'others' | 'stale'> & {
    readonly tracing: Tracing | null
  },
) {
  const { databaseUrl, replicas } = config
  if (databaseUrl === null || replicas.urls.length === 0) return null
  const observe = tracedStatements(more.metrics.statement, 'postgres', tracing)
  return openReplicas({ primary, primaryUrl: databaseUrl, ...replicas, ...more, observe })
}
