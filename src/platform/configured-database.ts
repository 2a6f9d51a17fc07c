// Opens the database that the settings name.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from './config/config.ts'
import { backupBeforeMigrations } from './database/backup/before-migrations.ts'
import type { Progress } from './database/backup/manifest.ts'
import type { Installation } from './database/backup/write.ts'
import type { Database } from './database/database.ts'
import type { BeforeMigrations } from './database/migrate.ts'
import { type DatabaseSettings, openUncheckedDatabase } from './database/open.ts'
import { openReplicas, type ReplicasSettings } from './database/replicas/replicas.ts'
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

export async function replicasOf(
  config: Config,
  primary: Database,
  { tracing, ...more }: Pick<ReplicasSettings, 'log' | 'metrics' | 'others'> & { readonly tracing: Tracing | null },
) {
  const { databaseUrl, replicas } = config
  if (databaseUrl === null || replicas.urls.length === 0) return null
  const observe = tracedStatements(more.metrics.statement, 'postgres', tracing)
  return openReplicas({ primary, primaryUrl: databaseUrl, ...replicas, ...more, observe })
}
