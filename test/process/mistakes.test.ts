// What an operator sees after a mistake: one line that says what to do, and no second service on the same data.

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, describe, expect, test } from 'vitest'
import { newDataFolder } from '../harness/data-folder.ts'
import { paddockProgram } from '../harness/service-program.ts'

const folders: string[] = []
const started: ChildProcess[] = []
const SETTINGS = { PORT: '0', OPERATOR_PORT: '0', SANDBOX_SEED: 'off', LOG_LEVEL: 'silent', DATABASE_WAIT_SECONDS: '0' }

afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

function newFolder(): string {
  const folder = newDataFolder()
  folders.push(folder)
  return folder
}

type Environment = Record<string, string>

/** Ends by itself, or fails the test. */
async function paddock(commandLine: string[], environment: Environment = {}, cwd = newFolder()) {
  const env = { PATH: process.env.PATH, DATA_DIR: join(cwd, 'data'), ...SETTINGS, ...environment }
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [paddockProgram, ...commandLine], {
      env,
      cwd,
    })
    return { code: 0, out: stdout, err: stderr }
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string }
    return { code, out: stdout, err: stderr }
  }
}

/** Resolves when it listens. */
async function serve(environment: Environment, cwd = newFolder()) {
  const env = { PATH: process.env.PATH, ...SETTINGS, ...environment }
  const child = spawn(process.execPath, [paddockProgram, 'serve'], { env, cwd })
  started.push(child)
  const output = { out: '', err: '' }
  child.stdout.on('data', (chunk) => {
    output.out += chunk
  })
  child.stderr.on('data', (chunk) => {
    output.err += chunk
  })
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  await expect.poll(() => child.exitCode !== null || /listens on \S+/.test(output.out), { timeout: 60_000 }).toBe(true)
  expect([output.err, child.exitCode]).toEqual([expect.any(String), null])
  return { child, output, ended }
}

test('paddock --version prints the version', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  expect(await paddock(['--version'])).toEqual({ code: 0, out: `${version}\n`, err: '' })
})

describe('in one line', () => {
  const nowhere = 'postgres://u:hunter2@127.0.0.1:1/d'
  test.each([
    [
      'PostgreSQL is away',
      ['serve'],
      { DATABASE_URL: nowhere },
      /^PostgreSQL is unavailable: .*Start it, or correct DATABASE_URL\.$/,
    ],
    ['the same for a command', ['migrate'], { DATABASE_URL: nowhere }, /^PostgreSQL is unavailable: .*DATABASE_URL\.$/],
    [
      'a file is missing',
      ['serve'],
      { TLS_CERT: '/nowhere/cert.pem', TLS_KEY: '/nowhere/key.pem' },
      /^TLS_(CERT|KEY)=\/nowhere\/\w+\.pem cannot be used: ENOENT/,
    ],
    [
      'the data folder cannot be created',
      ['serve'],
      { DATA_DIR: '/dev/null/data' },
      /^DATA_DIR=\/dev\/null\/data cannot be used: ENOTDIR/,
    ],
    [
      'a command comes before the schema',
      ['token', 'ann', 'admin'],
      {},
      /^The database is not migrated .*run "paddock migrate"/,
    ],
  ])('says what to do when %s', async (_name, commandLine, environment, words) => {
    const { code, err } = await paddock(commandLine, environment as Environment)
    expect(code).toBe(1)
    expect(err.trim()).toMatch(words)
    expect(err.trim().split('\n')).toHaveLength(1)
    expect(err).not.toContain('hunter2')
  })

  test('one port for both listeners, before the database is touched', async () => {
    const cwd = newFolder()
    const { code, err } = await paddock(['serve'], { PORT: '9080', OPERATOR_PORT: '9080' }, cwd)
    expect([code, err]).toEqual([1, expect.stringContaining('OPERATOR_PORT=9080: PORT has it already')])
    expect(existsSync(join(cwd, 'data'))).toBe(false)
  })
})

describe('a file .env', () => {
  test('with a malformed line is refused', async () => {
    const cwd = newFolder()
    writeFileSync(join(cwd, '.env'), 'MODE production\n')
    expect(await paddock(['migrate'], {}, cwd)).toMatchObject({ code: 1, err: expect.stringContaining('.env, line 1') })
    expect(existsSync(join(cwd, 'data'))).toBe(false)
  })

  test('with an unknown name is used, and the name reported once, also with workers', async () => {
    const cwd = newFolder()
    writeFileSync(join(cwd, '.env'), 'DATA_DIR=here\nMAX_IN_FLIGTH=5\n')
    const { child, output, ended } = await serve({ WORKERS: '2' }, cwd)
    expect(output.err).toBe('.env, line 2: there is no setting MAX_IN_FLIGTH; did you mean MAX_IN_FLIGHT?\n')
    expect(existsSync(join(cwd, 'here', 'paddock.db'))).toBe(true)
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
  })
})

test.each([['1'], ['2']])(
  'a second serve on a data folder is refused, with %s workers; other commands are not',
  async (WORKERS) => {
    const DATA_DIR = join(newFolder(), 'data')
    mkdirSync(DATA_DIR)
    const first = await serve({ DATA_DIR, WORKERS })
    const second = await paddock(['serve'], { DATA_DIR })
    expect(second).toMatchObject({
      code: 1,
      err: `Another "paddock serve" runs on the data folder ${DATA_DIR}: stop it, or set another DATA_DIR.\n`,
    })
    expect(await paddock(['backup', 'b'], { DATA_DIR })).toMatchObject({ code: 0 })
    expect(await paddock(['token', 'ann', 'admin'], { DATA_DIR })).toMatchObject({ code: 0 })
    first.child.kill('SIGKILL')
    await first.ended
    const third = await serve({ DATA_DIR, WORKERS })
    third.child.kill('SIGTERM')
    expect(await third.ended).toBe(0)
  },
)
