import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { giveToOwner } from '../../runtime/data-folder.ts'
import { syncPath } from '../sqlite/backup.ts'
import { PICTURES, SANDBOX_BANK, TOKEN } from './files.ts'
import type { Manifest } from './manifest.ts'

/** Puts them beside the database; returns where those are that they replace. The token of an operator who has one stays. */
export function restoreFiles(folder: string, dataFolder: string, manifest: Manifest, aside: string): string[] {
  const names = manifest.files.map(({ name }) => name)
  const has = (name: string) => names.includes(name)
  const replaced: string[] = []
  if (manifest.pictures === 'included') {
    const pictures = names.filter((name) => name.startsWith(`${PICTURES}/`))
    replaced.push(...swap(dataFolder, PICTURES, aside, (incoming) => copyAll(folder, pictures, incoming)))
  }
  if (has(SANDBOX_BANK)) {
    replaced.push(...swap(dataFolder, SANDBOX_BANK, aside, (to) => copyFileSync(join(folder, SANDBOX_BANK), to)))
  }
  if (has(TOKEN) && !existsSync(join(dataFolder, TOKEN))) {
    copyFileSync(join(folder, TOKEN), join(dataFolder, TOKEN))
    giveToOwner(dataFolder, join(dataFolder, TOKEN))
  }
  return replaced
}

function swap(dataFolder: string, name: string, aside: string, fill: (incoming: string) => void): string[] {
  const [path, incoming] = [join(dataFolder, name), join(dataFolder, `${name}.incoming`)]
  rmSync(incoming, { recursive: true, force: true })
  fill(incoming)
  giveToOwner(dataFolder, incoming)
  const replaced = `${path}.replaced-${aside}`
  const isThere = existsSync(path)
  for (const end of ['', '-wal', '-shm']) if (existsSync(path + end)) renameSync(path + end, replaced + end)
  renameSync(incoming, path)
  syncPath(dataFolder)
  return isThere ? [replaced] : []
}

function copyAll(folder: string, pictures: readonly string[], incoming: string): void {
  mkdirSync(incoming, { recursive: true })
  for (const name of pictures) {
    const to = join(incoming, name.slice(PICTURES.length + 1))
    mkdirSync(dirname(to), { recursive: true })
    copyFileSync(join(folder, name), to)
    syncPath(to)
  }
}
