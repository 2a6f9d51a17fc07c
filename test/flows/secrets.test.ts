// Sentinels are fed through every place a secret can come in; neither the log nor the database may hold one.

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { engine, newTestDatabase, startTestService } from '../harness/service.ts'

const SENTINEL = 'Sentinel7Q4'

test('no secret, ticket or password is logged or stored', async () => {
  const testDatabase = await newTestDatabase()
  const service = await startTestService({ LOG_LEVEL: 'debug' }, testDatabase)
  try {
    const { ticket } = await service.customer({ username: 'watched', password: `${SENTINEL}-password` })
    const created = await service.operator('POST', '/operator/v1/applications', { name: 'Watched' })
    const attempts: Promise<unknown>[] = [
      service.operator('PUT', '/operator/v1/customers/1', { password: `${SENTINEL}-password` }),
      service.call('GET', '/v1/profiles/me', { ticket }),
      service.call('GET', '/v1/profiles/me', { key: created.body.apiKey, secret: created.body.secret, ticket }),
      service.call('GET', '/v1/profiles/1', { secret: `${SENTINEL}-secret` }),
      service.call('GET', '/v1/profiles/1', { ticket: `${SENTINEL}-ticket` }),
      service.call('GET', `/v1/profiles/1?password=${SENTINEL}&cv2=${SENTINEL}`),
      service.call('GET', `/v1/nothing/${SENTINEL}?who-secret=${SENTINEL}`),
      service.call('POST', `/v1/profiles/${SENTINEL}`, { body: SENTINEL }),
      service.call('POST', `/v1/sessions/tickets?username=watched&password=${SENTINEL}-wrong`),
      service.call('POST', '/v1/sessions/tickets', {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: `username=watched&password=${SENTINEL}-password`,
      }),
      service.call('HEAD', `/v1/sessions/tickets/${SENTINEL}`),
      service.call('DELETE', `/v1/sessions/tickets/${SENTINEL}`),
      service.operator('GET', '/operator/v1/applications', undefined, `${SENTINEL}-token`),
      service.operator('POST', '/operator/v1/applications', { name: SENTINEL.repeat(50), secret: SENTINEL }),
    ]
    await Promise.all(attempts)
    const forbidden = [SENTINEL, 'test-secret', created.body.secret, ticket, 'test-operator-token']
    expect(service.logged()).toContain('"operation":"createTicket"')
    for (const secret of forbidden) expect(service.logged()).not.toContain(secret)
    await service.close()
    if (engine === 'sqlite') {
      const stored = filesOf(testDatabase.settings.DATA_DIR as string).map((file) => readFileSync(file, 'latin1'))
      expect(stored.join('')).toContain('watched')
      for (const secret of forbidden) for (const text of stored) expect(text).not.toContain(secret)
    }
  } finally {
    await testDatabase.remove()
  }
})

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile())
}

test('a request is logged in one line with id, operation, status, fault and duration', async () => {
  const service = await startTestService()
  try {
    const reply = await service.call('GET', '/v1/profiles/99999')
    const lines = service
      .logged()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const [line] = lines.filter((one) => one.id === reply.headers.get('x-request-id'))
    expect(line).toMatchObject({ operation: 'getProfile', application: 'test-key', status: 404, fault: '30410' })
    expect(line.ms).toBeGreaterThan(0)
  } finally {
    await service.close()
  }
})
