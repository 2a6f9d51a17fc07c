// paddock doctor as an operator runs it. What each check finds: test/operator/doctor.test.ts.

import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newDataFolder } from '../harness/data-folder.ts'
import { freezableProxy } from '../harness/freezable-proxy.ts'
import { startPostgres, startReplicatedPostgres } from '../harness/postgres.ts'
import { startTestService, type TestService } from '../harness/service.ts'
import { paddockProgram } from '../harness/service-program.ts'

const folder = newDataFolder()
const data = join(folder, 'data')
let service: TestService

beforeAll(async () => {
  service = await startTestService({ LOG_LEVEL: 'silent' }, { settings: { DATA_DIR: data }, remove: async () => {} })
})
afterAll(async () => {
  await service.close()
  rmSync(folder, { recursive: true, force: true })
})

/** What `paddock COMMAND` ended with and printed. */
async function paddock(given: string[], environment: Record<string, string>) {
  const env = { PATH: process.env.PATH, DATA_DIR: data, ...environment }
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [paddockProgram, ...given], { env, cwd: folder })
    return { code: 0, out: stdout }
  } catch (error) {
    const { code, stdout } = error as { code: number; stdout: string }
    return { code, out: stdout }
  }
}

const doctor = (environment: Record<string, string> = {}, ...options: string[]) =>
  paddock(['doctor', ...options], environment)

test('a service that runs and is well: exit code 0, a line for each check', async () => {
  const { code, out } = await doctor({ PUBLIC_URL: service.publicUrl })
  expect(out).not.toMatch(/^(warning|critical)/m)
  expect(out).toMatch(/^good +Settings: MODE=sandbox/m)
  expect(out).toMatch(/^good +Schema: It is that of this version\.$/m)
  expect(out).toMatch(/^good +Public address: Tried from this machine, the service answers/m)
  expect(out).toMatch(/\d+ checks: \d+ good, 0 warning, 0 critical\.\n$/)
  expect(code).toBe(0)
})

test('before the first start it is well too, and creates nothing', async () => {
  const elsewhere = join(folder, 'elsewhere')
  expect(await doctor({ DATA_DIR: elsewhere })).toMatchObject({ code: 0 })
  expect(existsSync(elsewhere)).toBe(false)
})

test('a stopped service’s files stay as they are', async () => {
  const stopped = join(folder, 'stopped')
  const other = await startTestService({}, { settings: { DATA_DIR: stopped }, remove: async () => {} })
  await other.close()
  const before = readdirSync(stopped)
  expect(await doctor({ DATA_DIR: stopped })).toMatchObject({ code: 0 })
  expect(readdirSync(stopped)).toEqual(before)
})

test('a warning: exit code 1, with what to do', async () => {
  const { code, out } = await doctor({ WEBHOOK_TIMEOUT: '5' })
  expect(out).toMatch(
    /^warning +Settings: There is no setting WEBHOOK_TIMEOUT; did you mean WEBHOOK_TIMEOUT_MS\?\n +→ Nothing reads it\./m,
  )
  expect(code).toBe(1)
})

test('something critical: exit code 2; as JSON; secrets are not shown', async () => {
  const secrets = { DATABASE_URL: 'postgres://paddock:secret-word@127.0.0.1:1/paddock', OPERATOR_TOKEN: 'too-short' }
  writeFileSync(join(folder, '.env'), 'this is no setting\n', { mode: 0o600 })
  const { code, out } = await doctor(secrets, '--json')
  rmSync(join(folder, '.env'))
  const { state, checks } = JSON.parse(out)
  expect([code, state]).toEqual([2, 'critical'])
  const critical = checks.filter((one: { state: string }) => one.state === 'critical')
  expect(critical.map((one: { detail: string }) => one.detail)).toEqual([
    expect.stringContaining('.env, line 1'),
    expect.stringContaining('OPERATOR_TOKEN=…'),
    expect.stringContaining('It does not answer'),
  ])
  expect(out).not.toMatch(/secret-word|too-short/)
})

test('a certificate with its chain is well where its authority is known, in a file and at the public address', async () => {
  const [cert = '', key = '', authority = ''] = ['chain', 'key', 'authority'].map(
    (name) => new URL(`../harness/tls/${name}.pem`, import.meta.url).pathname,
  )
  // In a checkout everybody may read the key.
  const ownKey = join(folder, 'key.pem')
  writeFileSync(ownKey, readFileSync(key), { mode: 0o600 })
  const files = { TLS_CERT: cert, TLS_KEY: ownKey }
  const server = createServer({ cert: readFileSync(cert), key: readFileSync(key) }, (_, response) => {
    response.writeHead(404, { 'x-request-id': 'r' }).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const PUBLIC_URL = `https://localhost:${(server.address() as AddressInfo).port}`
  const known = await doctor({ ...files, PUBLIC_URL, NODE_EXTRA_CA_CERTS: authority })
  expect(known.out).toMatch(/^good +TLS_CERT: Its chain is complete\.$/m)
  expect(known.out).toMatch(/^good +TLS of PUBLIC_URL/m)
  expect(known.code).toBe(0)
  const unknown = await doctor({ ...files, PUBLIC_URL })
  expect(unknown.out).toMatch(/^warning +TLS_CERT: Its chain does not lead to an authority/m)
  expect(unknown.out).toMatch(/^warning +TLS of PUBLIC_URL: This machine does not trust it/m)
  server.closeAllConnections()
  server.close()
})

test('it ends while a public address sends its answer byte by byte, and a database goes silent', async () => {
  const postgres = await startPostgres()
  const proxy = await freezableProxy(postgres.port)
  const dripping = createTcpServer((socket) => {
    const drip = setInterval(() => socket.write('x'), 200)
    socket.on('error', () => {}).once('close', () => clearInterval(drip))
    socket.write('HTTP/1.1 200 OK\r\nx-slow: ')
  })
  await new Promise<void>((resolve) => dripping.listen(0, '127.0.0.1', resolve))
  const DATABASE_URL = postgres.url.replace(`:${postgres.port}/`, `:${proxy.port}/`)
  proxy.freezeAfterAnswer()
  const { code, out } = await doctor({
    DATABASE_URL,
    PUBLIC_URL: `http://127.0.0.1:${(dripping.address() as AddressInfo).port}`,
  })
  expect(code).toBe(2)
  expect(out).toMatch(/^critical +Database: It does not answer/m)
  expect(out).toMatch(/^warning +Public address: .* was not reached: no answer within 5 s/m)
  dripping.close()
  await proxy.close()
  await postgres.remove()
})

test('a primary with its standby is well; a standby in its place is not', async () => {
  const { primary, replica } = await startReplicatedPostgres()
  try {
    const both = { DATABASE_URL: primary.url, DATABASE_REPLICA_URLS: replica.url }
    expect((await paddock(['migrate'], both)).code).toBe(0)
    const lineOfReplica = async () => /^\w+ +Replica 1: .*$/m.exec((await doctor(both)).out)?.[0]
    await expect.poll(lineOfReplica, { timeout: 20_000 }).toMatch(/^good/)
    const swapped = await doctor({ DATABASE_URL: replica.url, DATABASE_REPLICA_URLS: primary.url })
    expect(swapped.out).toMatch(/^critical +Database: PostgreSQL \d+, .* It is a standby\.$/m)
    expect(swapped.out).toMatch(/^warning +Replica 1: It is no standby\.$/m)
    expect(swapped.code).toBe(2)
    await replica.stop()
    expect(await lineOfReplica()).toMatch(/^warning +Replica 1: It does not answer/)
  } finally {
    await replica.remove()
    await primary.remove()
  }
})
