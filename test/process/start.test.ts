// The process as an operator runs it: its output, how it stops, and its message when it cannot start.

import { type ChildProcess, exec, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync, statSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { newDataFolder } from '../harness/data-folder.ts'
import { isEachChange } from '../harness/each-change.ts'
import { startLogin } from '../harness/login.ts'
import { programEnvironment } from '../harness/program-environment.ts'
import { paddockProgram } from '../harness/service-program.ts'

const started: ChildProcess[] = []
const folders: string[] = []

afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

function newFolder(): string {
  const folder = newDataFolder()
  folders.push(folder)
  return folder
}

/** With the sandbox's data, which the first start in it writes: half of the time of a start. */
const seeded = newDataFolder()
afterAll(() => rmSync(seeded, { recursive: true, force: true }))

function start(environment: Record<string, string>) {
  const child = spawn(process.execPath, [paddockProgram, 'serve'], {
    env: { ...programEnvironment, PORT: '0', OPERATOR_PORT: '0', SANDBOX_SEED: 'people', ...environment },
    cwd: newFolder(),
  })
  started.push(child)
  const output = { out: '', err: '' }
  child.stdout.on('data', (chunk) => {
    output.out += chunk
  })
  child.stderr.on('data', (chunk) => {
    output.err += chunk
  })
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const listening = (async () => {
    while (!/listens on \S+/.test(output.out) || !/Try it[\s\S]*\n\n$/.test(output.out)) {
      if (child.exitCode !== null) throw new Error(output.err)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    return /listens on (\S+)/.exec(output.out)?.[1] as string
  })()
  listening.catch(() => {})
  return { child, output, ended, listening }
}

describe('npm start', () => {
  test('prints addresses, credentials and three curl lines that work when pasted', async () => {
    const { output, listening, child, ended } = start({ DATA_DIR: newFolder() })
    await listening
    expect(output.out).toMatch(
      /^Open the application: (http:\S+)\/app\nOpen the console, .*\n\nPaddock listens on \1 /m,
    )
    expect(output.out).toContain('who-apiKey: sandbox-key')
    expect(output.out).toContain('TGT-3-sandbox-carol')
    const curls = output.out.split('\n').filter((line) => line.trim().startsWith('curl '))
    expect(curls).toHaveLength(3)
    for (const line of curls) {
      const { stdout } = await promisify(exec)(`${line.trim()} -s -w '\\n%{http_code}'`, { shell: '/bin/bash' })
      expect(stdout).toMatch(/who(Profiles|Communities|Wallets)/)
      expect(stdout).toMatch(/\n200$/)
    }
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
  })

  test('a second start finds the data of the first, and its operator token; each prints another link that signs in', async () => {
    const data = newFolder()
    const first = start({ DATA_DIR: data })
    await first.listening
    const linkIn = (out: string) => /^Open the console, .*: (\S+)$/m.exec(out)?.[1] ?? ''
    const link = linkIn(first.output.out)
    const visit = () => fetch(link, { redirect: 'manual' })
    const signedIn = await visit()
    expect([signedIn.headers.get('location'), signedIn.headers.getSetCookie()]).toEqual([
      '/',
      [expect.stringMatching(/^paddock-console=[\w-]+; /)],
    ])
    expect((await visit()).headers.get('location')).toBe('/?refused=link-used')
    const token = readFileSync(join(data, 'operator-token'), 'utf8').trim()
    expect(statSync(join(data, 'operator-token')).mode & 0o777).toBe(0o600)
    expect(first.output.out).toContain(token)
    first.child.kill('SIGINT')
    expect(await first.ended).toBe(0)
    const second = start({ DATA_DIR: data })
    await second.listening
    expect(second.output.out).not.toContain(token)
    expect(linkIn(second.output.out)).toContain('/sign-in/link?code=')
    expect(linkIn(second.output.out).slice(-32)).not.toBe(link.slice(-32))
    second.child.kill('SIGTERM')
    expect(await second.ended).toBe(0)
  })

  test.each(isEachChange ? (['SIGHUP'] as const) : (['SIGTERM', 'SIGINT', 'SIGHUP'] as const))(
    '%s, also twice, lets requests in progress finish',
    async (signal) => {
      const { child, listening, ended } = start({ DATA_DIR: seeded })
      const url = await listening
      // Only one: on a busy machine the hashes of several take longer than the service waits for requests.
      const login = startLogin(url)
      await login.underWay
      child.kill(signal)
      child.kill(signal)
      expect(await login.status).toBe(201)
      expect(await ended).toBe(0)
    },
  )

  test('SIGTERM while it starts ends it, also as the first process of a container, where signals have no default', async () => {
    const silent = createServer().listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port } = silent.address() as AddressInfo
    const { child, ended } = start({
      DATA_DIR: newFolder(),
      DATABASE_URL: `postgres://u:p@127.0.0.1:${port}/db`,
      NODE_OPTIONS: '--import "data:text/javascript,Object.defineProperty(process,`pid`,{value:1})"',
    })
    await once(silent, 'connection')
    child.kill('SIGTERM')
    expect(await ended).toBe(143)
    silent.close()
  })

  test('acknowledged writes survive a kill at any moment', async () => {
    const first = start({ DATA_DIR: seeded })
    const url = await first.listening
    const headers = { 'who-apiKey': 'sandbox-key', 'who-secret': 'sandbox-secret', 'who-ticket': 'TGT-2-sandbox-bob' }
    const reply = await fetch(`${url}/v1/profiles/me?biography=Still+here`, { method: 'PUT', headers })
    expect(reply.status).toBe(200)
    first.child.kill('SIGKILL')
    await first.ended
    const second = start({ DATA_DIR: seeded })
    const again = await fetch(`${await second.listening}/v1/profiles/me`, { headers })
    expect(await again.text()).toContain('Still here')
  })

  test('mistakes in the settings are reported together, exit code 1', async () => {
    const { output, ended } = start({ DATA_DIR: newFolder(), MODE: 'nope', MAX_IN_FLIGHT: '0' })
    expect(await ended).toBe(1)
    expect(output.err).toContain('The settings have 2 problems:')
    expect(output.err).toContain('MODE=nope: write one of sandbox, production')
  })

  test('a port in use is reported with what to do, exit code 1', async () => {
    const first = start({ DATA_DIR: seeded })
    const port = new URL(await first.listening).port
    const second = start({ DATA_DIR: newFolder(), PORT: port, SANDBOX_SEED: 'off' })
    expect(await second.ended).toBe(1)
    expect(second.output.err).toContain(`Port ${port} is in use`)
  })
})
