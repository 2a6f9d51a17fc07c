// The npm scripts as a newcomer runs them, in a checkout of the project.

import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { newDataFolder } from '../harness/data-folder.ts'
import { startLogin } from '../harness/login.ts'
import { isAlive } from '../harness/workers.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folders: string[] = []
const started: ChildProcess[] = []

afterEach(() => {
  for (const child of started.splice(0)) {
    if (isAlive(-(child.pid as number))) process.kill(-(child.pid as number), 'SIGKILL')
  }
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'paddock-npm-'))
  folders.push(folder)
  return folder
}

/** With the sandbox's data, which the first start in it writes: most of the time of a start. */
const seeded = newDataFolder()
afterAll(() => rmSync(seeded, { recursive: true, force: true }))

/** In a process group of its own, as a shell starts it. */
function npmStart(checkout: string, environment: Record<string, string> = {}) {
  const child = spawn('npm', ['start'], {
    cwd: checkout,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      DATA_DIR: seeded,
      SANDBOX_SEED: 'people',
      PORT: '0',
      OPERATOR_PORT: '0',
      ...environment,
    },
    detached: true,
  })
  started.push(child)
  let output = ''
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const listening = new Promise<{ url: string; operatorUrl: string }>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk
      const url = /listens on (\S+)/.exec(output)?.[1]
      const operatorUrl = /operator listener is on (\S+)/.exec(output)?.[1]
      if (url !== undefined && operatorUrl !== undefined) resolve({ url, operatorUrl })
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('close', () => reject(new Error(output)))
  })
  return { child, ended, listening, output: () => output }
}

async function groupEnded(child: ChildProcess): Promise<void> {
  while (isAlive(-(child.pid as number))) await new Promise((resolve) => setTimeout(resolve, 20))
}

/** A separate checkout that shares node_modules. */
function copyOfCheckout(): string {
  const copy = newFolder()
  for (const name of [
    'package.json',
    'package-lock.json',
    '.npmrc',
    'assets',
    'scripts',
    'src',
    'assets',
    'migrations',
    'tools',
    'tsconfig.json',
    'web',
  ]) {
    cpSync(join(root, name), join(copy, name), { recursive: true })
  }
  for (const application of ['console', 'showcase']) {
    mkdirSync(join(copy, application))
    for (const name of ['index.html', 'vite.config.ts', 'tsconfig.json', 'src']) {
      cpSync(join(root, application, name), join(copy, application, name), { recursive: true })
    }
  }
  cpSync(join(root, 'clients/typescript'), join(copy, 'clients/typescript'), {
    recursive: true,
    filter: (name) => !name.includes('node_modules'),
  })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  return copy
}

describe('npm start', () => {
  test('SIGTERM to npm lets requests in progress finish, stops the service, and exits with 0', async () => {
    const { child, ended, listening } = npmStart(root)
    const { url } = await listening
    const logins = Array.from({ length: 4 }, () => startLogin(url))
    await Promise.all(logins.map(({ underWay }) => underWay))
    child.kill('SIGTERM')
    for (const { status } of logins) expect(await status).toBe(201)
    expect(await ended).toBe(0)
    await expect(fetch(url)).rejects.toThrow()
  })

  test.each(['SIGINT', 'SIGHUP'] as const)(
    '%s to the process group, as from a terminal, stops every process',
    async (signal) => {
      const { child, listening } = npmStart(root)
      const { url } = await listening
      const login = startLogin(url)
      await login.underWay
      process.kill(-(child.pid as number), signal)
      expect(await login.status).toBe(201)
      await groupEnded(child)
    },
  )

  test('works where npm ignores all scripts but the requested one', async () => {
    const { child, ended, listening } = npmStart(root, { npm_config_ignore_scripts: 'true' })
    await listening
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
  })

  test('a failed build of the console is reported in three lines, and the service starts', async () => {
    const checkout = copyOfCheckout()
    writeFileSync(join(checkout, 'console/src/main.tsx'), 'import "./missing.ts"\n')
    const { child, ended, listening, output } = npmStart(checkout)
    const { operatorUrl } = await listening
    const lines = output().split('\n')
    const first = lines.findIndex((line) => line.startsWith('The console could not be built: '))
    expect(lines[first]).toMatch(/missing\.ts/)
    expect(lines[first + 1]).toBe('The service works without it.')
    expect(lines[first + 2]).toBe('To see the whole error, run: npm run build:web')
    expect(output()).not.toMatch(/^\s+at /m)
    const page = await (await fetch(operatorUrl)).text()
    expect(page).toContain('The console is not built')
    expect(page).toContain('npm run build:web')
    expect(existsSync(join(checkout, 'console/dist'))).toBe(false)
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
  })
})
