import type { Logger } from 'pino'
import type { Config } from './config/config.ts'
import { beforeMigrations } from './configured-database.ts'
import { stepsOf } from './database/backup/manifest.ts'
import type { Database } from './database/database.ts'
import { migrate } from './database/migrate.ts'

export async function migrateAtStart(
  config: Config,
  database: Database,
  { log, now }: { log: Logger; now: number },
): Promise<void> {
  const progress = stepsOf((step) => log.info({ step }, 'backup before the upgrade'))
  const applied = await migrate(database, now, beforeMigrations(config, now, progress))
  if (applied.length > 0) log.info({ migrations: applied }, 'schema migrated')
}
