import { existsSync, statfsSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { sqliteFile } from '../../platform/configured-database.ts'
import type { Check } from '../health/checks.ts'
import { type Probe, part, sizeText } from './probe.ts'

const { good, warning, critical } = part('disk', 'Disk')

const SCARCE = 2e9
const ALMOST_FULL = 256e6

export const diskSpace: Probe = {
  name: 'disk',
  title: 'Disk',
  run({ config }) {
    const folder = existingFolder(config.dataFolder)
    const { bavail, bsize } = statfsSync(folder)
    const files = config.databaseUrl === null ? ['', '-wal'].map((end) => sqliteFile(config) + end) : []
    const database = files.reduce((sum, file) => sum + sizeOf(file), 0)
    return [diskCheck(config.dataFolder, bavail * bsize, database)]
  },
}

/** 0: there is none, or this account may not look, which is for the check of files to say. */
function sizeOf(file: string): number {
  try {
    return statSync(file).size
  } catch {
    return 0
  }
}

/** `database`: the size of the embedded one, of which a migration or a backup beside it may need as much again. */
export function diskCheck(folder: string, free: number, database: number): Check {
  const detail = `${sizeText(free)} are free for DATA_DIR (${folder})${database > 0 ? `; the database has ${sizeText(database)}` : ''}.`
  if (free < ALMOST_FULL) return critical(detail, 'Make room now: a full disk stops every write.')
  if (free < SCARCE || free < database) {
    return warning(detail, 'Make room: a migration or a backup there may need as much again as the database has.')
  }
  return good(detail)
}

/** A first start creates what is missing. */
export function existingFolder(folder: string): string {
  const path = resolve(folder)
  return existsSync(path) || dirname(path) === path ? path : existingFolder(dirname(path))
}
