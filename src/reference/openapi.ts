// The OpenAPI description and its JSON schemas, from the table of operations.

import packageFile from '../../package.json' with { type: 'json' }
import { faultBody, faultDocument } from '../http/failures.ts'
import type { Representation } from '../http/negotiate.ts'
import { type Area, areaOf, type Operation } from '../http/operation.ts'
import { pathsOf } from '../http/operation-paths.ts'
import type { Parameter } from '../http/parameters.ts'
import type { Document, Field, Node, RecordShape, ScalarKind } from '../http/representation/shape.ts'
import { answerExample } from './example.ts'
import { exampleFault, type Refusal, refusals } from './refusals.ts'

type Json = { readonly [key: string]: unknown }

// ---- The JSON form of a document.

const SCALAR: { readonly [K in ScalarKind]: Json } = {
  integer: { type: 'string', pattern: '^[0-9]+$' },
  signedInteger: { type: 'string', pattern: '^-?[0-9]+$' },
  decimal: { type: 'string', pattern: '^[0-9]+\\.[0-9]+$' },
  signedDecimal: { type: 'string', pattern: '^-?[0-9]+\\.[0-9]+$' },
  fraction: { type: 'string', pattern: '^[0-9]+/[1-9][0-9]*$' },
  text: { type: 'string' },
  yesNo: { type: 'string', enum: ['Y', 'N'] },
  date: { type: 'string', pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' },
  dateTime: {
    type: 'string',
    pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}[+-][0-9]{2}:[0-9]{2}$',
  },
  utcDateTime: { type: 'string', pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}$' },
  status: { type: 'string', minLength: 1, maxLength: 1 },
}

export function jsonSchema(document: Document): object {
  return { $schema: 'https://json-schema.org/draft/2020-12/schema', ...documentSchema(document) }
}

function documentSchema(document: Document): Json {
  return closedObject({ [document.root]: nodeSchema(document.node) }, [document.root])
}

function nodeSchema(node: Node): Json {
  if (node.is === 'record') return recordSchema(node)
  const item = nodeSchema(node.of)
  const items = node.json === 'entries' ? closedObject({ [node.item]: item }, [node.item]) : item
  // Otherwise at least one: an empty list is answered with 204 and has no body.
  return node.mayBeEmpty ? { type: 'array', items } : { type: 'array', minItems: 1, items }
}

function recordSchema(node: RecordShape): Json {
  const fields = Object.entries(node.fields)
  const properties = Object.fromEntries(fields.map(([name, field]) => [name, fieldSchema(field)]))
  const required = fields.filter(([, field]) => !field.optional).map(([name]) => name)
  return closedObject(properties, required)
}

function fieldSchema(field: Field): Json {
  const schema = undescribedSchema(field)
  return field.meaning === undefined ? schema : { ...schema, description: field.meaning }
}

function undescribedSchema(field: Field): Json {
  if (field.place === 'node') return nodeSchema(field.node)
  if (field.place === 'nodes') {
    const one = nodeSchema(field.node)
    return { oneOf: [one, { type: 'array', minItems: 2, items: one }] }
  }
  return SCALAR[field.scalar]
}

function closedObject(properties: Json, required: readonly string[]): Json {
  return { type: 'object', properties, required, additionalProperties: false }
}

// ---- The service.

const TAGS: { readonly [A in Area]: string } = {
  sessions: 'Session tickets: log in, check, log out.',
  profiles: 'Public profiles, who follows whom, rankings and pictures.',
  communities: 'Tips: comments on bets, with likes and flags.',
  wallets: 'Card deposits and registered payment methods.',
  stream: 'What concerns a customer, as server-sent events.',
}

const SECURITY_SCHEMES: Json = {
  'who-apiKey': { type: 'apiKey', in: 'header', name: 'who-apiKey', description: 'The application’s key.' },
  'who-secret': { type: 'apiKey', in: 'header', name: 'who-secret', description: 'The application’s secret.' },
  'who-ticket': { type: 'apiKey', in: 'header', name: 'who-ticket', description: 'The customer’s session ticket.' },
  'who-apiKey-query': {
    type: 'apiKey',
    in: 'query',
    name: 'who-apiKey',
    description: 'The application’s key in the query string, also as `apiKey`; the header takes precedence.',
  },
}

const HEADERS: Json = {
  'x-request-id': {
    description: 'Names the request; it is in the log of the service.',
    required: true,
    schema: { type: 'string' },
  },
  'Retry-After': {
    description: 'How many seconds to wait before trying again.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
  },
}

export function openApi(operations: readonly Operation[]): object {
  const areas = new Set(operations.map(({ path }) => areaOf(path)))
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
    tags: [...areas].map((area) => ({ name: area, description: TAGS[area] })),
    paths: paths(operations),
    components: {
      securitySchemes: SECURITY_SCHEMES,
      schemas: { ...answerSchemas(operations), ...faultSchemas(areas) },
      examples: faultExamples(operations),
      headers: HEADERS,
    },
  }
}

function paths(operations: readonly Operation[]): Json {
  const found: { [path: string]: { [method: string]: Json } } = {}
  const uses = new Map<string, number>()
  for (const operation of operations) {
    for (const path of pathsOf(operation)) {
      const use = (uses.get(operation.name) ?? 0) + 1
      uses.set(operation.name, use)
      found[path] ??= {}
      found[path][operation.method.toLowerCase()] = {
        operationId: use === 1 ? operation.name : `${operation.name}_${use}`,
        summary: operation.summary,
        tags: [areaOf(path)],
        security: security(operation),
        parameters: Object.entries(operation.parameters).flatMap(parameterObjects),
        ...requestBody(operation),
        responses: responses(operation),
      }
    }
  }
  return found
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

/** One that may be sent in two places is required in neither; its description says that it is required. */
function parameterObjects([name, { from, meaning, required, schema }]: [string, Parameter]): Json[] {
  const places = from.split(' or ').filter((place) => place !== 'form')
  const elsewhere = from.includes(' or ')
  const description = elsewhere ? `${meaning} (${required ? 'required, ' : ''}in the ${from})` : meaning
  return places.map((place) => ({ name, in: place, description, required: required && !elsewhere, schema }))
}

function requestBody(operation: Operation): Json {
  if (operation.body === 'picture') {
    const content = { 'image/jpeg': {}, 'image/png': {}, 'image/gif': {} }
    return { requestBody: { description: 'The picture’s bytes, up to 10 MB.', required: true, content } }
  }
  const inForm = Object.entries(operation.parameters).filter(([, { from }]) => from.includes('form'))
  if (inForm.length === 0) return {}
  const properties = Object.fromEntries(
    inForm.map(([name, { meaning, schema }]) => [name, { ...schema, description: meaning }]),
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
      return [one, { description, headers: headers(operation, one), ...written }]
    }),
  )
}

function streamContent({ events, example }: NonNullable<Operation['answer']['stream']>): Json {
  const types = Object.entries(events).map(([type, meaning]) => `- \`${type}\`: ${meaning}`)
  const description = `Server-sent events until the ticket or the connection ends, of these types:\n\n${types.join('\n')}`
  return { content: { 'text/event-stream': { schema: { type: 'string', description }, example } } }
}

const RETRIED = new Set([429, 503])

function headers({ answer }: Operation, status: number): Json {
  const shared = ['x-request-id', ...(RETRIED.has(status) ? ['Retry-After'] : [])]
  const own = status === answer.status ? Object.entries(answer.headers ?? {}) : []
  return {
    ...Object.fromEntries(shared.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
    ...Object.fromEntries(own.map(([name, description]) => [name, { description, schema: { type: 'string' } }])),
  }
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
