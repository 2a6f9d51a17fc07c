// The OpenAPI document of the operator API, made from its rows. The reference is rendered from it: what OpenAPI has no field for
// is in fields that begin with x- (docs/openapi.md).

import packageFile from '../../../package.json' with { type: 'json' }
import type { JsonSchema, Schema } from '../../http/representation/json-schema.ts'
import { csvLine } from '../../platform/runtime/csv.ts'
import { rolesOf } from './call-roles.ts'
import { exampleOf } from './example.ts'
import { keyHeaders, PATTERN_TYPES, pathSchema } from './fields.ts'
import type { OperatorArea, OperatorOperation } from './operation.ts'
import { type DescribedProblem, problemsOf } from './operation-problems.ts'

const INTRODUCTION =
  'For the operator of the service: applications, customers, the sportsbook’s catalogue and bets, moderation, deposits, ' +
  'tokens and the audit trail. Ids and money are accepted as numbers or strings, and returned as strings; money ' +
  'is decimal. Times are ISO 8601 in UTC. Lists answer `items` and `cursor`; send the cursor for the next page until it is ' +
  'null. Refusals are problem details (RFC 9457). PUT creates what is not there (201) and changes what is (200).'

export function operatorOpenApi(areas: readonly OperatorArea[]) {
  const components = componentsOf()
  const paths: Record<string, Record<string, object>> = {}
  for (const { name: area, operations } of areas) {
    for (const operation of operations) {
      paths[operation.path] = {
        ...paths[operation.path],
        [operation.method.toLowerCase()]: operationObject(operation, area, components),
      }
    }
  }
  const { schemas, responses } = components
  return {
    openapi: '3.1.0',
    info: {
      title: 'Paddock, operator API',
      version: packageFile.version,
      summary:
        'For the operator of the service: applications, customers, the sportsbook, moderation, deposits, tokens and the audit trail',
      description: INTRODUCTION,
      license: { name: 'Apache License 2.0', identifier: packageFile.license },
    },
    externalDocs: { description: 'The same as pages, on which requests can be tried', url: '/docs' },
    servers: [{ url: '/operator/v1', description: 'This service' }],
    security: [{ token: [] }],
    tags: areas.map(({ name, description }) => ({ name, description })),
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer', description: 'An operator token.' } },
      headers: { 'Retry-After': RETRY_AFTER },
      schemas,
      responses,
    },
    'x-types': Object.fromEntries(PATTERN_TYPES),
  }
}

const RETRY_AFTER = {
  description: 'How many seconds to wait before trying again.',
  required: true,
  schema: { type: 'integer', minimum: 1 },
}

function operationObject(operation: OperatorOperation, area: string, components: Components): object {
  const { name, summary, description } = operation
  const parameters = parametersOf(operation)
  return {
    operationId: name,
    summary,
    ...(description === undefined ? {} : { description }),
    tags: [area],
    // One of these roles is enough.
    security: rolesOf(operation).map((role) => ({ token: [role] })),
    ...audited(operation),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...bodyOf(operation, components),
    responses: Object.fromEntries([
      ...answersOf(operation, components),
      ...problemsOf(operation).map((problem) => [problem.status, components.problemResponse(problem)]),
    ]),
  }
}

/** Which requests the audit trail has: changes, also those that are refused, and reads of personal data. */
function audited({ method, background, personalData }: OperatorOperation): object {
  if (method !== 'GET' && !background) return { 'x-audited': 'changes' }
  return personalData === true ? { 'x-audited': 'reads' } : {}
}

