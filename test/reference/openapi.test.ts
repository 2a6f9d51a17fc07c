import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import packageFile from '../../package.json' with { type: 'json' }
import { faultTable } from '../../src/faults.ts'
import { declaredFaults } from '../../src/http/operations/declared-faults.ts'
import { faultList, faultObject } from '../../src/http/operations/failures.ts'
import { type Operation, operationWith } from '../../src/http/operations/operation.ts'
import { pathsOf } from '../../src/http/operations/operation-paths.ts'
import { jsonWriter } from '../../src/http/representation/json.ts'
import { document, element, record } from '../../src/http/representation/shape.ts'
import { allOperations } from '../../src/operations.ts'
import { jsonSchema } from '../../src/reference/document-schema.ts'
import { openApi } from '../../src/reference/openapi.ts'
import { redoclyProblems } from '../harness/redocly.ts'
import { documents, mutants, tips, valuesOf } from '../representation/arbitrary.ts'

const forms = [...documents, ['fault list', faultList] as const, ['fault object', faultObject] as const]

describe.each(forms)('the JSON schema of %s', (_name, shape) => {
  const validate = new Ajv2020().compile(jsonSchema(shape))

  test('accepts whatever the writer writes', () => {
    const write = jsonWriter(shape)
    fc.assert(
      fc.property(valuesOf(shape.node), (value) => {
        expect(validate(JSON.parse(write(value as never))), JSON.stringify(validate.errors)).toBe(true)
      }),
      { numRuns: 50 },
    )
  })

  test('refuses missing and unknown fields', () => {
    for (const { what, node } of mutants(shape.node).filter(({ xmlOnly }) => !xmlOnly)) {
      const write = jsonWriter({ ...shape, node })
      for (const value of fc.sample(valuesOf(node, true), 3)) {
        expect(validate(JSON.parse(write(value as never))), what).toBe(false)
      }
    }
  })

  test('refuses scalars that are no strings, another root and an empty list', () => {
    const [value] = fc.sample(valuesOf(shape.node, true), 1)
    const text = jsonWriter(shape)(value as never)
    const numbers = JSON.parse(text, (_key, part) => (typeof part === 'string' ? 1 : part))
    expect(validate(numbers)).toBe(false)
    expect(validate({ other: JSON.parse(text)[shape.root] })).toBe(false)
    expect(validate({ [shape.root]: [] })).toBe(false)
  })
})

test('repeated nodes are an object or an array of several, never an array of one', () => {
  const validate = new Ajv2020().compile(jsonSchema(tips))
  const [value] = fc.sample(valuesOf(tips.node), 1) as { comment: unknown[] }[]
  const written = JSON.parse(jsonWriter(tips)({ comment: [value?.comment[0]] } as never))
  expect(validate(written)).toBe(true)
  const { comment } = written.whoCommunities
  expect(validate({ whoCommunities: { comment: [comment, comment] } })).toBe(true)
  expect(validate({ whoCommunities: { comment: [comment] } })).toBe(false)
  expect(validate({ whoCommunities: { comment: [] } })).toBe(false)
})

// biome-ignore lint/suspicious/noExplicitAny: tests look deep into a document of many shapes
type Json = any

const described: Json = JSON.parse(JSON.stringify(openApi(allOperations)))
const rows = allOperations.flatMap((row) => pathsOf(row).map((path) => [`${row.method} ${path}`, row, path] as const))

function resolved(value: Json): Json {
  if (value?.$ref === undefined) return value
  const steps: string[] = value.$ref.slice(2).split('/')
  return resolved(steps.reduce((found, step) => found[step], described))
}

