// The commands beside serve, as an operator runs them.

import { execFile } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rootCertificates } from 'node:tls'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newDataFolder } from '../harness/data-folder.ts'
import { OPERATOR_TOKEN, startTestService, type TestService } from '../harness/service.ts'
import { paddockProgram } from '../harness/service-program.ts'

const folder = newDataFolder()
let service: TestService

beforeAll(async () => {
  const testDatabase = { settings: { DATA_DIR: join(folder, 'data') }, remove: async () => {} }
  service = await startTestService({ LOG_LEVEL: 'silent' }, testDatabase)
})
afterAll(async () => {
  await service.close()
  rmSync(folder, { recursive: true, force: true })
})

type Ended = { code: number; out: string; err: string }

async function paddock(commandLine: string[], environment: Record<string, string> = {}): Promise<Ended> {
  const env = { PATH: process.env.PATH, DATA_DIR: join(folder, 'data'), OPERATOR_TOKEN, ...environment }
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [paddockProgram, ...commandLine], {
      env,
      cwd: folder,
    })
    return { code: 0, out: stdout, err: stderr }
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string }
    return { code, out: stdout, err: stderr }
  }
}

test('migrate brings a new database up to date, and reports so the second time', async () => {
  const elsewhere = { DATA_DIR: join(folder, 'other') }
  expect(await paddock(['migrate'], elsewhere)).toMatchObject({ code: 0, out: expect.stringContaining('0001-') })
  expect(await paddock(['migrate'], elsewhere)).toMatchObject({ code: 0, out: 'The schema is up to date.\n' })
})

test('token creates a token that works', async () => {
  const { code, out } = await paddock(['token', 'console', 'moderator'])
  expect(code).toBe(0)
  const reply = await service.operator('GET', '/operator/v1/moderation/queue', undefined, out.trim())
  expect(reply.status).toBe(200)
  const { items } = (await service.operator('GET', '/operator/v1/audit')).body
  expect(items).toContainEqual(
    expect.objectContaining({
      actor: 'command line',
      action: 'createToken',
      detail: {
        body: { name: 'console', role: 'moderator', owner: null, days: null },
        note: expect.stringMatching(/^\d+$/),
      },
    }),
  )
  expect(await paddock(['token', 'console', 'admin'])).toMatchObject({ code: 1, err: expect.stringContaining('taken') })
  expect(await paddock(['token', 'console', 'king'])).toMatchObject({ code: 2, err: expect.stringContaining('Usage') })
  expect(await paddock(['token', 'one', 'feed', '--days', 'x'])).toMatchObject({ code: 2 })
  expect((await paddock(['token', 'night', 'feed', '--owner', 'Olga', '--days', '7'])).code).toBe(0)
  const tokens = (await service.operator('GET', '/operator/v1/tokens')).body.items
  const night = tokens.find((one: { name: string }) => one.name === 'night')
  expect(night.owner).toBe('Olga')
  expect(Date.parse(night.expiresAt) - Date.parse(night.createdAt)).toBe(7 * 86_400_000)
})

test('feed sends a file to the running service and reports the result', async () => {
  const file = join(folder, 'feed.ndjson')
  const lines = Array.from({ length: 1000 }, (_, index) =>
    JSON.stringify({ put: 'sport', id: index + 1, data: { name: `Sport ${index}` } }),
  )
  writeFileSync(file, `${lines.join('\n')}\n{"put":"horse"}\n`)
  const { port } = new URL(service.operatorUrl)
  const sent = await paddock(['feed', file], { OPERATOR_PORT: port })
  expect(sent).toMatchObject({ code: 0, out: expect.stringContaining('1001 lines: 1000 sport applied, 1 refused') })
  expect(sent.out).toContain('line 1001:')
  const refused = await paddock(['feed', file], { OPERATOR_PORT: port, OPERATOR_TOKEN: 'not-the-right-token-at-all' })
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('401') })
  expect((await paddock(['feed', file], { OPERATOR_PORT: '1' })).err).toContain('No service listens')
  expect((await paddock(['feed', '/nowhere'])).err).toContain('There is no file')
})

test('verify-audit checks the trail of the running service', async () => {
  await service.operator('GET', '/operator/v1/customers/1')
  const checked = await paddock(['verify-audit'])
  expect(checked).toMatchObject({ code: 0, out: expect.stringMatching(/entries, unchanged\. Last entry: \d+:/) })
  const last = checked.out.trim().split(' ').at(-1) as string
  expect(await paddock(['verify-audit', last])).toMatchObject({ code: 0 })
  await service.context.database.script(`update audit set subject = '2' where subject = '1'`)
  expect(await paddock(['verify-audit'])).toMatchObject({ code: 1, out: expect.stringContaining('changed') })
  expect(await paddock(['verify-audit', 'x'])).toMatchObject({ code: 2, err: expect.stringContaining('Usage') })
  const nowhere = { DATABASE_URL: 'postgres://127.0.0.1:1/nowhere' }
  expect(await paddock(['verify-audit'], nowhere)).toMatchObject({ code: 2 })
})

test('feed trusts the certificate of the settings, and no other', async () => {
  const tls = (name: string) => new URL(`../harness/tls/${name}.pem`, import.meta.url).pathname
  const settings = { OPERATOR_TLS_CERT: tls('cert'), OPERATOR_TLS_KEY: tls('key') }
  const testDatabase = { settings: { DATA_DIR: join(folder, 'tls') }, remove: async () => {} }
  const secure = await startTestService({ LOG_LEVEL: 'silent', ...settings }, testDatabase)
  try {
    const file = join(folder, 'one.ndjson')
    writeFileSync(file, '{"put":"sport","id":1,"data":{"name":"Chess"}}\n')
    const OPERATOR_PORT = new URL(secure.operatorUrl).port
    const sent = await paddock(['feed', file], { ...settings, OPERATOR_PORT })
    expect(sent).toMatchObject({ code: 0, out: expect.stringContaining('1 sport applied') })
    const other = join(folder, 'other.pem')
    writeFileSync(other, rootCertificates[0] as string)
    const wrong = await paddock(['feed', file], { ...settings, OPERATOR_TLS_CERT: other, OPERATOR_PORT })
    expect(wrong).toMatchObject({ code: 1, err: expect.stringContaining('No service listens') })
  } finally {
    await secure.close()
  }
})
