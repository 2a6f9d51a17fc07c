import { describe, expect, test } from 'vitest'
import { operatorOperations } from '../../src/operator/operations.ts'
import { type Json, OPERATOR_TOKEN, SECRET, useService } from '../harness/service.ts'
import { caseOf, newToken } from './cases.ts'

const service = useService()

async function trail(query = ''): Promise<Json> {
  return (await service.operator('GET', `/operator/v1/audit${query}`)).body
}

const writes = operatorOperations.filter((row) => row.method !== 'GET')
const reads = operatorOperations.filter((row) => row.method === 'GET')

describe.each(writes.map((row) => ({ row, name: row.name })))('$name', ({ row }) => {
  test('is written down, without what opens something', async () => {
    const { path, body, secrets = [], status } = await caseOf(service, row)
    const start = service.clock.now()
    const reply = await service.operator(row.method, path, body)
    expect(reply.status).toBe(status)
    const [entry] = (await trail('?limit=1')).items
    expect(entry).toEqual({
      id: expect.stringMatching(/^\d+$/),
      at: expect.any(String),
      actor: 'bootstrap',
      role: 'admin',
      action: row.name,
      subject: subjectOf(row.path, path),
      detail: expect.any(Object),
    })
    expect(Date.parse(entry.at)).toBeGreaterThanOrEqual(start)
    const shownOnce = ['secret', 'token', 'ticket'].map((name) => reply.body?.[name]).filter(Boolean)
    const written = JSON.stringify(await trail('?limit=100')) + service.logged()
    for (const secret of [...secrets, ...shownOnce, OPERATOR_TOKEN, SECRET]) expect(written).not.toContain(secret)
  })

  test('is not written down when it is refused', async () => {
    const { path, body } = await caseOf(service, row)
    const { token } = await newToken(service, 'auditor')
    const before = (await trail('?limit=1')).items[0].id
    expect((await service.operator(row.method, path, body, token)).status).toBe(403)
    if (body !== undefined) expect((await service.operator(row.method, path, { nonsense: 1 })).status).toBe(422)
    expect((await trail('?limit=1')).items[0].id).toBe(before)
  })
})

function subjectOf(pattern: string, path: string): string {
  const parts = path.replace('/operator/v1', '').split('/')
  return parts.filter((_, index) => pattern.split('/')[index]?.startsWith('{')).join('/')
}

test('reads are not written down', async () => {
  const calls = []
  for (const row of reads) calls.push({ row, ...(await caseOf(service, row)) })
  const before = (await trail('?limit=1')).items[0].id
  for (const { row, path, status } of calls) expect((await service.operator(row.method, path)).status).toBe(status)
  expect((await trail('?limit=1')).items[0].id).toBe(before)
})

test('the body of a write is kept, with its secrets hidden', async () => {
  const body = { username: 'hidden.name', password: 'hidden-password', currency: 'EUR', verified: false }
  await service.operator('PUT', '/operator/v1/customers/88001', body)
  const [entry] = (await trail('?limit=1')).items
  expect(entry.detail.body).toEqual({
    username: '…',
    password: '…',
    currency: 'EUR',
    verified: false,
  })
})

test('the trail names the token and its role', async () => {
  const { token } = await newToken(service, 'moderator', 'Moderator Mia')
  const { profileId } = await service.member()
  const body = { action: 'keep', note: 'harmless\nsecond line' }
  await service.operator('POST', `/operator/v1/moderation/profiles/${profileId}`, body, token)
  const [entry] = (await trail('?limit=1')).items
  // Notes are kept with the decision, where they can be erased.
  const detail = { body: { action: 'keep', note: '…' } }
  expect(entry).toMatchObject({ actor: 'Moderator Mia', role: 'moderator', subject: `${profileId}`, detail })
})

test('pages go from the newest to the oldest, each entry once', async () => {
  for (let i = 0; i < 7; i++) await service.customer().then(({ id }) => erase(id))
  const seen: string[] = []
  let cursor = ''
  let pages = 0
  do {
    const page = await trail(`?limit=3&cursor=${cursor}`)
    expect(page.items.length).toBeLessThanOrEqual(3)
    seen.push(...page.items.map((one: { id: string }) => one.id))
    cursor = page.cursor
    pages++
  } while (cursor !== null)
  expect(pages).toBe(Math.ceil(seen.length / 3))
  expect(seen).toEqual([...new Set(seen)].sort((one, other) => Number(other) - Number(one)))
  expect(seen.length).toBeGreaterThanOrEqual(7)
})

function erase(id: number) {
  return service.operator('DELETE', `/operator/v1/customers/${id}/personal-data`)
}

test.each([
  'cursor=nonsense',
  'cursor=MQ%3D%3D',
  `cursor=${Buffer.from('1,2').toString('base64url')}`,
  `cursor=${Buffer.from('1e3').toString('base64url')}`,
  `cursor=${Buffer.from('99999999999999999999').toString('base64url')}`,
  'cursor=MQ&cursor=MQ',
  'limit=0',
  'limit=101',
  'limit=ten',
  'limit=1.5',
  'newest=Y',
])('?%s is refused', async (query) => {
  const reply = await service.operator('GET', `/operator/v1/audit?${query}`)
  expect(reply.status).toBe(422)
  expect(reply.headers.get('content-type')).toBe('application/problem+json; charset=utf-8')
  expect(reply.body.errors[0].pointer).toBe(`query/${query.split('=')[0]}`)
})