describe('the OpenAPI description', () => {
  test('names the service, its version and its credentials', () => {
    expect(described.openapi).toBe('3.1.0')
    expect(described.info).toMatchObject({ title: 'Paddock', version: packageFile.version })
    const schemes: Json[] = Object.values(described.components.securitySchemes)
    expect(schemes.filter((scheme) => scheme.in === 'header').map(({ name }) => name)).toEqual([
      'who-apiKey',
      'who-secret',
      'who-ticket',
    ])
  })

  test('has unique operation ids, and tags that are explained', () => {
    const all: Json[] = Object.values(described.paths).flatMap((methods) => Object.values(methods as object))
    expect(all).toHaveLength(rows.length)
    expect(new Set(all.map(({ operationId }) => operationId)).size).toBe(all.length)
    const explained = described.tags.map(({ name }: Json) => name)
    for (const { tags } of all) for (const tag of tags) expect(explained).toContain(tag)
  })

  test('every reference leads somewhere', () => {
    const references = [...JSON.stringify(described).matchAll(/"\$ref":"([^"]+)"/g)].map(([, target]) => target)
    expect(references.length).toBeGreaterThan(100)
    for (const $ref of references) expect(resolved({ $ref }), $ref).toBeDefined()
  })

  test('passes the recommended rules of Redocly, but for the ambiguous paths of the contract itself', async () => {
    const problems = await redoclyProblems(openApi(allOperations))
    expect(problems).toHaveLength(1)
    expect(problems[0]).toContain('`/v1/communities/comments/{id}/flag` and `/v1/communities/comments/profiles/{id}`')
    // The rules are really applied: a description without its responses and servers does not pass.
    const { servers: _, ...poor } = described
    const { responses: __, ...operation } = poor.paths['/v1/profiles/me'].get
    const changed = { ...poor, paths: { '/v1/profiles/me': { get: operation } } }
    expect((await redoclyProblems(changed)).length).toBeGreaterThan(1)
  })

  test('every JSON example is valid against its schema', () => {
    const ajv = new Ajv2020({ strict: false })
    ajv.addSchema(described, 'openapi')
    for (const [path, methods] of Object.entries<Json>(described.paths)) {
      for (const [method, { responses }] of Object.entries<Json>(methods)) {
        for (const [status, { content }] of Object.entries<Json>(responses)) {
          if (content?.['application/json'] === undefined) continue
          const pointer = [path, method, 'responses', status, 'content', 'application/json', 'schema']
          const validate = ajv.getSchema(`openapi#/paths/${pointer.map(escapedStep).join('/')}`) as ValidateFunction
          for (const example of Object.values(content['application/json'].examples)) {
            expect(validate(resolved(example).value), `${method} ${path} ${status}`).toBe(true)
          }
        }
      }
    }
  })
})

function escapedStep(step: string): string {
  return encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))
}

