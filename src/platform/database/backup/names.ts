import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { giveToOwner } from '../../runtime/data-folder.ts'

/** `20261119T140000Z`, in names of folders. */
export function timeInName(now: number): string {
  return new Date(now).toISOString().replace(/[-:]|\.\d+/g, '')
}

/** Where backups go without another name. */
export function backupsFolder(dataFolder: string): string {
  const folder = join(dataFolder, 'backups')
  if (mkdirSync(folder, { recursive: true, mode: 0o700 }) !== undefined) giveToOwner(dataFolder, folder)
  return folder
}
