import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { operatorAreas, operatorOperations } from '../../src/operator/operations.ts'
import { ROLES } from '../../src/platform/config/roles.ts'
import { redoclyProblems } from '../harness/redocly.ts'
import { type Json, useService } from '../harness/service.ts'

const service = useService()

async function description(): Promise<Json> {
  const reply = await service.operator('GET', '/operator/openapi.json', undefined, null)
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
  return reply.body
}

test('the description has the authentication and the problems', async () => {
  const { openapi, servers, security, tags, components } = await description()
  expect([openapi, servers[0].url, security]).toEqual(['3.1.0', '/operator/v1', [{ token: [] }]])
  expect(components.securitySchemes.token).toMatchObject({ type: 'http', scheme: 'bearer' })
  expect(components.schemas.Problem.required).toEqual(['type', 'title', 'status', 'detail'])
  expect(tags.map((tag: Json) => tag.name)).toEqual(operatorAreas.map(({ name }) => name))
  expect(tags.every((tag: Json) => /\.$/.test(tag.description))).toBe(true)
})

test('the description has every operation, and no other', async () => {
  const { paths } = await description()
  const listed = Object.entries<object>(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  expect(listed.sort()).toEqual(operatorOperations.map((row) => `${row.method} ${row.path}`).sort())
})

test.each(operatorOperations.map((row) => ({ row, name: row.name })))('$name is described', async ({ row }) => {
  const described = (await description()).paths[row.path][row.method.toLowerCase()]
  expect(described).toMatchObject({ operationId: row.name, summary: row.summary })
  const named = row.role.split(' or ').flatMap((role) => (role === 'cashier' ? ['cashier', 'cashier-lead'] : [role]))
  const roles = row.role === 'any' ? ROLES : ['admin', ...named, ...(row.method === 'GET' ? ['auditor'] : [])]
  expect(described.description).toBe(row.description)
  expect(described.security).toEqual([...new Set(roles)].map((role) => ({ token: [role] })))
  const isChange = row.method !== 'GET' && !row.background
  expect(described['x-audited']).toBe(isChange ? 'changes' : row.personalData === true ? 'reads' : undefined)
  const parameters: Json[] = described.parameters ?? []
  const names = (place: string) => parameters.filter((one) => one.in === place).map((one) => one.name)
  expect(names('path')).toEqual([...row.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]))
  expect(names('query')).toEqual(Object.keys(row.query?.properties ?? {}))
  expect(names('header')).toEqual(row.takesKey ? ['Idempotency-Key'] : [])
  expect(parameters.every((one) => one.required === (one.in === 'path') && one.schema.type)).toBe(true)
  const content = row.body === 'stream' ? 'application/x-ndjson' : 'application/json'
  expect(Object.keys(described.requestBody?.content ?? {})).toEqual(row.body === undefined ? [] : [content])
  const statuses = Object.keys(described.responses)
  expect(statuses.filter((status) => status < '300')).toEqual(Object.keys(row.answer))
  const hasBody = row.body !== undefined
  const shared = ['401', '403', '422', '429', '500', '503', ...(hasBody ? ['400', '408', '415'] : [])]
  const withLimit = hasBody && row.body !== 'stream' ? ['413'] : []
  const problems = [...new Set([...shared, ...withLimit, ...Object.keys(row.problems ?? {})])]
  expect(statuses.filter((status) => status > '300')).toEqual(problems.sort())
})

test('names of operations are unique, and summaries are titles', () => {
  const names = operatorOperations.map((row) => row.name)
  expect(new Set(names).size).toBe(names.length)
  expect(operatorOperations.filter(({ summary }) => /[.;:]/.test(summary) || summary.length > 70)).toEqual([])
})

test('the description passes Redocly’s recommended rules without a warning', async () => {
  expect(await redoclyProblems(await description())).toEqual([])
})

test('every example is valid against the schema beside it', async () => {
  const document = await description()
  const ajv = new Ajv2020({ strict: false, allErrors: true, formats: { 'date-time': true, date: true } })
  ajv.addSchema({ $id: 'api', ...document, $defs: {} }, undefined, false)
  let checked = 0
  const check = (schema: object, example: unknown, place: string) => {
    const validate = ajv.compile(withAbsoluteReferences(schema))
    expect([place, validate(example), validate.errors]).toEqual([place, true, null])
    checked++
  }
  const content = (holder: Json, place: string) => {
    for (const { schema, example } of Object.values<Json>(holder.content ?? {})) check(schema, example, place)
  }
  for (const [name, response] of Object.entries<Json>(document.components.responses)) content(response, name)
  for (const methods of Object.values<Json>(document.paths)) {
    for (const { operationId, parameters = [], requestBody = {}, responses } of Object.values<Json>(methods)) {
      for (const one of parameters) if (one.example !== undefined) check(one.schema, one.example, operationId)
      content(requestBody, operationId)
      for (const response of Object.values<Json>(responses)) content(response, operationId)
    }
  }
  expect(checked).toBeGreaterThan(2 * operatorOperations.length)
})

function withAbsoluteReferences(schema: object): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"api#/components/'))
}