describe.each(rows)('%s', (_title, row, path) => {
  const found = described.paths[path][row.method.toLowerCase()]

  test('is described, with its credentials', () => {
    expect(found).toMatchObject({ summary: row.summary })
    expect(found.operationId).toMatch(new RegExp(`^${row.name}(_\\d+)?$`))
    const needs: string[][] = found.security.map((one: object) => Object.keys(one))
    for (const one of needs) expect(one).toContain('who-secret')
    const withTicket = needs.filter((one) => one.includes('who-ticket'))
    const expected = { required: needs.length, optional: needs.length / 2, none: 0 }
    expect(withTicket).toHaveLength(expected[row.ticket])
    expect(needs.some((one) => one.includes('who-apiKey-query'))).toBe(row.keyInQuery === true)
  })

  test('has every parameter in each of its places', () => {
    for (const [name, { from, meaning, required, schema }] of Object.entries(row.parameters)) {
      for (const place of from.split(' or ')) {
        if (place === 'form') {
          const form = found.requestBody.content['application/x-www-form-urlencoded'].schema.properties
          expect(form[name]).toMatchObject(schema)
          continue
        }
        const parameter = found.parameters.find((one: Json) => one.name === name && one.in === place)
        expect(parameter, `${name} in ${place}`).toMatchObject({ schema: JSON.parse(JSON.stringify(schema)) })
        expect(parameter.description).toContain(meaning)
        expect(parameter.required).toBe(required === true && from === place)
      }
    }
    if (row.body === 'picture') expect(Object.keys(found.requestBody.content)).toContain('image/png')
  })

  test('has its answers and every fault that it can give', () => {
    const { status, document: shape, mayBeEmpty } = row.answer
    expect(Object.keys(found.responses)).toContain(String(status))
    if (mayBeEmpty) expect(Object.keys(found.responses)).toContain('204')
    if (shape !== null) {
      const { content } = found.responses[status]
      expect(Object.keys(content)).toEqual(['application/json', 'application/xml'])
      expect(resolved({ $ref: `#/components/schemas/${row.name}` }).required).toEqual([shape.root])
      expect(content['application/xml'].schema.description).toContain(`/schemas/${row.name}.xsd`)
    }
    const credentials = ['apiKeyMissing', 'secretMissing', 'apiKeyInvalid'] as const
    const shared = ['notAcceptable', 'tooLarge', ...(row.credentials === 'none' ? [] : credentials)] as const
    expect(found.security.length === 0).toBe(row.credentials === 'none')
    const failures = ['tooManyRequests', 'unexpected', 'unavailable'] as const
    const ticket = row.ticket === 'none' ? [] : (['ticketInvalid'] as const)
    const own = declaredFaults(row).map(({ kind }) => kind)
    for (const kind of [...own, ...shared, ...failures, ...ticket]) {
      const { code, status: http, text } = faultTable[kind]
      const response = found.responses[http]
      expect(response.description, kind).toContain(`${code} ${text}`)
      if (row.method === 'HEAD') expect(response.content).toBeUndefined()
      else expect(resolved(response.content['application/xml'].examples[kind]).value).toContain(`>${code}<`)
    }
  })

  test('has the headers of its answers', () => {
    for (const [status, { headers }] of Object.entries<Json>(found.responses)) {
      const own = Number(status) === row.answer.status ? Object.keys(row.answer.headers ?? {}) : []
      const retried = status === '429' || status === '503' ? ['Retry-After'] : []
      // While the primary is away a replica answers, or nobody does.
      const answered = status !== '503'
      const ages = [
        ...(row.mayBeStale === true && answered ? ['x-read-age'] : []),
        ...(row.mayBeStale !== false && answered ? ['x-write-position'] : []),
      ]
      expect(Object.keys(headers), status).toEqual(['x-request-id', ...retried, ...ages, ...own])
      for (const header of Object.values<Json>(headers)) expect(resolved(header).description).not.toBe('')
    }
  })
})

test('a deposit may be answered as replayed', () => {
  const { responses } = described.paths['/v1/wallets/me'].post
  expect(Object.keys(responses[200].headers)).toContain('Idempotent-Replayed')
})

test('faults with the status of success stand beside the answer', () => {
  const row: Operation = operationWith<object>()({
    name: 'pay',
    summary: 'Pay',
    route: 'POST /v1/wallets/me',
    ticket: 'required',
    answer: { status: 200, document: document('whoWallets', record({ paymentId: element('text') })) },
    faults: { credentialsMissing: null },
    handle: async () => ({ paymentId: '1' }),
  })
  const paid = (openApi([row]) as Json).paths['/v1/wallets/me'].post.responses[200]
  expect(paid.description).toBe('Pay; 20010 Missing request parameter')
  expect(paid.content['application/json'].schema.oneOf).toHaveLength(2)
  expect(Object.keys(paid.content['application/json'].examples)).toEqual(['answer', 'credentialsMissing'])
})

test('an operation that two rows share is described twice, under two ids', () => {
  const [row] = allOperations.filter(({ name }) => name === 'getMyProfile') as unknown as [Operation]
  const methods = (openApi([row, { ...row, method: 'POST' }]) as Json).paths[row.path]
  expect([methods.get.operationId, methods.post.operationId]).toEqual(['getMyProfile', 'getMyProfile_2'])
})
