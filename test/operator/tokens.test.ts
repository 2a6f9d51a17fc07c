import { expect, test } from 'vitest'
import { useService } from '../harness/service.ts'
import { newToken } from './cases.ts'

const service = useService()

test('a token is shown once, works, and is revoked at once', async () => {
  const made = await service.operator('POST', '/operator/v1/tokens', { name: 'Night shift', role: 'moderator' })
  expect(made.status).toBe(201)
  expect(made.body).toEqual({
    id: expect.stringMatching(/^\d+$/),
    name: 'Night shift',
    role: 'moderator',
    token: expect.stringMatching(/^[\w-]{32}$/),
  })
  const { id, token } = made.body
  const use = () => service.operator('GET', '/operator/v1/moderation/queue', undefined, token)
  expect((await use()).status).toBe(200)

  const listed = await service.operator('GET', '/operator/v1/tokens')
  expect(listed.body.cursor).toBeNull()
  expect(listed.body.items).toContainEqual({
    id,
    name: 'Night shift',
    role: 'moderator',
    createdAt: expect.any(String),
    revokedAt: null,
  })
  expect(JSON.stringify(listed.body)).not.toContain(token)

  expect((await service.operator('DELETE', `/operator/v1/tokens/${id}`)).status).toBe(204)
  expect((await use()).status).toBe(401)
  expect((await service.operator('DELETE', `/operator/v1/tokens/${id}`)).status).toBe(404)
  expect((await service.operator('DELETE', '/operator/v1/tokens/999999')).status).toBe(404)
  const after = await service.operator('GET', '/operator/v1/tokens')
  expect(after.body.items.find((one: { id: string }) => one.id === id).revokedAt).toEqual(expect.any(String))
})

test('an admin can revoke the token it calls with', async () => {
  const { id, token } = await newToken(service, 'admin')
  expect((await service.operator('DELETE', `/operator/v1/tokens/${id}`, undefined, token)).status).toBe(204)
  expect((await service.operator('GET', '/operator/v1/tokens', undefined, token)).status).toBe(401)
})

test('names of live tokens differ, so that the audit trail tells who it was', async () => {
  const { id } = await newToken(service, 'feed', 'The feed')
  const again = () => service.operator('POST', '/operator/v1/tokens', { name: 'The feed', role: 'feed' })
  const refused = await again()
  expect([refused.status, refused.body.title]).toEqual([409, 'Conflict'])
  await service.operator('DELETE', `/operator/v1/tokens/${id}`)
  expect((await again()).status).toBe(201)
  expect((await service.operator('POST', '/operator/v1/tokens', { name: 'bootstrap', role: 'feed' })).status).toBe(409)
})

test.each([
  [{}, ['/name', '/role']],
  [{ name: '', role: 'feed' }, ['/name']],
  [{ name: 'x'.repeat(101), role: 'feed' }, ['/name']],
  [{ name: 'a\u0000b', role: 'feed' }, ['/name']],
  [{ name: 'ok', role: 'king' }, ['/role']],
  [{ name: 'ok', role: null }, ['/role', '/role']],
  [{ name: 'ok', role: 'feed', token: 'of-my-own' }, ['/token']],
])('%j is refused', async (body, pointers) => {
  const reply = await service.operator('POST', '/operator/v1/tokens', body)
  expect(reply.status).toBe(422)
  expect(reply.body.errors.map((one: { pointer: string }) => one.pointer)).toEqual(pointers)
})
