import { beforeAll, expect, test } from 'vitest'
import { type Json, useService } from '../harness/service.ts'
import { newToken } from './cases.ts'

const service = useService()
let application: { apiKey: string; secret: string }

beforeAll(async () => {
  application = (await service.operator('POST', '/operator/v1/applications', { name: 'Traced' })).body
})

const path = (query = '') => `/operator/v1/applications/${application.apiKey}/requests${query}`

async function read(query = ''): Promise<Json> {
  const reply = await service.operator('GET', path(query))
  expect(reply.status).toBe(200)
  return reply.body
}

/** As this application. */
async function send(method: string, target: string, headers: Record<string, string> = {}, body?: string) {
  const credentials = { 'who-apiKey': application.apiKey, 'who-secret': application.secret }
  const response = await fetch(service.publicUrl + target, {
    method,
    headers: { ...credentials, ...headers },
    ...(body === undefined ? {} : { body }),
  })
  await response.text()
  return response
}

test('shows what an application sent, the newest first, with the fault and its meaning', async () => {
  const { ticket, id, profileId } = await service.member()
  expect((await read()).items).toEqual([])
  await send('GET', `/v1/profiles/${profileId}?unknown=1`, { accept: 'application/json' })
  const refused = await send('GET', '/v1/profiles/me/followers?blockSize=0', { 'who-ticket': ticket })
  const { application: name, items, unanswered } = await read()
  expect({ name, unanswered }).toEqual({ name: 'Traced', unanswered: 0 })
  expect(items).toEqual([
    {
      id: refused.headers.get('x-request-id'),
      at: expect.any(String),
      method: 'GET',
      path: '/v1/profiles/me/followers?blockSize=0',
      operation: 'getMyFollowers',
      status: 400,
      fault: { code: '10071', name: 'blockSize|blockNum', meaning: 'Invalid request parameter' },
      hint: null,
      ms: expect.any(Number),
      customerId: String(id),
      representation: 'xml',
      body: null,
      answer: expect.stringContaining('<faultCode>10071</faultCode>'),
    },
    expect.objectContaining({
      path: `/v1/profiles/${profileId}?…`,
      operation: 'getProfile',
      status: 200,
      fault: null,
      customerId: null,
      representation: 'json',
    }),
  ])
  expect((await read('?faultsOnly=true')).items).toHaveLength(1)
  expect((await read('?operation=getProfile')).items).toHaveLength(1)
  expect((await read('?limit=1')).items).toHaveLength(1)
  for (const query of ['?limit=0', '?limit=201', '?faultsOnly=maybe', '?other=1']) {
    expect((await service.operator('GET', path(query))).status).toBe(422)
  }
})

test('shows why a body was not read', async () => {
  const type = { 'content-type': 'application/json' }
  const response = await send('POST', '/v1/sessions/tickets', type, '{"username":"ann","password":"x"}')
  const [item] = (await read('?limit=1')).items
  expect(item.hint).toMatch(/^The body was not read, because it is JSON/)
  expect(item.hint).toBe(response.headers.get('x-hint'))
})

test('shows no secret, from wherever it was sent', async () => {
  const { ticket } = await service.member()
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const secrets = ['open-sesame', '4111111111111111', '987', 'ann-log-in', ticket, application.secret]
  await send('POST', '/v1/sessions/tickets?username=ann-log-in&password=open-sesame')
  await send('POST', '/v1/sessions/tickets', form, 'username=ann-log-in&password=open-sesame')
  await send('POST', '/v1/wallets/me?transactionType=deposit&amount=5&id=1&cv2=987&card=4111111111111111', {
    'who-ticket': ticket,
  })
  await send('POST', '/v1/wallets/me', { ...form, 'who-ticket': ticket }, 'amount=5&cv2=987&card=4111111111111111')
  await send('HEAD', `/v1/sessions/tickets/${ticket}`)
  await send('GET', `/v1/profiles/1?who-ticket=${ticket}&who-secret=${application.secret}`)
  const { items } = await read('?limit=6')
  expect(items.map(({ operation }: Json) => operation)).toEqual([
    'getProfile',
    'checkTicket',
    'makeTransaction',
    'makeTransaction',
    'createTicket',
    'createTicket',
  ])
  for (const item of items) {
    const { id: _id, at: _at, ms: _ms, customerId: _customer, ...shown } = item
    for (const secret of secrets) expect(JSON.stringify(shown)).not.toContain(secret)
  }
})

test('has no text that a customer wrote, and nothing of one whose personal data was erased', async () => {
  const [member, other] = [await service.member(), await service.member()]
  const headers = { 'who-ticket': member.ticket }
  const sent = [
    ['PUT', '/v1/profiles/me?name=Sentinel-name&biography=Sentinel-biography'],
    ['GET', '/v1/search/profiles?q=Sentinel-search'],
    ['PUT', `/v1/profiles/${other.profileId}/flag?reason=spam&note=Sentinel-note`],
    ['POST', '/v1/moderation/me/1/appeal?text=Sentinel-appeal'],
    ['POST', '/v1/communities/comments/me/outcomes/1?betId=1&text=Sentinel-tip'],
  ] as const
  for (const [method, target] of sent) await send(method, target, headers)
  await send('GET', `/v1/profiles/${other.profileId}`, { 'who-ticket': other.ticket })
  const ofMember = async () =>
    (await read()).items
      .filter(({ customerId }: Json) => customerId === String(member.id))
      .map(({ path }: Json) => path)
  expect(await ofMember()).toContain('/v1/profiles/me?name=…&biography=…')
  expect(await ofMember()).toHaveLength(sent.length)
  expect(JSON.stringify(await read()) + service.logged()).not.toContain('Sentinel')
  expect((await service.operator('DELETE', `/operator/v1/customers/${member.id}/personal-data`)).status).toBe(204)
  expect(await ofMember()).toEqual([])
  expect((await read()).items[0]).toMatchObject({ path: `/v1/profiles/${other.profileId}` })
})

test('leaves out requests whose key or secret was refused', async () => {
  const before = (await read()).items.length
  expect((await send('GET', '/v1/profiles/1', { 'who-secret': 'wrong' })).status).toBe(401)
  expect((await read()).items).toHaveLength(before)
})

test('is for admins and auditors, of an application that exists', async () => {
  const { token } = await newToken(service, 'moderator')
  expect((await service.operator('GET', path(), undefined, token)).status).toBe(403)
  expect((await service.operator('GET', '/operator/v1/applications/nobody/requests')).status).toBe(404)
})
