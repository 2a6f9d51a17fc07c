// A backup of its own accord before rows that are there are changed.

import { join } from 'node:path'
import type { BeforeMigrations } from '../migrate.ts'
import { changesData } from '../migration-list.ts'
import type { Progress } from './manifest.ts'
import { backupsFolder, timeInName } from './names.ts'
import { type Installation, writeBackup } from './write.ts'

/** Nothing was changed, and the message says what to do. */
export class UpgradeRefused extends Error {
  /** Tells it from what a driver throws (../postgres/postgres.ts). */
  readonly code = 'upgrade refused'
}

type Settings = {
  readonly enabled: boolean
  readonly version: string
  readonly now: number
  readonly progress: Progress
}

export function backupBeforeMigrations(
  installation: Installation,
  { enabled, version, now, progress }: Settings,
): BeforeMigrations {
  return async (pending) => {
    const changing = pending.filter(changesData)
    if (!enabled || changing.length === 0) return
    try {
      const name = `before-${pending.at(-1)?.name.slice(0, 4)}-${timeInName(now)}`
      const folder = join(backupsFolder(installation.dataFolder), name)
      await writeBackup(installation, folder, { version, now, pictures: 'linked', progress })
      progress(`backed up in ${folder}`)
    } catch (error) {
      throw new UpgradeRefused(
        `The upgrade changes data (${changing.map((migration) => migration.name).join(', ')}), and the backup before it failed: ${(error as Error).message}. Nothing was changed. Correct that, or make a backup by other means and set BACKUP_BEFORE_UPGRADE=off.`,
        { cause: error },
      )
    }
  }
}
