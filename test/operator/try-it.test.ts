// Requests that a developer tries with the key of an application: they reach the public API like any other.

import { expect, test } from 'vitest'
import { type Json, KEY, SECRET, startTestService, type TestService, useService } from '../harness/service.ts'

const service = useService()

async function tried(body: object, of: TestService = service): Promise<Json> {
  return (await of.operator('POST', `/operator/v1/applications/${KEY}/try`, body)).body
}

const headerOf = ({ headers }: Json, wanted: string) =>
  headers.find(({ name }: Json) => name.toLowerCase() === wanted)?.value

test('an answer has its status, headers, body and time, and the request is in the log of the application', async () => {
  const { profileId } = await service.member()
  const parameters = { id: String(profileId) }
  const answer = await tried({ operation: 'getProfile', parameters, accept: 'json', secret: SECRET })
  expect(answer).toMatchObject({ status: 200, isCut: false, ms: expect.any(Number) })
  expect(JSON.parse(answer.body).whoProfiles[0].profile.id).toBe(String(profileId))
  expect(headerOf(answer, 'content-type')).toBe('application/json; charset=utf-8')
  expect(headerOf(answer, 'x-request-id')).toBe(answer.requestId)
  const { items } = (await service.operator('GET', `/operator/v1/applications/${KEY}/requests?limit=200`)).body
  expect(items.filter(({ id }: Json) => id === answer.requestId)).toMatchObject([
    { method: 'GET', path: `/v1/profiles/${profileId}`, status: 200 },
  ])
})

test('a fault is an answer too, in the format that was chosen; so is that to a wrong secret, or to none', async () => {
  const unknown = { operation: 'getProfile', parameters: { id: '999999' }, secret: SECRET }
  const fault = await tried(unknown)
  expect(fault).toMatchObject({ status: 404, body: expect.stringContaining('<faultCode>30410</faultCode>') })
  expect(await tried({ ...unknown, secret: 'wrong' })).toMatchObject({ status: 401 })
  expect(await tried({ operation: 'getProfile', parameters: { id: '1' } })).toMatchObject({ status: 400 })
  expect(await tried({ operation: 'getMyProfile', secret: SECRET })).toMatchObject({ status: 400 })
})

test('forms, headers, pictures and streams are sent as the operation takes them', async () => {
  const { ticket } = await service.member()
  const own = { secret: SECRET, ticket, accept: 'json' }
  const parameters = { name: 'Tried & true', biography: '' }
  expect(await tried({ operation: 'updateMyProfile', parameters, ...own })).toMatchObject({ status: 200 })
  const { body } = await tried({ operation: 'getMyProfile', ...own })
  expect(JSON.parse(body).whoProfiles[0].profile.name).toBe('Tried & true')
  expect(await tried({ operation: 'setMyPicture', ...own })).toMatchObject({ status: 200 })
  const stream = await tried({ operation: 'openStream', ...own })
  expect([stream.status, stream.isCut, headerOf(stream, 'content-type')]).toEqual([
    ...[200, true, 'text/event-stream; charset=utf-8'],
  ])
})

test.each([
  [{ operation: 'dropEverything' }, '/operation'],
  [{ operation: 'getProfile', parameters: { uid: '7' } }, '/parameters/uid'],
  [{ operation: 'getProfile', secret: 'smile ☺' }, 'who-secret'],
])('%j is refused before anything is sent', async (body, pointer) => {
  const reply = await service.operator('POST', `/operator/v1/applications/${KEY}/try`, body)
  expect([reply.status, reply.body.detail]).toEqual([422, expect.stringContaining(pointer)])
})

test('of an application that does not exist nothing can be tried', async () => {
  const reply = await service.operator('POST', '/operator/v1/applications/none/try', { operation: 'getProfile' })
  expect(reply.status).toBe(404)
})

test('a path parameter stays in its place in the path', async () => {
  const answer = await tried({ operation: 'getProfile', parameters: { id: '../communities/comments' }, secret: SECRET })
  expect(answer).toMatchObject({ status: 400, body: expect.stringContaining('whoFaults') })
})

test('the operations are those of the reference; outside the sandbox each change asks first', async () => {
  const { items } = (await service.operator('GET', `/operator/v1/applications/${KEY}/operations`)).body
  const one = (name: string) => items.find((item: Json) => item.name === name)
  expect(one('makeTransaction')).toMatchObject({ warning: expect.stringMatching(/^Moves money/), needsTicket: true })
  expect(one('takeTimeOut').warning).toMatch(/^Locks/)
  expect([one('followProfile').warning, one('getProfile').warning]).toEqual(['Changes data.', null])
  expect(one('getProfile').parameters[0]).toMatchObject({ name: 'id', from: 'path', value: '', example: '2' })
  expect(one('getLog').credentials).toEqual([])
})

test('behind its own TLS the listener is reached on this machine, whatever name its certificate has', async () => {
  const [TLS_CERT, TLS_KEY] = ['cert', 'key'].map(
    (file) => new URL(`../harness/tls/${file}.pem`, import.meta.url).pathname,
  ) as [string, string]
  const secure = await startTestService({ TLS_CERT, TLS_KEY })
  try {
    expect(secure.publicUrl).toMatch(/^https:/)
    const unknown = { operation: 'getProfile', parameters: { id: '999999' }, secret: SECRET }
    expect(await tried(unknown, secure)).toMatchObject({ status: 404 })
  } finally {
    await secure.close()
  }
})
