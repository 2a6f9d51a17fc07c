// The OpenAPI document of the public API, from the table of operations. The reference is rendered from it: what OpenAPI has no
// field for is in fields that begin with x- (docs/openapi.md).

import packageFile from '../../package.json' with { type: 'json' }
import type { Representation } from '../http/answers/negotiate.ts'
import { faultBody, faultDocument } from '../http/operations/failures.ts'
import { type Area, areaOf, type Operation } from '../http/operations/operation.ts'
import { pathsOf } from '../http/operations/operation-paths.ts'
import type { Document } from '../http/representation/shape.ts'
import type { Parameter } from '../http/requests/parameters.ts'
import { readAsset } from '../platform/runtime/assets.ts'
import { clientResult } from './client-result.ts'
import { documentSchema, type Json, PATTERN_NAMES } from './document-schema.ts'
import { answerExample, parameterExample } from './example.ts'
import { headersOf } from './headers.ts'
import { exampleFault, faultComponents, type Refusal, refusals } from './refusals.ts'

type FixedParts = { tags: { readonly [A in Area]: Json }; securitySchemes: Json; headers: Json }

/** `picture` is the path of a picture of the service, to upload as an example. */
export function openApi(operations: readonly Operation[], picture = '/pictures/default.png'): object {
  const areas = new Set(operations.map(({ path }) => areaOf(path)))
  const { tags, securitySchemes, headers } = readAsset<FixedParts>('reference/public/openapi.json')
  return {
    openapi: '3.1.0',
    info: {
      title: 'Paddock',
      version: packageFile.version,
      summary: packageFile.description,
      description:
        'Every answer is XML (the default) or JSON, chosen with the `accept` header. `/docs` is the full reference.',
      license: { name: 'Apache License 2.0', identifier: packageFile.license },
    },
    servers: [{ url: '/', description: 'This service' }],
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    tags: [...areas].map((area) => ({ name: area, ...tags[area] })),
    paths: paths(operations, picture),
    components: {
      securitySchemes,
      schemas: { ...answerSchemas(operations), ...faultSchemas(areas) },
      examples: faultExamples(operations),
      headers,
      'x-faults': faultComponents(operations),
    },
    'x-types': PATTERN_NAMES,
  }
}

function paths(operations: readonly Operation[], picture: string): Json {
  const found: { [path: string]: { [method: string]: Json } } = {}
  for (const { id, operation, path } of operationIds(operations)) {
    const { name, summary, answer } = operation
    const xsd = { description: 'XML schema of the response', url: `/schemas/${name}.xsd` }
    found[path] ??= {}
    found[path][operation.method.toLowerCase()] = {
      operationId: id,
      summary,
      tags: [areaOf(path)],
      security: security(operation),
      parameters: Object.keys(operation.parameters).flatMap((one) => parameterObjects(operation, one)),
      ...requestBody(operation, picture),
      responses: responses(operation),
      ...(answer.document === null ? {} : { externalDocs: xsd }),
      'x-client-result': clientResult(operation),
      ...(operation.locksOut ? { 'x-locks-out': true } : {}),
      ...(operation.movesMoney ? { 'x-moves-money': true } : {}),
      ...(path === operation.path ? {} : { 'x-alias-of': name }),
    }
  }
  return found
}

type Identified = { readonly id: string; readonly operation: Operation; readonly path: string }

/** Every path of every operation. A name that is used again is numbered. */
export function operationIds(operations: readonly Operation[]): Identified[] {
  const uses = new Map<string, number>()
  return operations.flatMap((operation) =>
    pathsOf(operation).map((path) => {
      const use = (uses.get(operation.name) ?? 0) + 1
      uses.set(operation.name, use)
      return { id: use === 1 ? operation.name : `${operation.name}_${use}`, operation, path }
    }),
  )
}

function security({ credentials, ticket, keyInQuery }: Operation): Json[] {
  if (credentials === 'none') return []
  const keys = keyInQuery ? ['who-apiKey', 'who-apiKey-query'] : ['who-apiKey']
  return keys.flatMap((key) => {
    const application = { [key]: [], 'who-secret': [] }
    const both = { ...application, 'who-ticket': [] }
    return ticket === 'required' ? [both] : ticket === 'optional' ? [application, both] : [application]
  })
}

/** One that may be sent in two places is required in neither; its description states that it is required. */
function parameterObjects(operation: Operation, name: string): Json[] {
  const { from, meaning, required = false } = operation.parameters[name] as Parameter
  const places = from.split(' or ').filter((place) => place !== 'form')
  const elsewhere = from.includes(' or ')
  const description = elsewhere && required ? `${meaning} (required)` : meaning
  const schema = parameterSchema(operation, name)
  const { value, shown } = parameterExample(operation, name)
  return places.map((place) => ({
    ...{ name, in: place, description, required: required && !elsewhere },
    ...(required && elsewhere ? { 'x-required': true } : {}),
    schema,
    ...(shown ? { example: typed(schema, value) } : {}),
  }))
}

const SECRETS: readonly string[] = ['password', 'cv2']

function parameterSchema(operation: Operation, name: string): Json {
  const { schema } = operation.parameters[name] as Parameter
  const { value } = parameterExample(operation, name)
  return {
    ...schema,
    ...(SECRETS.includes(name) ? { format: 'password' } : {}),
    ...(value === '' ? {} : { examples: [typed(schema, value)] }),
  }
}

function typed({ type }: Json, value: string): string | number {
  return type === 'integer' || type === 'number' ? Number(value) : value
}

