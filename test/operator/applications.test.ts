import { expect, test } from 'vitest'
import { useService } from '../harness/service.ts'

const service = useService()

test('an application is created, used, given a new secret and revoked', async () => {
  const created = await service.operator('POST', '/operator/v1/applications', { name: 'Phone app' })
  expect(created.status).toBe(201)
  const { apiKey, secret } = created.body
  const { ticket } = await service.customer()
  const use = (withSecret: string) =>
    service.call('GET', '/v1/profiles/me', { key: apiKey, secret: withSecret, ticket })
  expect((await use(secret)).status).toBe(200)

  const renewed = await service.operator('POST', `/operator/v1/applications/${apiKey}/secret`, { graceSeconds: 60 })
  expect(renewed.status).toBe(201)
  expect((await use(renewed.body.secret)).status).toBe(200)
  expect((await use(secret)).status).toBe(200)
  service.clock.advance(61_000)
  expect((await use(secret)).status).toBe(401)

  expect((await service.operator('DELETE', `/operator/v1/applications/${apiKey}`)).status).toBe(204)
  const refused = await use(renewed.body.secret)
  expect([refused.status, refused.text]).toEqual([401, expect.stringContaining('<faultCode>10010</faultCode>')])
  expect((await service.operator('DELETE', `/operator/v1/applications/${apiKey}`)).status).toBe(404)

  const listed = await service.operator('GET', '/operator/v1/applications')
  expect(listed.body.items.map((one: { name: string }) => one.name)).toContain('Phone app')
  expect(JSON.stringify(listed.body)).not.toContain(secret)
})
