import { expect, test } from 'vitest'
import { useService } from '../harness/service.ts'
import { newToken } from './cases.ts'

const service = useService()
const VIEWS = '/operator/v1/views'

async function operatorOf(role: string) {
  const { token, name } = await newToken(service, role)
  const send = (method: string, path: string, body?: unknown) => service.operator(method, path, body, token)
  const names = async () => (await send('GET', VIEWS)).body.items.map((view: { name: string }) => view.name)
  return { name, send, names }
}

test('a view is its owner’s alone, or everybody’s; names are in order', async () => {
  const [ann, bob, auditor] = await Promise.all([
    operatorOf('accounts'),
    operatorOf('moderator'),
    operatorOf('auditor'),
  ])
  const address = 'customers?status=suspended&debt=true'
  const own = await ann.send('POST', VIEWS, { name: ' zebra ', address })
  expect([own.status, own.body]).toEqual([
    201,
    { id: expect.any(String), name: 'zebra', address, shared: false, owner: ann.name, createdAt: expect.any(String) },
  ])
  await ann.send('POST', VIEWS, { name: 'Apple', address, shared: true })
  expect(await ann.names()).toEqual(['Apple', 'zebra'])
  expect([await bob.names(), await auditor.names()]).toEqual([['Apple'], ['Apple']])
  const again = await ann.send('POST', VIEWS, { name: 'zebra', address: 'deposits' })
  expect([again.status, again.body.detail]).toEqual([409, expect.stringContaining('choose another')])
  expect((await bob.send('POST', VIEWS, { name: 'zebra', address })).status).toBe(201)
  expect((await ann.send('POST', VIEWS, { name: ' ', address })).status).toBe(422)
})

test('an operator deletes their own views; admins also those that others have shared', async () => {
  const [ann, bob] = await Promise.all([operatorOf('accounts'), operatorOf('accounts')])
  const save = async (name: string, shared: boolean) =>
    (await ann.send('POST', VIEWS, { name, address: 'deposits', shared })).body.id
  const [own, shared, kept] = [await save('Own', false), await save('Shared', true), await save('Kept', false)]
  expect((await bob.send('DELETE', `${VIEWS}/${shared}`)).status).toBe(404)
  expect((await service.operator('DELETE', `${VIEWS}/${kept}`)).status).toBe(404)
  expect((await service.operator('DELETE', `${VIEWS}/${shared}`)).status).toBe(204)
  expect((await ann.send('DELETE', `${VIEWS}/${own}`)).status).toBe(204)
  expect(await ann.names()).toEqual(expect.arrayContaining(['Kept']))
  expect(await ann.names()).not.toEqual(expect.arrayContaining(['Own']))
})

test('an operator has a hundred views at most, and is told what to do', async () => {
  const [ann, bob] = await Promise.all([operatorOf('accounts'), operatorOf('accounts')])
  const values = Array.from({ length: 99 }, (_, index) => `('${ann.name}', 'view ${index}', 'deposits', 0, 1)`)
  await service.context.database.script(
    `insert into saved_view (owner, name, address, shared, created_at) values ${values.join(', ')}`,
  )
  const save = (name: string) => ann.send('POST', VIEWS, { name, address: 'deposits' })
  const last = await save('the hundredth')
  expect(last.status).toBe(201)
  const beyond = await save('one more')
  expect([beyond.status, beyond.body.detail]).toEqual([409, expect.stringMatching(/^You have 100 views.*: delete one/)])
  expect((await bob.send('POST', VIEWS, { name: 'one more', address: 'deposits' })).status).toBe(201)
  await ann.send('DELETE', `${VIEWS}/${last.body.id}`)
  expect((await save('one more')).status).toBe(201)
})

test.each([
  ['PUT', '/operator/v1/moderation/settings', 'labels', 100, { groups: [] }],
  ['PUT', '/operator/v1/moderation/settings', 'groups', 100, { labels: [] }],
  ['PUT', '/operator/v1/moderation/clauses', 'notes', 100, { clauses: [] }],
  ['PUT', '/operator/v1/moderation/words', 'allowed', 10_000, {}],
] as const)('%s %s with too many %s says that %i are allowed', async (method, path, list, most, others) => {
  const items = Array.from({ length: most + 1 }, (_, index) =>
    list === 'groups' ? { name: `${index}`, members: [] } : `${index}`,
  )
  const { status, body } = await service.operator(method, path, { ...others, [list]: items })
  expect(status).toBe(422)
  expect(body.errors).toContainEqual({
    pointer: `/${list}`,
    detail: `must have ${most} items at most: remove what is no longer needed`,
  })
})
