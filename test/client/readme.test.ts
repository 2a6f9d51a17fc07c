// The examples of the client's README run in the sandbox as they stand there.

import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { afterAll, expect, test } from 'vitest'
import { Paddock } from '../../clients/typescript/src/index.ts'
import { readmePrograms } from '../harness/client-readme.ts'
import { freePort } from '../harness/free-port.ts'
import { useService } from '../harness/service.ts'

const service = useService({ SANDBOX_SEED: 'people', LOG_LEVEL: 'silent' })
const folder = mkdtempSync(join(tmpdir(), 'paddock-client-readme-'))
const started: ChildProcess[] = []
afterAll(() => {
  for (const child of started) child.kill()
  rmSync(folder, { recursive: true, force: true })
})

const source = (name: string) => new URL(`../../clients/typescript/src/${name}.ts`, import.meta.url).href

/** Runs a program with the client's sources in place of the installed package. */
function run(name: string, program: string, env: Record<string, string> = {}) {
  const file = join(folder, `${name}.mts`)
  const written = program
    .replaceAll("'@paddock/client'", `'${source('index')}'`)
    .replaceAll("'@paddock/client/testing'", `'${source('testing')}'`)
    .replaceAll('http://localhost:8080', service.publicUrl)
  writeFileSync(file, written)
  const child = spawn(process.execPath, [file], { env: { ...process.env, ...env } })
  started.push(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data))
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  return { ended, output: () => output }
}

test('the examples', async () => {
  const { ended, output } = run('examples', readmePrograms().examples)
  await expect.poll(output).toMatch(/^live$/m)
  const bob = new Paddock({
    baseUrl: service.publicUrl,
    apiKey: 'sandbox-key',
    secret: 'sandbox-secret',
    ticket: 'TGT-2-sandbox-bob',
  })
  const [tip] = await bob.getAllCommentbyProfileId({ id: 1, status: 'A' })
  const id = tip?.id as number
  await bob.unlikeComment({ id })
  await bob.likeComment({ id })
  expect([await ended, output()]).toEqual([0, expect.stringContaining(`profile 2 likes “${tip?.text}”`)])
  expect(output()).toMatch(/^Carol Cheltenham has \d+ followers since 20\d\d$/m)
  expect(output()).toMatch(/^Carol Cheltenham: HTTP 200, sent 1 time\(s\), request \S+ in the log/m)
  expect(output()).toMatch(/^Bob Both Teams$/m)
  expect(output()).toMatch(/^true false true$/m)
  expect(output()).toMatch(/^received like.created$/m)
  expect(output()).toMatch(/^getTopOutcomes \(1\): 20\d after \d+ ms, \S+$/m)
  expect(output()).toMatch(/^Carol Cheltenham$/m)
  expect(output()).toContain('The text has inappropriate content. How about “what the ****”?')
  expect(output()).toMatch(/^£7.50 at 20\d\d-/m)
  expect(output()).toMatch(/^5.00 true$/m)
})

test('the receiver of webhooks', async () => {
  const secret = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`
  const port = await freePort()
  const { output } = run('receiver', readmePrograms().receiver, { WEBHOOK_SECRET: secret, PORT: `${port}` })
  const data = {
    ...{ position: 1, id: 'evt_1', type: 'deposit.captured', timestamp: new Date().toISOString() },
    ...{ subject: { type: 'deposit', id: 'd-1' }, profileId: null, customerId: '7' },
    data: { amount: '25.00', currency: 'GBP', state: 'CAPTURED', review: null },
  }
  const body = JSON.stringify({ type: data.type, timestamp: data.timestamp, data })
  const at = new Date()
  const deliver = (signature: string) => {
    const headers = {
      'webhook-id': 'm',
      'webhook-timestamp': `${Math.floor(at.getTime() / 1000)}`,
      'webhook-signature': signature,
    }
    return fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body, headers }).then(({ status }) => status)
  }
  await expect.poll(() => deliver('v1,AAAA').catch(() => 'not yet')).toBe(401)
  expect(await deliver(new Webhook(secret).sign('m', at, body))).toBe(204)
  await expect.poll(output).toContain('25.00 GBP of 7')
})
