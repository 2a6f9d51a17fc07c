// `npm test` and `npm run test:all`: the suites, with types and style beside them.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { createCLI } from 'vitest/node'
import { readCommandLine, UsageError } from './command-line.js'

const USAGE = `Usage: npm test [-- options of vitest]
       npm run test:all [-- options of vitest]

  Checks types and style, and runs the suites beside them: "npm test" those of every change, "npm run test:all" every suite on
  every engine, as a release needs it (test/suites.ts). Arguments are vitest's ("npm run vitest -- --help" lists them);
  with arguments both choose from all suites:
  npm test -- --project sqlite test/flows`

const options = readCommandLine(USAGE, (args) => {
  const suites = args.filter((one) => one !== '--all')
  const cli = createCLI()
  cli.parse(['node', 'vitest', 'run', ...suites], { run: false })
  try {
    cli.matchedCommand?.checkUnknownOptions()
  } catch (error) {
    throw new UsageError(error.message)
  }
  return { suites, all: args.includes('--all') || suites.length > 0 }
})

const root = fileURLToPath(new URL('..', import.meta.url))
// Single-threaded, a third less processor time; vitest keeps the processors busy meanwhile.
const CHECKS = [
  ['typescript/bin/tsc', '--noEmit', '--singleThreaded'],
  ['typescript/bin/tsc', '--noEmit', '--singleThreaded', '-p', 'console'],
  ['typescript/bin/tsc', '--noEmit', '-p', 'showcase'],
  ['typescript/bin/tsc', '--noEmit', '-p', 'clients/typescript'],
  ['@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'],
]

const processors = availableParallelism()
/**
 * The projects of vitest.config.ts, each in a vitest of its own: within one they run one after another, and each starts its
 * own workers, which cost 5 s of processor time each until they are warm. Beside each other, few workers keep all processors
 * busy: some wait for a browser or a clock while others compute.
 */
const RUNS = [
  { name: 'sqlite', args: ['--project', 'sqlite', '--project', 'package', `--maxWorkers=${processors}`] },
  { name: 'postgres', args: ['--project', 'postgres', `--maxWorkers=${processors}`] },
  // Its files wait for Chromium, which has processes of its own; without --all they are few.
  {
    name: 'browser',
    args: ['--project', 'browser', `--maxWorkers=${options.all ? processors : Math.ceil(processors / 2)}`],
  },
]

/** Resolves to the exit code, and to what it printed if `stdio` lets us read it. */
function run([file, ...args], stdio, env = process.env) {
  const child = spawn(process.execPath, [`${root}node_modules/${file}`, ...args], { cwd: root, stdio, env })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk))
  return new Promise((resolve) => child.once('close', (code) => resolve({ code: code ?? 1, output })))
}

/** One after another. */
async function check() {
  let failures = ''
  for (const step of CHECKS) {
    const { code, output } = await run(step, ['ignore', 'pipe', 'pipe'])
    if (code !== 0) failures += `\n${step.join(' ')} failed:\n${output}`
  }
  return failures
}

// test/harness/run-summary.ts adds to it.
const failuresFile = `${root}test-output/failures.txt`
rmSync(failuresFile, { force: true })

const environment = {
  ...process.env,
  TEST_SUITES: options.all ? 'all' : 'each-change',
  TEST_FAILURES: failuresFile,
  // Each of vitest's workers loads the service: half of the time of its start.
  NODE_COMPILE_CACHE: `${root}test-output/compile-cache`,
}

const vitest = (args, stdio, env) => run(['vitest/vitest.mjs', 'run', ...args], stdio, { ...environment, ...env })

const runs = options.suites.length > 0 ? [{ name: 'suites', args: options.suites }] : RUNS
const colours = process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}
// The first prints as it goes, and then each other one when it has ended.
const started = runs.map(({ args }, index) =>
  index === 0 ? vitest(args, 'inherit') : vitest(args, ['ignore', 'pipe', 'pipe'], colours),
)
const checked = check()

const codes = []
for (const [index, { name }] of runs.entries()) {
  if (index > 0) console.log(`\nThe suites of ${name}:`)
  const { code, output } = await started[index]
  process.stdout.write(output)
  codes.push(code)
}
const failed = runs.filter((_, index) => codes[index] !== 0).map(({ name }) => name)
const failures = await checked
console.log(failures === '' ? '\nTypes and style: no errors.' : failures)
if (failed.length > 0) {
  console.log(`\nFailed, see also above: ${failed.join(', ')}.`)
  if (existsSync(failuresFile)) console.log(readFileSync(failuresFile, 'utf8'))
}
process.exitCode = failures === '' ? Math.max(...codes) : 1
