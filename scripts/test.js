// `npm test`: types, style, then every suite.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { createCLI } from 'vitest/node'
import { readCommandLine, UsageError } from './command-line.js'

const USAGE = `Usage: npm test [-- options of vitest]

  Checks types and style, then runs every suite. Arguments are vitest's ("npm run vitest -- --help" lists them):
  npm test -- --project sqlite test/flows`

const suites = readCommandLine(USAGE, (args) => {
  // Before types and style, which take half a minute.
  const cli = createCLI()
  cli.parse(['node', 'vitest', 'run', ...args], { run: false })
  try {
    cli.matchedCommand?.checkUnknownOptions()
  } catch (error) {
    throw new UsageError(error.message)
  }
  return args
})

const root = fileURLToPath(new URL('..', import.meta.url))
const STEPS = [
  ['typescript/bin/tsc', '--noEmit'],
  ['typescript/bin/tsc', '--noEmit', '-p', 'console'],
  ['typescript/bin/tsc', '--noEmit', '-p', 'showcase'],
  ['typescript/bin/tsc', '--noEmit', '-p', 'clients/typescript'],
  ['@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'],
  ['vitest/vitest.mjs', 'run', ...suites],
]

for (const [file, ...args] of STEPS) {
  const { status } = spawnSync(process.execPath, [`${root}node_modules/${file}`, ...args], {
    cwd: root,
    stdio: 'inherit',
  })
  if (status !== 0) process.exit(status ?? 1)
}
