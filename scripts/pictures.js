// Takes pictures of the screens: those of the README and the documents, or all of them for a person to look at.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { readCommandLine, UsageError } from './command-line.js'

const USAGE = `Usage: npm run pictures
       npm run pictures -- --all [PATTERN]

  Without --all it writes the pictures of the README and the documents to docs/images.
  With it, every screen at three sizes to test-output/pictures, with contact sheets (contact-1.png and so on) and index.html;
  PATTERN is a regular expression of names, as in "console withdrawals".`

const { all, pattern } = readCommandLine(USAGE, (args) => {
  const { values, positionals } = parseArgs({ args, options: { all: { type: 'boolean' } }, allowPositionals: true })
  const [pattern = '', ...others] = positionals
  if (others.length > 0 || (pattern !== '' && !values.all)) throw new UsageError('name one pattern, after --all')
  return { all: values.all, pattern }
})

const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url))
const file = `test/browser/${all ? 'all-pictures' : 'readme-pictures'}.test.ts`
const env = all ? { ALL_PICTURES: '1', PICTURES: pattern } : { UPDATE_PICTURES: '1' }
const run = spawn(process.execPath, [vitest, 'run', '--project', 'browser', file], {
  stdio: 'inherit',
  env: { ...process.env, ...env },
})
run.once('close', (code) => (process.exitCode = code ?? 1))
