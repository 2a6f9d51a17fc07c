// The service as a program for tests that start it in processes of its own: a bundle of the sources and packages, made once
// for each state of them. Loading its 500 modules one by one takes 0.6 s of processor time more, and a whole run starts it
// some 250 times. From the sources it is started by test/process/npm.test.ts, compiled by test/process/package.test.ts.

import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const DAY_MS = 86_400_000
const root = fileURLToPath(new URL('../..', import.meta.url))
const bundler = join(root, 'test/harness/bundle-service.ts')
const bundles = join(root, 'test-output/service')
const folder = join(bundles, hashOfSources())

if (!existsSync(folder)) bundle()

/** What `paddock` runs. */
export const paddockProgram = join(folder, 'main.js')
/** test/harness/crash-entry.ts. */
export const crashProgram = join(folder, 'crash-entry.js')

function hashOfSources(): string {
  const hash = createHash('sha256')
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  )
  const entries = ['bundle-service.ts', 'crash-entry.ts', 'crash-orders.ts'].map((name) => `test/harness/${name}`)
  const others = ['package-lock.json', ...entries]
  for (const file of [...others, ...sources.map((name) => `src/${name}`).sort()]) {
    hash.update(`\n${file}\n`).update(readFileSync(join(root, file)))
  }
  return hash.digest('hex').slice(0, 16)
}

/** Another process may make the same at the same time: the first is used. */
function bundle(): void {
  const unfinished = `${folder}.${process.pid}`
  execFileSync(process.execPath, [bundler, unfinished], { stdio: ['ignore', 'ignore', 'inherit'] })
  removeOld()
  try {
    renameSync(unfinished, folder)
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    if (!existsSync(folder)) throw error
  }
}

function removeOld(): void {
  mkdirSync(bundles, { recursive: true })
  for (const name of readdirSync(bundles)) {
    const found = statSync(join(bundles, name), { throwIfNoEntry: false })
    if (found !== undefined && found.mtimeMs < Date.now() - DAY_MS)
      rmSync(join(bundles, name), { recursive: true, force: true })
  }
}
