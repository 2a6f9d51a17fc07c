import { expect, test } from 'vitest'
import { ROLES } from '../../src/config/roles.ts'
import { operatorOperations } from '../../src/operator/operations.ts'
import { type Json, useService } from '../harness/service.ts'

const service = useService()

async function reference(): Promise<Json> {
  const reply = await service.operator('GET', '/operator/openapi.json', undefined, null)
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
  return reply.body
}

test('the reference says how to call, and how it is refused', async () => {
  const { openapi, servers, security, components } = await reference()
  expect([openapi, servers, security]).toEqual(['3.1.0', [{ url: '/operator/v1' }], [{ token: [] }]])
  expect(components.securitySchemes.token).toMatchObject({ type: 'http', scheme: 'bearer' })
  expect(components.schemas.Problem.required).toEqual(['type', 'title', 'status', 'detail'])
})

test('every row is in it, and nothing else', async () => {
  const { paths } = await reference()
  const listed = Object.entries<object>(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  expect(listed.sort()).toEqual(operatorOperations.map((row) => `${row.method} ${row.path}`).sort())
})

test.each(operatorOperations.map((row) => ({ row, name: row.name })))('$name is described', async ({ row }) => {
  const described = (await reference()).paths[row.path][row.method.toLowerCase()]
  expect(described).toMatchObject({ operationId: row.name, summary: row.summary })
  const roles =
    row.role === 'any' ? ROLES : ['admin', ...row.role.split(' or '), ...(row.method === 'GET' ? ['auditor'] : [])]
  const audited = row.personalData ? ' Each read is in the audit trail.' : ''
  expect(described.description).toBe(`Roles: ${[...new Set(roles)].join(', ')}.${audited}`)
  const parameters: Json[] = described.parameters ?? []
  const names = (place: string) => parameters.filter((one) => one.in === place).map((one) => one.name)
  expect(names('path')).toEqual([...row.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]))
  expect(names('query')).toEqual(Object.keys(row.query ?? {}))
  expect(parameters.every((one) => one.required === (one.in === 'path') && one.schema.type)).toBe(true)
  const content = row.body === 'stream' ? 'application/x-ndjson' : 'application/json'
  expect(Object.keys(described.requestBody?.content ?? {})).toEqual(row.body === undefined ? [] : [content])
  expect(Object.keys(described.responses)).toEqual(['2XX', 'default'])
})

test('names of operations are unique', () => {
  const names = operatorOperations.map((row) => row.name)
  expect(new Set(names).size).toBe(names.length)
})