/** `example` is left out where the operation's example leaves the parameter out. */
function parametersOf({ path, query, takesKey, example }: OperatorOperation): object[] {
  const object = (place: 'path' | 'query' | 'header', sent: object) => {
    return ([name, schema]: [string, JsonSchema]) => {
      const { description, examples, ...rest } = schema
      const value = (sent as Record<string, unknown>)[name]
      return {
        ...{ name, in: place, required: place === 'path' },
        ...(description === undefined ? {} : { description }),
        schema: rest,
        ...(value === undefined ? {} : { example: value }),
      }
    }
  }
  return [
    ...Object.entries(pathSchema(path)).map(object('path', example.path ?? {})),
    ...Object.entries(query?.properties ?? {}).map(object('query', example.query ?? {})),
    ...(takesKey ? Object.entries(keyHeaders).map(object('header', {})) : []),
  ]
}

const LINES = { type: 'string', description: 'One JSON object on each line.' }

function bodyOf({ body, example }: OperatorOperation, components: Components): object {
  if (body === undefined) return {}
  if (body === 'stream') {
    const content = { 'application/x-ndjson': { schema: LINES, example: example.body } }
    return { requestBody: { required: true, content } }
  }
  const required = Array.isArray(body.required) && body.required.length > 0
  const content = { 'application/json': { schema: components.reference(body), example: example.body } }
  return { requestBody: { required, content } }
}

function answersOf(operation: OperatorOperation, components: Components): [status: string, response: object][] {
  const { answer, example, summary, sendsCsv, sendsEvents } = operation
  const isCreated = '201' in answer
  return Object.entries(answer).map(([status, schema]: [string, Schema | null]) => {
    const description = status === '201' ? 'Created' : isCreated ? 'Changed' : summary
    if (schema === null) return [status, { description }]
    const shown = { ...(exampleOf(schema) as object), ...example.answer }
    const type = sendsEvents ? 'text/event-stream' : sendsCsv ? 'text/csv' : 'application/json'
    const described = components.reference(schema)
    const content = sendsCsv ? csvFile(described, shown) : { schema: described, example: shown }
    return [status, { description, content: { [type]: content } }]
  })
}

/** A file is text for clients; the schema of its content has the columns. The example has one row. */
function csvFile(columns: unknown, row: object): object {
  const description = 'A line with the names of the columns, then one line for each item.'
  const schema = { type: 'string', description, contentMediaType: 'text/csv', contentSchema: columns }
  return { schema, example: csvLine(Object.keys(row)) + csvLine(Object.values(row)) }
}

type Components = {
  readonly schemas: Record<string, JsonSchema>
  readonly responses: Record<string, object>
  /** The schema with every named part of it replaced by a reference. */
  reference(schema: JsonSchema): unknown
  problemResponse(problem: DescribedProblem): object
}

const RETRIED: readonly number[] = [429, 503]

function componentsOf(): Components {
  const schemas: Record<string, JsonSchema> = {}
  const responses: Record<string, object> = {}

  function reference(schema: JsonSchema): unknown {
    const { title, ...rest } = schema
    const resolved = parts(rest) as JsonSchema
    if (typeof title !== 'string') return resolved
    if (schemas[title] !== undefined && JSON.stringify(schemas[title]) !== JSON.stringify(resolved)) {
      throw new Error(`Two schemas are named ${title}`)
    }
    schemas[title] = resolved
    return { $ref: `#/components/schemas/${title}` }
  }

  /** What stands below examples and enumerations is data. */
  function parts(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(partOf)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, part]) => [key, ['examples', 'enum'].includes(key) ? part : partOf(part)]),
    )
  }

  function partOf(part: unknown): unknown {
    const isNamed = typeof part === 'object' && part !== null && 'title' in part && typeof part.title === 'string'
    return isNamed ? reference(part as JsonSchema) : parts(part)
  }

  function problemResponse({ status, when, schema, example, isShared }: DescribedProblem): object {
    const response = {
      description: when,
      ...(RETRIED.includes(status) ? { headers: { 'Retry-After': { $ref: '#/components/headers/Retry-After' } } } : {}),
      content: { 'application/problem+json': { schema: reference(schema), example } },
    }
    if (!isShared) return response
    responses[`Problem${status}`] = response
    return { $ref: `#/components/responses/Problem${status}` }
  }

  return { schemas, responses, reference, problemResponse }
}
