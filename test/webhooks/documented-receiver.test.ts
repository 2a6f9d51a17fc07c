// The receiver that docs/events.md shows, run as it stands there.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { freePort } from '../harness/free-port.ts'
import { useService } from '../harness/service.ts'
import { operatorOk } from '../harness/sportsbook.ts'

const service = useService({ WEBHOOK_PRIVATE_ADDRESSES: 'on' }, { webhooks: true })
const folder = mkdtempSync(join(tmpdir(), 'paddock-receiver-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('it verifies, answers and handles each event once', async () => {
  const document = readFileSync(new URL('../../docs/events.md', import.meta.url), 'utf8')
  const [, code = ''] = /^```js\n([\s\S]*?)^```$/m.exec(document) ?? []
  expect(code.split('\n').filter((line) => line.trim() !== '').length).toBeLessThanOrEqual(30)
  const file = join(folder, 'receiver.mjs')
  writeFileSync(file, code)
  const port = await freePort()
  const body = { url: `http://127.0.0.1:${port}/`, kinds: ['profile.created'] }
  const { id, secret } = await operatorOk(service, 'POST', '/webhooks', body)
  const receiver = spawn(process.execPath, [file], { env: { PORT: `${port}`, WEBHOOK_SECRET: secret } })
  let output = ''
  for (const stream of [receiver.stdout, receiver.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk
    })
  }
  try {
    await vi.waitFor(() => expect(output).toContain('receives on port'), { timeout: 20_000 })
    const { profileId } = await service.member()
    const line = `profile.created of profile ${profileId}\n`
    await vi.waitFor(() => expect(output).toContain(line), { timeout: 20_000 })
    const deliveries = async () => (await service.operator('GET', `/operator/v1/webhooks/${id}/deliveries`)).body.items
    await vi.waitFor(async () => expect((await deliveries())[0].state).toBe('delivered'), { timeout: 20_000 })
    const [{ id: deliveryId }] = await deliveries()
    await operatorOk(service, 'POST', `/webhooks/${id}/deliveries/${deliveryId}/resend`, undefined)
    await vi.waitFor(
      async () =>
        expect((await deliveries()).map(({ state }: { state: string }) => state)).toEqual(['delivered', 'delivered']),
      { timeout: 20_000 },
    )
    expect(output.split(line)).toHaveLength(2)
    const forged = await fetch(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      headers: { 'webhook-id': 'evt', 'webhook-timestamp': `${Date.now() / 1000}`, 'webhook-signature': 'v1,AAAA' },
      body: '{}',
    })
    expect(forged.status).toBe(401)
  } finally {
    receiver.kill()
    await once(receiver, 'exit')
  }
})
