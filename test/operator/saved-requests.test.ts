// The last requests of an application in the sandbox: with their forms, and after a restart.

import { expect, test } from 'vitest'
import { type Json, newTestDatabase, startTestService, type TestService } from '../harness/service.ts'

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

type Application = { apiKey: string; secret: string }

async function send(service: TestService, { apiKey, secret }: Application, target: string, form?: string) {
  const headers = { 'who-apiKey': apiKey, 'who-secret': secret, ...(form === undefined ? {} : FORM) }
  const method = form === undefined ? 'GET' : 'POST'
  const response = await fetch(service.publicUrl + target, {
    method,
    headers,
    ...(form === undefined ? {} : { body: form }),
  })
  await response.text()
}

async function read(service: TestService, { apiKey }: Application, query = ''): Promise<Json[]> {
  return (await service.operator('GET', `/operator/v1/applications/${apiKey}/requests?limit=200${query}`)).body.items
}

test('they survive a restart, with forms without secrets; another service on the database shows them too', async () => {
  const testDatabase = await newTestDatabase()
  const before = await startTestService({}, testDatabase)
  const application = (await before.operator('POST', '/operator/v1/applications', { name: 'Kept' })).body as Application
  await send(before, application, '/v1/sessions/tickets', 'username=ann-log-in&password=open-sesame&lifetime=60')
  await send(before, application, '/v1/profiles/1')
  const shown = await read(before, application)
  expect(shown.map(({ operation, body }) => [operation, body])).toEqual([
    ['getProfile', null],
    ['createTicket', expect.stringMatching(/…/)],
  ])
  expect(JSON.stringify(shown)).not.toMatch(/ann-log-in|open-sesame/)
  const other = await startTestService({}, testDatabase)
  expect(await read(other, application)).toEqual(shown)
  await other.close()
  await send(before, application, '/v1/profiles/2')
  await before.close()

  const after = await startTestService({}, testDatabase)
  const kept = await read(after, application)
  expect(kept.slice(1)).toEqual(shown)
  expect(kept[0]).toMatchObject({ path: '/v1/profiles/2' })
  expect(await read(after, application, '&operation=createTicket')).toHaveLength(1)
  await Promise.all(Array.from({ length: 205 }, (_, turn) => send(after, application, `/v1/profiles/${10 + turn}`)))
  const newest = await read(after, application)
  expect([newest.length, newest.filter(({ path }) => path === '/v1/profiles/2')]).toEqual([200, []])
  after.clock.advance(86_400_001)
  expect(await read(after, application)).toEqual([])
  await after.close()
  await testDatabase.remove()
})
