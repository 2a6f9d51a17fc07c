// Checks that a test covers each guard of money and of batches: `npm run mutation -- --help`.

import { execFile, execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readCommandLine, UsageError } from '../scripts/command-line.js'
import { startPostgres } from './harness/postgres.ts'
import { editsOf, type Mutation, withoutGuard } from './mutations/mutation.ts'
import { MUTATIONS, SUBJECTS } from './mutations.ts'

/** On two busy cores the suites of a guard take a minute. */
const LIMIT_MS = 900_000

/** More than `npm test` plays: the order that a guard is for may be one of hundreds. */
const SCHEDULES = {
  suites: ['test/schedules/schedules.test.ts'],
  project: 'sqlite',
  settings: { SHRINK: 'off', PROPERTY_RUNS: '4' },
}

const USAGE = `Usage: npm run mutation [-- [--schedules | --suites] [--subject=SUBJECT]… PART…]

  Removes each guard of money and of batches (test/mutations.ts) in turn and checks that a test fails without it, and of those of
  "scheduled" that test/schedules fails too; with PART, only those whose name contains one of these. Works on a copy of the
  project. Exit code 1: a guard is not covered by a test.

  --subject     only the guards of these (${Object.keys(SUBJECTS).join(', ')})
  --schedules   only test/schedules: those of "scheduled" must be found, and others are not asked unless they are named
  --suites      only the suites of each guard`

const { selected, onlySchedules, onlySuites } = readCommandLine(USAGE, (args) => {
  const options = {
    schedules: { type: 'boolean', default: false },
    suites: { type: 'boolean', default: false },
    subject: { type: 'string', multiple: true, default: [] as string[] },
  } as const
  const { positionals: only, values } = parseArgs({ args, options, allowPositionals: true })
  const strange = values.subject.filter((name) => SUBJECTS[name] === undefined)
  if (strange.length > 0) throw new UsageError(`no subject is called "${strange.join('" or "')}"`)
  const offered = values.subject.length === 0 ? MUTATIONS : values.subject.flatMap((name) => SUBJECTS[name] ?? [])
  const unknown = only.filter((part) => !offered.some(({ guard }) => guard.includes(part)))
  if (unknown.length > 0) throw new UsageError(`no guard has a name with "${unknown.join('" or "')}"`)
  const selected = offered.filter(({ guard }) => only.length === 0 || only.some((part) => guard.includes(part)))
  const isAsked = ({ scheduled }: Mutation) => !values.schedules || scheduled === true || only.length > 0
  return { selected: selected.filter(isAsked), onlySchedules: values.schedules, onlySuites: values.suites }
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

// One server for all runs on it: each makes its own databases, with the migrations of the copy.
const server =
  selected.some(({ project }) => project === 'postgres') && !onlySchedules ? await startPostgres() : undefined
let survivors = 0
try {
  for (const run of onlySchedules ? [SCHEDULES] : runsOf(selected)) {
    const found = await firstFailure(run)
    if (found !== null) throw new Error(`a suite fails without any mutation: ${found}`)
  }
  for (const mutation of selected) {
    const { verdict, by } = await verdictOn(mutation)
    if (verdict !== 'killed' && verdict !== 'behind' && (mutation.scheduled || !onlySchedules)) survivors++
    console.log(`${verdict.padEnd(9)} ${mutation.guard}${by === null ? '' : `: ${by}`}`)
  }
} finally {
  await server?.remove()
  rmSync(copy, { recursive: true, force: true })
}
console.log(`${selected.length} guards, ${survivors} not covered by a test`)
process.exitCode = survivors === 0 ? 0 : 1

type Run = {
  readonly suites: readonly string[]
  readonly project: string
  readonly settings?: Readonly<Record<string, string>>
}

/** All suites of an engine together. */
function runsOf(mutations: readonly Mutation[]): Run[] {
  return [...new Set(mutations.map(({ project }) => project))].map((project) => ({
    project,
    suites: mutations.flatMap((mutation) => (mutation.project === project ? mutation.suites : [])),
  }))
}

/** behind: another guard stands behind it, so that no test fails. */
type Verdict = 'killed' | 'behind' | 'SURVIVED' | 'NOT FOUND'

/** `by`: the test that fails without the guard. */
async function verdictOn(mutation: Mutation): Promise<{ verdict: Verdict; by: string | null }> {
  const texts = new Map<string, string>()
  try {
    for (const edit of editsOf(mutation)) {
      const path = join(copy, edit.file)
      const text = readFileSync(path, 'utf8')
      if (!texts.has(path)) texts.set(path, text)
      const mutated = withoutGuard(text, edit)
      if (mutated === null) return { verdict: 'NOT FOUND', by: null }
      writeFileSync(path, mutated)
    }
    const by = await firstFailure(onlySchedules ? SCHEDULES : mutation)
    if (by === null && mutation.behind !== undefined) return { verdict: 'behind', by: mutation.behind }
    if (by === null) return { verdict: 'SURVIVED', by }
    const isScheduled = !onlySchedules && !onlySuites && mutation.scheduled
    if (!isScheduled) return { verdict: 'killed', by }
    const scheduledBy = await firstFailure(SCHEDULES)
    if (scheduledBy === null) return { verdict: 'SURVIVED', by: 'all schedules' }
    return { verdict: 'killed', by: `${by}; ${scheduledBy}` }
  } finally {
    for (const [path, text] of texts) writeFileSync(path, text)
  }
}

/** The name of the test that failed first, null where all pass. */
async function firstFailure({ suites, project, settings = {} }: Run): Promise<string | null> {
  const vitest = [join(copy, 'node_modules/vitest/vitest.mjs'), 'run', '--project', project]
  const args = [...vitest, '--bail', '1', '--no-color', ...new Set(suites)]
  const ours = project === 'postgres' && server !== undefined ? { TEST_DATABASE_URL: server.url } : {}
  const env = { ...process.env, NODE_COMPILE_CACHE: join(copy, 'compile-cache'), ...ours, ...settings }
  const { status, output } = await ended(args, env)
  if (status === 0) return null
  if (status === null) return 'the suites do not end'
  const failed = /FAIL\s+(.*)/.exec(output)?.[1] ?? 'the suites do not start'
  const [, times, seed] = /Property failed after (\d+) tests\s+\{ seed: (-?\d+)/.exec(output) ?? []
  return times === undefined ? failed : `${failed} (seed ${seed}, ${times} runs)`
}

/**
 * `status` null: they took too long. This process goes on meanwhile: the server waits for ever to write to a log that nobody
 * reads.
 */
function ended(args: readonly string[], env: NodeJS.ProcessEnv): Promise<{ status: number | null; output: string }> {
  const options = { cwd: copy, timeout: LIMIT_MS, maxBuffer: 64 * 1024 * 1024, env }
  return new Promise((resolve) => {
    const child = execFile(process.execPath, args, options, (_, stdout, stderr) =>
      resolve({ status: child.exitCode, output: stdout + stderr }),
    )
  })
}
