// The npm package as its users meet it: packed, installed into an empty folder, and run from there. Needs the registry
// or npm's cache of it.

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { readmePrograms } from '../harness/client-readme.ts'
import { typeScriptImports } from '../harness/declarations.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'paddock-package-'))
/** File URLs escape a space: code that uses the path of a URL without decoding it does not find the file. */
const app = join(folder, 'my app')
const installed = join(app, 'node_modules/paddock')
const started: ChildProcess[] = []
/** Seconds, but for a slow network or a busy machine. */
const INSTALL_WITHIN_MS = 300_000

/** What npm needs to reach the registry. Nothing else: npm and vitest set variables that the service would read. */
const environment = {
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) =>
      /^(HOME|npm_config_(registry|cache|userconfig)|NODE_EXTRA_CA_CERTS|SSL_CERT_\w+|\w+_proxy)$/i.test(name),
    ),
  ),
  PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
}

const run = (command: string, args: string[], cwd: string) =>
  promisify(execFile)(command, args, { cwd, env: environment })

/** Below its folder, which is created. */
async function install(cwd: string, ...packages: string[]): Promise<void> {
  mkdirSync(cwd)
  await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts', ...packages], cwd)
}

/** The path of the tarball. */
async function pack(cwd: string): Promise<string> {
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], cwd)
  return join(folder, JSON.parse(stdout.slice(stdout.indexOf('[')))[0].filename)
}

/** The oldest TypeScript that the client's README names, and a Node that is too old for the service, as tools/node installs a newer one. */
const oldVersions = join(folder, 'old-versions')
const platform = `${process.platform}-${process.arch}`.replace('win32', 'win').replace('darwin-arm', 'bin-darwin-arm')
const node20 = join(oldVersions, `node_modules/node-${platform}/bin/node`)
const oldCompiler = join(oldVersions, 'node_modules/typescript/bin/tsc')

beforeAll(async () => {
  const client = join(root, 'clients/typescript')
  const [, typeScript] = /TypeScript (\d+\.\d+) or later/.exec(readFileSync(join(client, 'README.md'), 'utf8')) ?? []
  await install(app, await pack(root))
  await install(oldVersions, await pack(client), `typescript@~${typeScript}.0`, `node-${platform}@20`)
}, INSTALL_WITHIN_MS)

afterEach(() => {
  for (const { pid } of started.splice(0)) {
    try {
      process.kill(-(pid as number), 'SIGKILL')
    } catch {
      // All of them have ended.
    }
  }
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** In a process group of its own, as a shell starts it. */
async function start(command: string[], settings: Record<string, string> = {}) {
  const [file, ...args] = command as [string, ...string[]]
  const env = { ...environment, PORT: '0', OPERATOR_PORT: '0', ...settings }
  const child = spawn(file, args, { cwd: app, env, detached: true })
  started.push(child)
  let output = ''
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const addresses = new Promise<{ url: string; operatorUrl: string; link: string | undefined }>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk
      const [url, operatorUrl] = [/listens on (\S+)/, /operator listener is on (\S+)/].map(
        (line) => line.exec(output)?.[1],
      )
      const link = /^Open the console, .*: (\S+)$/m.exec(output)?.[1]
      if (url !== undefined && operatorUrl !== undefined) resolve({ url, operatorUrl, link })
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('close', () => reject(new Error(output)))
  })
  return { child, ended, ...(await addresses) }
}

const headers = { 'who-apiKey': 'sandbox-key', 'who-secret': 'sandbox-secret', accept: 'application/json' }

