// Checks that a test covers each guard of money and of batches: `npm run mutation -- --help`.

import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readCommandLine, UsageError } from '../scripts/command-line.js'
import { type Mutation, withoutGuard } from './mutations/mutation.ts'
import { MUTATIONS } from './mutations.ts'

/** On two busy cores the suites of a guard take a minute. */
const LIMIT_MS = 900_000

const SCHEDULES = ['test/schedules/schedules.test.ts']

const USAGE = `Usage: npm run mutation [-- PART…]

  Removes each guard of money and of batches (test/mutations.ts) in turn and checks that a test fails without it; with PART, only
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
  'docs',
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
  for (const project of new Set(selected.map((mutation) => mutation.project))) {
    const suites = selected.flatMap((mutation) => (mutation.project === project ? mutation.suites : []))
    const found = firstFailure({ suites, project })
    if (found !== null) throw new Error(`a suite fails without any mutation: ${found}`)
  }
  for (const mutation of selected) {
    const { verdict, by } = verdictOn(mutation)
    if (verdict !== 'killed') survivors++
    console.log(`${verdict.padEnd(9)} ${mutation.guard}${by === null ? '' : `: ${by}`}`)
  }
} finally {
  rmSync(copy, { recursive: true, force: true })
}
console.log(`${selected.length} guards, ${survivors} not covered by a test`)
process.exitCode = survivors === 0 ? 0 : 1

/** `by`: the test that fails without the guard. */
function verdictOn(mutation: Mutation): { verdict: 'killed' | 'SURVIVED' | 'NOT FOUND'; by: string | null } {
  const path = join(copy, mutation.file)
  const text = readFileSync(path, 'utf8')
  const mutated = withoutGuard(text, mutation)
  if (mutated === null) return { verdict: 'NOT FOUND', by: null }
  writeFileSync(path, mutated)
  try {
    const by = firstFailure(mutation)
    if (by === null) return { verdict: 'SURVIVED', by }
    if (mutation.ofOrder && firstFailure({ suites: SCHEDULES, project: 'sqlite' }) === null)
      return { verdict: 'SURVIVED', by: 'all schedules' }
    return { verdict: 'killed', by }
  } finally {
    writeFileSync(path, text)
  }
}

/** The name of the test that failed first, null where all pass. */
function firstFailure({ suites, project }: { suites: readonly string[]; project: string }): string | null {
  const args = ['vitest', 'run', '--project', project, '--bail', '1', '--no-color', ...new Set(suites)]
  const { status, stdout, stderr } = spawnSync('npx', args, { cwd: copy, encoding: 'utf8', timeout: LIMIT_MS })
  if (status === 0) return null
  if (status === null) return 'the suites do not end'
  return /FAIL\s+(.*)/.exec(stdout + stderr)?.[1] ?? 'the suites do not start'
}
