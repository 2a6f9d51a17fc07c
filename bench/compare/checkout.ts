// The code of another commit in a temporary folder, with the packages that are installed here.

import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { UsageError } from '../../scripts/command-line.js'
import type { FillCode } from '../data/data-sets.ts'
import { cleanUpAtExit, pathOf } from '../processes.ts'

export type Checkout = { root: string; fillCode: FillCode }

const repository = pathOf('..')
const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: repository, maxBuffer: 2 ** 30, stdio: ['ignore', 'pipe', 'pipe'] })

/** Its short hash and subject. */
export function describeCommit(ref: string): string {
  try {
    return git('log', '-1', '--format=%h (%s)', '--end-of-options', `${ref}^{commit}`).toString().trim()
  } catch {
    throw new UsageError(`${ref} is no commit of this repository`)
  }
}

export function describeWorkingTree(): string {
  const changed = git('status', '--porcelain', '--untracked-files=no').length > 0
  return `${describeCommit('HEAD')}${changed ? ' with uncommitted changes' : ''}`
}

export async function checkOut(ref: string): Promise<Checkout> {
  const root = mkdtempSync(join(tmpdir(), 'paddock-bench-'))
  cleanUpAtExit(() => rmSync(root, { recursive: true, force: true }))
  execFileSync('tar', ['-x', '-C', root], { input: git('archive', '--format=tar', `${ref}^{commit}`) })
  linkPackages(join(pathOf('..'), 'node_modules'), join(root, 'node_modules'))
  return { root, fillCode: await fillCodeOf(root) }
}

/** One by one: the service caches its compiled code in node_modules, and that cache must go with the folder. */
function linkPackages(installed: string, folder: string): void {
  mkdirSync(folder)
  for (const name of readdirSync(installed)) {
    if (name !== '.cache') symlinkSync(join(installed, name), join(folder, name))
  }
}

async function fillCodeOf(root: string): Promise<FillCode> {
  const module = (file: string) => import(pathToFileURL(join(root, file)).href)
  const { build } = (await module('bench/data/build.ts')) as Pick<FillCode, 'build'>
  // Older commits have it in src/database.
  const migrate = ['src/platform/database/migrate.ts', 'src/database/migrate.ts'].find((file) =>
    existsSync(join(root, file)),
  )
  if (migrate === undefined) throw new UsageError('that commit is too old: its code that fills a data set is not found')
  const { readMigrations } = (await module(migrate)) as Pick<FillCode, 'readMigrations'>
  return { folder: pathToFileURL(join(root, 'bench/data/')), build, readMigrations }
}