describe('the npm package', () => {
  test('contains the program and its documents, and nothing else', () => {
    expect(
      readdirSync(installed)
        .filter((name) => name !== 'node_modules')
        .sort(),
    ).toEqual(
      [
        '.env.example',
        'CHANGELOG.md',
        'LICENSE',
        'README.md',
        'THIRD_PARTY.md',
        'assets',
        'console',
        'dist',
        'docs',
        'migrations',
        'package.json',
        'showcase',
        'web',
      ].sort(),
    )
    const files = readdirSync(installed, { recursive: true, encoding: 'utf8' })
    expect(files.filter((name) => /(?<!\.d)\.tsx?$|\.stamp$|^migrations\/schema\./.test(name))).toEqual([])
    const compiled = (name: string) => files.includes(join('dist', name))
    expect(
      ['main.js', 'service.js', 'service.d.ts', 'profiles/pictures/default.png'].filter((name) => !compiled(name)),
    ).toEqual([])
  })

  test('on a Node that is too old says what to do, and no stack', async () => {
    const refused = await run(node20, [join(installed, 'dist/main.js'), 'serve'], app).catch((error) => error)
    expect([refused.code, refused.stdout]).toEqual([1, ''])
    expect(refused.stderr).toMatch(/^Paddock needs Node .*\nThis is Node 20\.\d+\.\d+\.\nInstall .*\n$/)
  })

  test('npx paddock serve serves pictures, reference and console, and Ctrl-C stops it', async () => {
    const { child, ended, url, operatorUrl, link } = await start(['npx', 'paddock', 'serve'])
    const signedIn = await fetch(`${link}`, { redirect: 'manual' })
    expect([signedIn.status, signedIn.headers.getSetCookie().length]).toEqual([303, 1])
    const profile = await fetch(`${url}/v1/profiles/3`, { headers })
    expect([profile.status, await profile.text()]).toEqual([200, expect.stringContaining('Carol Cheltenham')])
    const files = ['/docs/page.js', '/docs/request.js', '/docs/reference.css', '/docs/icon.svg']
    for (const path of [
      '/pictures/default.png',
      '/docs',
      '/docs/getProfile',
      '/docs/errors',
      ...files,
      '/postman.json',
    ]) {
      expect([path, (await fetch(url + path)).status]).toEqual([path, 200])
    }
    for (const path of ['/docs', '/docs/putSport', '/docs/roles', ...files]) {
      expect([path, (await fetch(operatorUrl + path)).status]).toEqual([path, 200])
    }
    const page = await (await fetch(operatorUrl)).text()
    const script = /src="([^"]+\.js)"/.exec(page)?.[1]
    expect((await fetch(new URL(`${script}`, operatorUrl))).status).toBe(200)
    process.kill(-(child.pid as number), 'SIGINT')
    await ended
    await expect(fetch(url)).rejects.toThrow()
  })

  test('the command with workers exits with 0 at SIGTERM', async () => {
    const { child, ended, url } = await start([join(app, 'node_modules/.bin/paddock')], { WORKERS: '2' })
    expect((await fetch(`${url}/v1/profiles/3`, { headers })).status).toBe(200)
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
  })

  test('the thread that updates tips after a settlement finds its file', async () => {
    const script = `import { drainInThread } from 'paddock/communities/start-tip-status-thread'
      await drainInThread('data/paddock.db').run()`
    writeFileSync(join(app, 'drain.mjs'), script)
    await run(process.execPath, ['drain.mjs'], app)
  })

  test('has types', async () => {
    expect(typeScriptImports(join(installed, 'dist'))).toEqual([])
    const file = join(app, 'own.mts')
    const use = (level: string) => `import { readConfig } from 'paddock/platform/config/config'
      export const level: ${level} = readConfig({}).logLevel\n`
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--types', 'node']
    const check = () =>
      run(process.execPath, [tsc, ...options, '--typeRoots', join(root, 'node_modules/@types'), file], app)
    writeFileSync(file, use('string'))
    await check()
    writeFileSync(file, use('number'))
    await expect(check()).rejects.toMatchObject({ stdout: expect.stringContaining('TS2322') })
  })
})

test('the client has types for the oldest TypeScript that its README names', async () => {
  writeFileSync(join(oldVersions, 'examples.mts'), readmePrograms().examples)
  const strict = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--skipDefaultLibCheck']
  const options = [...strict, '--module', 'nodenext', '--target', 'es2022', '--lib', 'es2022,dom', 'examples.mts']
  await run(process.execPath, [oldCompiler, ...options], oldVersions).catch((error) => {
    throw new Error(error.stdout)
  })
})
