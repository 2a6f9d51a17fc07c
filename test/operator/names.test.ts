import { expect, test } from 'vitest'
import { useService } from '../harness/service.ts'
import { newToken } from './cases.ts'

const service = useService()

test('names are those that the role may read; reading a customer’s is recorded', async () => {
  const named = await service.customer({ username: 'has-a-user-name' })
  const { id, profileId, ticket } = await service.member()
  await service.call('PUT', '/v1/profiles/me?name=Only+A+Profile', { ticket })
  const nameless = await service.customer()
  const query = `customers=${[named.id, id, nameless.id, 999].join()}&profiles=${profileId},998`
  const read = async (role: string) => {
    const { token } = await newToken(service, role)
    return (await service.operator('GET', `/operator/v1/names?${query}`, undefined, token)).body
  }
  const customers = [
    { id: `${named.id}`, name: 'has-a-user-name' },
    { id: `${id}`, name: 'Only A Profile' },
  ]
  const profiles = [{ id: `${profileId}`, name: 'Only A Profile' }]
  const byName = (one: { name: string }, other: { name: string }) => (one.name < other.name ? 1 : -1)
  const whole = await read('auditor')
  expect({ ...whole, customers: whole.customers.sort(byName) }).toEqual({ customers, profiles })
  expect((await read('accounts')).profiles).toEqual([])
  const lastEntry = async () => (await service.operator('GET', '/operator/v1/audit?limit=1')).body.items[0]
  expect((await lastEntry()).sentence).toContain(`read the names of customers ${named.id},`)
  expect(await read('moderator')).toEqual({ customers: [], profiles })
  expect((await lastEntry()).action).toBe('createToken')
})

test('what is no id, and more than 100, is refused', async () => {
  const many = Array.from({ length: 101 }, (_, index) => index).join()
  for (const ids of ['1,x', '1,', many]) {
    const { status, body } = await service.operator('GET', `/operator/v1/names?profiles=${ids}`)
    expect([ids, status, body.detail]).toEqual([ids, 422, expect.stringContaining('at most 100 ids')])
  }
})
