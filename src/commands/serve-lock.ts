// One `paddock serve` for each embedded database: each would sweep deposits, deliver webhooks and finish settlements as if it
// were the only one.

import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Config } from '../platform/config/config.ts'
import { isBusy } from '../platform/database/sqlite/connection.ts'
import { giveToOwner, openDataFolder } from '../platform/runtime/data-folder.ts'
import { CommandError } from './command.ts'

/**
 * Until the process ends. The lock is the operating system's, through SQLite: it is released however the process ends, and
 * the empty file that stays is no obstacle. Workers of the process do not acquire it, nor do other commands.
 */
export function lockDataFolder({ databaseUrl, dataFolder }: Config): { release(): void } {
  // Any number of services share a PostgreSQL.
  if (databaseUrl !== null) return { release: () => {} }
  openDataFolder(dataFolder)
  const file = join(dataFolder, 'serve.lock')
  const lock = new DatabaseSync(file, { timeout: 0 })
  try {
    lock.exec('begin exclusive')
    giveToOwner(dataFolder, file)
  } catch (error) {
    lock.close()
    if (!isBusy(error)) throw error
    throw new CommandError(
      `Another "paddock serve" runs on the data folder ${dataFolder}: stop it, or set another DATA_DIR.`,
    )
  }
  return { release: () => lock.close() }
}
