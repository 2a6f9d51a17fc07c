// Every npm script and every command answers `--help` and wrong options with its usage, and never with a stack.

import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { UsageError } from '../src/commands/command.ts'
import { commandNames, readArguments, usageOf } from '../src/commands/usage.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const scripts: Record<string, string> = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts

/** Their arguments are those of tsc, Biome and vitest, which answer themselves. */
const OF_TOOLS = ['types', 'lint', 'format', 'vitest']

/** Those whose usage names another call than `npm run NAME`. */
const USAGES: Record<string, string> = {
  start: 'Usage: paddock serve',
  test: 'Usage: npm test',
  'test:all': 'Usage: npm test',
  prepack: 'Usage: npm run build',
}

const folder = mkdtempSync(join(tmpdir(), 'paddock-help-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Half of the time of 60 processes is that they compile what others have compiled. */
const compileCache = join(tmpdir(), 'paddock-compile-cache')

type Ended = { code: number; out: string; err: string }

function run(file: string, args: string[], cwd: string): Promise<Ended> {
  const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter)
  const env = { PATH, HOME: process.env.HOME, DATA_DIR: folder, NODE_COMPILE_CACHE: compileCache }
  return new Promise((resolve) => {
    const child = execFile(file, args, { cwd, env }, (_, out, err) => resolve({ code: child.exitCode ?? -1, out, err }))
  })
}

/** As npm runs a script: in a shell, in the project's folder, with the words after `--` at its end. */
const npmScript = (name: string, words: string) => run('sh', ['-c', `${scripts[name]} ${words}`], root)
const paddock = (...args: string[]) => run(process.execPath, [join(root, 'src/main.ts'), ...args], folder)

const STACK = /^ {4}at /m

test.concurrent.each(Object.keys(scripts).filter((name) => !OF_TOOLS.includes(name)))('npm script %s', async (name) => {
  const usage = USAGES[name] ?? `Usage: npm run ${name}`
  const help = await npmScript(name, '--help')
  expect(help.code).toBe(0)
  expect(help.out.startsWith(usage)).toBe(true)
  expect(help.err).not.toMatch(STACK)
  const wrong = await npmScript(name, '--nosuch')
  expect([wrong.code, wrong.out]).toEqual([2, ''])
  expect(wrong.err).toMatch(/^Unknown option .--nosuch/m)
  expect(wrong.err).toContain(`\n\n${usage}`)
  expect(wrong.err).not.toMatch(STACK)
})

test.concurrent.each([
  ['torture', '--seconds=soon', '--seconds soon: use a number above 0'],
  ['torture', '--kills=0', '--kills 0: use a number above 0'],
  ['torture', '--control=none', '--control none: use charge-first, no-grace, new-key, identity-order'],
  [
    'failover',
    '--only kill --only flood',
    '--only flood: use kill, kill-two, restart, kill-async, switchover, kill-standby, no-standby, freeze, read-only, diverged',
  ],
  ['failover', '--seconds 0', '--seconds 0: use a number above 0'],
  ['mutation', 'no-such-guard', 'no guard has a name with "no-such-guard"'],
  ['bench', '--only nothing', '--only nothing: see --list'],
  ['bench:profile-read', '--rounds 0', '--rounds 0: use a number above 0'],
  ['bench:feed', '300000 oracle', 'ENGINE oracle: use sqlite, postgres, both'],
  ['bench:compare', 'no-such-ref', 'no-such-ref is no commit of this repository'],
  ['bench:peers', '--size huge', '--size huge: use tiny, small, medium, large'],
  ['sbom', 'one two', 'name one file'],
])('npm run %s -- %s is refused', async (name, words, why) => {
  const { code, err } = await npmScript(name, words)
  expect(code).toBe(2)
  expect(err).toContain(`${why}\n\nUsage: npm run ${name}`)
})

describe('paddock', () => {
  test('--help lists the commands, COMMAND --help prints its usage', async () => {
    const all = await paddock('--help')
    expect([all.code, all.err]).toEqual([0, ''])
    expect([...all.out.matchAll(/^ {2}([a-z-]+)\b/gm)].map(([, name]) => name)).toEqual(commandNames())
    expect(await paddock('token', '--help')).toEqual({ code: 0, out: `${usageOf('token')}\n`, err: '' })
  })

  test('what it does not know is named, with the usage', async () => {
    const command = await paddock('gallop')
    expect([command.code, command.out]).toEqual([2, ''])
    expect(command.err).toMatch(/^There is no command gallop\.\n\nUsage: paddock \[command\]/)
    const option = await paddock('migrate', '--nosuch')
    expect([option.code, option.out]).toEqual([2, ''])
    expect(option.err).toMatch(/^Unknown option '--nosuch'[^\n]*\n\nUsage: paddock migrate\n/)
  })

  test.each(commandNames())('%s refuses unknown options and more arguments than it takes', (name) => {
    expect(usageOf(name).startsWith(`Usage: paddock ${name}`)).toBe(true)
    expect(() => readArguments(name, ['--nosuch'])).toThrow(UsageError)
    expect(() => readArguments(name, ['a', 'b', 'c'])).toThrow(/^Unexpected argument '[abc]'\.$/)
  })

  test('a missing argument is refused; one that begins with a dash comes after --', () => {
    expect(() => readArguments('feed', [])).toThrow('An argument is missing.')
    expect(readArguments('feed', ['--', '--odd.ndjson'])).toEqual([['--odd.ndjson'], {}])
    expect(readArguments('token', ['night', 'feed', '--days', '7'])).toEqual([['night', 'feed'], { days: '7' }])
  })
})
