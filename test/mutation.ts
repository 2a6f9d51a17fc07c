// Checks that a test covers each guard of the deposits and of batches: `npm run mutation -- --help`.

import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readCommandLine, UsageError } from '../scripts/command-line.js'
import { MUTATIONS, type Mutation, withoutGuard } from './mutations.ts'

const SUITES = [
  'test/contract/wallets',
  'test/flows/deposits',
  'test/flows/deposit-changes',
  'test/flows/adyen',
  'test/flows/gateway-switch',
  'test/operator/wallets',
  'test/concurrency/deposits.test.ts',
]

const USAGE = `Usage: npm run mutation [-- PART…]

  Removes each guard of the deposits and of batches (test/mutations.ts) in turn and checks that a test fails without it; with PART, only
  those whose name contains one of these. Works on a copy of the project. Exit code 1: a guard is not covered by a test.`

const selected = readCommandLine(USAGE, (args) => {
  const only = parseArgs({ args, allowPositionals: true }).positionals
  const unknown = only.filter((part) => !MUTATIONS.some(({ guard }) => guard.includes(part)))
  if (unknown.length > 0) throw new UsageError(`no guard has a name with "${unknown.join('" or "')}"`)
  return MUTATIONS.filter(({ guard }) => only.length === 0 || only.some((part) => guard.includes(part)))
})

const root = new URL('../', import.meta.url).pathname
const copy = mkdtempSync(join(tmpdir(), 'paddock-mutation-'))
for (const name of [
  'src',
  'test',
  'migrations',
  'assets',
  'web',
  'package.json',
  'tsconfig.json',
  'vitest.config.ts',
]) {
  cpSync(join(root, name), join(copy, name), { recursive: true })
}
symlinkSync(
  execFileSync('realpath', [join(root, 'node_modules')])
    .toString()
    .trim(),
  join(copy, 'node_modules'),
)

let survivors = 0
try {
  if (!suitesPass(selected.flatMap(({ suites = SUITES }) => suites)))
    throw new Error('the suites fail without any mutation')
  for (const mutation of selected) {
    const verdict = verdictOn(mutation)
    if (verdict !== 'killed') survivors++
    console.log(`${verdict.padEnd(9)} ${mutation.guard}`)
  }
} finally {
  rmSync(copy, { recursive: true, force: true })
}
console.log(`${selected.length} guards, ${survivors} not covered by a test`)
process.exitCode = survivors === 0 ? 0 : 1

function verdictOn(mutation: Mutation): 'killed' | 'SURVIVED' | 'NOT FOUND' {
  const path = join(copy, mutation.file)
  const text = readFileSync(path, 'utf8')
  const mutated = withoutGuard(text, mutation)
  if (mutated === null) return 'NOT FOUND'
  writeFileSync(path, mutated)
  try {
    return suitesPass(mutation.suites ?? SUITES) ? 'SURVIVED' : 'killed'
  } finally {
    writeFileSync(path, text)
  }
}

function suitesPass(suites: readonly string[]): boolean {
  const args = ['vitest', 'run', '--project', 'sqlite', '--bail', '1', ...new Set(suites)]
  return spawnSync('npx', args, { cwd: copy, stdio: 'ignore', timeout: 300_000 }).status === 0
}
