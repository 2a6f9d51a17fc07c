// The register of exclusions (EXCLUSIONS=http): what it answers, that it does not answer, and its example in docs/deposits.md.

import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { freePort } from '../harness/free-port.ts'
import { metric } from '../harness/metric.ts'
import { startTestService, type TestService } from '../harness/service.ts'
import { addCard, deposit, newDepositor, paidOrFaultCode } from '../harness/wallets.ts'

let answer: (response: ServerResponse) => void
let asked: string[] = []
const server = createServer((request, response) => {
  asked.push(request.url ?? '')
  answer(response)
})
let service: TestService

const json =
  (body: unknown, status = 200) =>
  (response: ServerResponse) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
const CLEAR = json({ excluded: false })
const EXCLUDED = json({ excluded: true, until: '2030-01-01T00:00:00Z' })

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/register?operator=7`
  service = await startTestService({ EXCLUSIONS: 'http', EXCLUSIONS_URL: url })
})
afterAll(async () => {
  await service.close()
  server.close()
})

const isDown = () => metric(service.context.metrics.render(), 'paddock_exclusion_register_down')

async function logIn(): Promise<{ id: number; status: number }> {
  const username = `player-${Math.random()}`
  const password = 'correct horse battery'
  const { id } = await service.customer({ username, password })
  const form = new URLSearchParams({ username, password })
  return { id, status: (await service.call('POST', `/v1/sessions/tickets?${form}`)).status }
}

test('whoever is on it neither logs in nor deposits', async () => {
  answer = EXCLUDED
  asked = []
  const { id, status } = await logIn()
  expect([status, asked]).toEqual([401, [`/register?operator=7&customerId=${id}`]])
  const player = await newDepositor(service)
  expect(paidOrFaultCode(await deposit(service, player))).toBe('24004')
  expect(paidOrFaultCode(await deposit(service, { ...player, method: '77' }))).toBe('24001')
})

test('its answers are cached for 60 seconds', async () => {
  answer = CLEAR
  const player = await newDepositor(service)
  expect(paidOrFaultCode(await deposit(service, player))).toBe('paid')
  asked = []
  answer = EXCLUDED
  expect(paidOrFaultCode(await deposit(service, player))).toBe('paid')
  expect(asked).toEqual([])
  service.clock.advance(60_000)
  expect(paidOrFaultCode(await deposit(service, player))).toBe('24004')
})

const NO_ANSWERS: [string, (response: ServerResponse) => void][] = [
  ['another status', json({ excluded: false }, 503)],
  ['201', json({ excluded: false }, 201)],
  ['no JSON', (response) => response.end('no')],
  ['no word on exclusion', json({})],
  ['a text for true', json({ excluded: 'false' })],
  ['a time that is none', json({ excluded: true, until: 'soon' })],
  ['a list', json([{ excluded: false }])],
  ['a redirect', (response) => response.writeHead(302, { location: '/elsewhere' }).end()],
  ['an answer without an end', (response) => response.end(`{"excluded": false}${' '.repeat(10_000)}`)],
  ['a closed connection', (response) => response.destroy()],
  ['silence', () => {}],
]

test.each(NO_ANSWERS)('%s is no answer: 24004, an alarm, and not cached', async (_, wrong) => {
  const player = await newDepositor(service)
  answer = wrong
  expect(paidOrFaultCode(await deposit(service, player))).toBe('24004')
  expect(isDown()).toBe(1)
  answer = CLEAR
  expect(paidOrFaultCode(await deposit(service, player))).toBe('paid')
  expect(isDown()).toBe(0)
})

test('while it does not answer, customers log in', async () => {
  answer = json({}, 500)
  expect((await logIn()).status).toBe(201)
})

test('a replay is answered whatever the register says', async () => {
  answer = CLEAR
  const player = await newDepositor(service)
  expect(paidOrFaultCode(await deposit(service, { ...player, key: 'k' }))).toBe('paid')
  answer = EXCLUDED
  service.clock.advance(60_000)
  expect(paidOrFaultCode(await deposit(service, { ...player, key: 'k' }))).toBe('paid')
})

test('the example of the document works', async () => {
  const document = readFileSync(new URL('../../docs/deposits.md', import.meta.url), 'utf8')
  const [, code = ''] = /^```js\n([\s\S]*?)^```$/m.exec(document) ?? []
  const folder = mkdtempSync(join(tmpdir(), 'paddock-register-'))
  const port = await freePort()
  writeFileSync(join(folder, 'register.mjs'), code)
  const register = spawn(process.execPath, [join(folder, 'register.mjs')], { env: { PORT: `${port}` } })
  try {
    let output = ''
    register.stdout.on('data', (chunk) => {
      output += chunk
    })
    await vi.waitFor(() => expect(output).toContain('listens'), { timeout: 30_000 })
    const settings = { EXCLUSIONS: 'http', EXCLUSIONS_URL: `http://127.0.0.1:${port}/` }
    const own = await startTestService(settings)
    try {
      const clear = await newDepositor(own)
      expect(paidOrFaultCode(await deposit(own, clear))).toBe('paid')
      await own.operator('PUT', '/operator/v1/customers/1234', {})
      const issued = await own.context.sessions?.issue(1234, null)
      const method = await addCard(own, { id: 1234 })
      expect(paidOrFaultCode(await deposit(own, { ticket: issued?.ticket as string, method }))).toBe('24004')
    } finally {
      await own.close()
    }
  } finally {
    register.kill()
    rmSync(folder, { recursive: true, force: true })
  }
})

test('the sandbox has a person who is on a register', async () => {
  const sandbox = await startTestService({ SANDBOX_SEED: 'people' })
  try {
    const form = new URLSearchParams({ username: 'danny', password: 'sandbox' })
    expect((await sandbox.call('POST', `/v1/sessions/tickets?${form}`)).status).toBe(401)
    const ticket = 'TGT-4-sandbox-danny'
    expect(paidOrFaultCode(await deposit(sandbox, { ticket, method: 401 }))).toBe('24004')
  } finally {
    await sandbox.close()
  }
})