function requestBody(operation: Operation, picture: string): Json {
  if (operation.body === 'picture') {
    // Not as an external example, which generators of clients would look for in their own files.
    const content = { 'image/jpeg': {}, 'image/png': { 'x-example-path': picture }, 'image/gif': {} }
    return { requestBody: { description: 'The picture’s bytes, up to 10 MB.', required: true, content } }
  }
  const inForm = Object.entries(operation.parameters).filter(([, { from }]) => from.includes('form'))
  if (inForm.length === 0) return {}
  const properties = Object.fromEntries(
    inForm.map(([name, { meaning }]) => [name, { ...parameterSchema(operation, name), description: meaning }]),
  )
  const content = { 'application/x-www-form-urlencoded': { schema: { type: 'object', properties } } }
  return {
    requestBody: { description: 'The parameters, where they are not in the query string.', required: false, content },
  }
}

function responses(operation: Operation): Json {
  const { status, document, mayBeEmpty, stream } = operation.answer
  const refused = Map.groupBy(refusals(operation), (refusal) => refusal.status)
  const statuses = [...new Set([status, ...(mayBeEmpty ? [204] : []), ...refused.keys()])].sort((a, b) => a - b)
  return Object.fromEntries(
    statuses.map((one) => {
      const faults = refused.get(one) ?? []
      const answers = one === status && document !== null
      const success = one === status ? [operation.summary] : one === 204 ? ['There is nothing to show'] : []
      const description = [...success, ...faults.map(({ code, text }) => `${code} ${text}`)].join('; ')
      const bodies = (answers || faults.length > 0) && operation.method !== 'HEAD'
      const streamed = one === status && stream !== undefined ? streamContent(stream) : {}
      const written = bodies ? { content: content(operation, answers, faults) } : streamed
      const own = faults.filter(({ shared }) => !shared).map(({ kind, names }) => [kind, names])
      return [
        one,
        {
          ...{ description, headers: headersOf(operation, one), ...written },
          ...(own.length === 0 ? {} : { 'x-faults': Object.fromEntries(own) }),
        },
      ]
    }),
  )
}

function streamContent({ events, example }: NonNullable<Operation['answer']['stream']>): Json {
  const types = Object.entries(events).map(([type, meaning]) => `- \`${type}\`: ${meaning}`)
  const description = `Server-sent events until the ticket or the connection ends, of these types:\n\n${types.join('\n')}`
  return { content: { 'text/event-stream': { schema: { type: 'string', description }, example, 'x-events': events } } }
}

/** XML is described by its XSD: a JSON schema does not distinguish attributes from elements. */
function content(operation: Operation, answers: boolean, faults: readonly Refusal[]): Json {
  const area = areaOf(operation.path)
  const example = answers ? answerExample(operation) : null
  const schemas = [...(answers ? [operation.name] : []), ...(faults.length > 0 ? [faultSchemaName(area)] : [])]
  const references = schemas.map((name) => ({ $ref: `#/components/schemas/${name}` }))
  const xsds = [...(answers ? [operation.name] : []), ...(faults.length > 0 ? ['faults'] : [])]
  const described = xsds.map((name) => `/schemas/${name}.xsd`).join(' or ')
  const examples = (form: Representation) => ({
    ...(example === null ? {} : { answer: { value: form === 'json' ? JSON.parse(example.json) : example.xml } }),
    ...Object.fromEntries(
      faults.map((fault) => [fault.kind, { $ref: `#/components/examples/${exampleName(fault, area, form)}` }]),
    ),
  })
  return {
    'application/json': {
      schema: references.length === 1 ? references[0] : { oneOf: references },
      examples: examples('json'),
    },
    'application/xml': {
      schema: { type: 'string', description: `A document of ${described}.` },
      examples: examples('xml'),
    },
  }
}

/** Named by operation; those of one document are written once. */
function answerSchemas(operations: readonly Operation[]): Json {
  const schemas: { [name: string]: unknown } = {}
  const first = new Map<Document, string>()
  for (const { name, answer } of operations) {
    if (answer.document === null || name in schemas) continue
    const same = first.get(answer.document)
    schemas[name] = same === undefined ? documentSchema(answer.document) : { $ref: `#/components/schemas/${same}` }
    if (same === undefined) first.set(answer.document, name)
  }
  return schemas
}

function faultSchemaName(area: Area): string {
  return area === 'communities' ? 'faultObject' : 'faultList'
}

function faultSchemas(areas: ReadonlySet<Area>): Json {
  return Object.fromEntries([...areas].map((area) => [faultSchemaName(area), documentSchema(faultDocument(area))]))
}

function exampleName({ kind, names }: Refusal, area: Area, form: Representation): string {
  const shape = form === 'xml' ? 'xml' : faultSchemaName(area)
  const name = (names[0] ?? '').replace(/[^A-Za-z0-9]+/g, '-').replace(/^-|-$/g, '')
  return [kind, name, shape].filter((part) => part !== '').join('.')
}

function faultExamples(operations: readonly Operation[]): Json {
  const examples: { [name: string]: unknown } = {}
  for (const operation of operations.filter(({ method }) => method !== 'HEAD')) {
    const area = areaOf(operation.path)
    for (const refusal of refusals(operation)) {
      const fault = exampleFault(operation, refusal)
      for (const form of ['json', 'xml'] as const) {
        const body = faultBody(fault, form, area).text
        const value = form === 'json' ? JSON.parse(body) : body
        examples[exampleName(refusal, area, form)] ??= { summary: `${refusal.code} ${refusal.text}`, value }
      }
    }
  }
  return examples
}
