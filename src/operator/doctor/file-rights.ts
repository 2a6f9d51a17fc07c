import { accessSync, constants, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../platform/config/config.ts'
import { sqliteFile } from '../../platform/configured-database.ts'
import type { Check } from '../health/checks.ts'
import { existingFolder } from './disk.ts'
import { type Probe, part } from './probe.ts'

const { good, warning, critical } = part('files', 'Files')

const GROUP = 0o070
const OTHERS = 0o007

type Guarded = {
  readonly path: string
  readonly what: string
  readonly mode: '600' | '750' | '640'
  readonly worst?: 'warning'
}

export const fileRights: Probe = {
  name: 'files',
  title: 'Files',
  run({ config }) {
    const unusable = usableFolder(config.dataFolder)
    if (unusable.length > 0) return unusable
    const found = guardedPaths(config).flatMap(openToOthers)
    return found.length > 0 ? found : [good('Only the account of the service reads its data, tokens and keys.')]
  },
}

function guardedPaths(config: Config): Guarded[] {
  const { dataFolder } = config
  const keys = [config.tls?.key, config.operator.tls?.key].filter((path) => path !== undefined)
  return [
    // Mounted volumes belong to a group; the files within have modes of their own.
    { path: dataFolder, what: 'the data folder', mode: '750' },
    ...['', '-wal'].map((end) => ({ path: sqliteFile(config) + end, what: 'the database', mode: '600' as const })),
    { path: join(dataFolder, 'operator-token'), what: 'an operator token', mode: '600' },
    { path: '.env', what: 'the settings', mode: '600', worst: 'warning' },
    // A group for keys is usual.
    ...keys.map((path) => ({ path, what: 'a key of TLS', mode: '640' as const })),
  ]
}

function openToOthers({ path, what, mode, worst }: Guarded): Check[] {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) return []
  const isOpen = (found.mode & OTHERS) !== 0
  if (!isOpen && ((found.mode & GROUP) === 0 || mode !== '600')) return []
  const octal = (found.mode & 0o777).toString(8)
  const detail = `${path} (${what}) has the mode ${octal}: ${isOpen ? 'every account' : 'its group'} may use it.`
  const advice = `chmod ${mode} ${path}`
  return [isOpen && worst === undefined ? critical(detail, advice) : warning(detail, advice)]
}

function usableFolder(folder: string): Check[] {
  const existing = existingFolder(folder)
  if (!statSync(existing).isDirectory()) {
    return [critical(`${existing} is a file, and DATA_DIR (${folder}) must be a folder.`, 'Set another DATA_DIR.')]
  }
  try {
    accessSync(existing, constants.R_OK | constants.W_OK | constants.X_OK)
    return []
  } catch {
    const advice = 'Give the folder to the account of the service (chown), or set another DATA_DIR.'
    return [critical(`${existing} (DATA_DIR) cannot be read and written by this account.`, advice)]
  }
}
