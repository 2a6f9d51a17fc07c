// The OpenAPI description of the operator API, made from its rows.

import type { FastifyInstance } from 'fastify'
import packageFile from '../../../package.json' with { type: 'json' }
import type { JsonSchema } from '../../http/representation/json-schema.ts'
import { type DescribedOperation, describeOperations, type OperatorArea } from './description.ts'
import type { DescribedProblem } from './operation-problems.ts'

export function serveOpenApi(app: FastifyInstance, areas: readonly OperatorArea[]): void {
  let text: string | undefined
  app.get('/operator/openapi.json', async (request, reply) => {
    request.record.operation = 'operatorOpenApi'
    text ??= JSON.stringify(operatorOpenApi(areas))
    return reply.header('content-type', 'application/json; charset=utf-8').send(text)
  })
}

const INTRODUCTION =
  'For the operator of the service: applications, customers, the sportsbook’s catalogue and bets, moderation, deposits, ' +
  'tokens and the audit trail. Ids are accepted as number or string and returned as strings. Money is a decimal ' +
  'string. Times are ISO 8601 in UTC. Lists answer `items` and `cursor`; send the cursor for the next page until it is ' +
  'null. Refusals are problem details (RFC 9457). PUT creates what is not there (201) and changes what is (200).'

export function operatorOpenApi(areas: readonly OperatorArea[]) {
  const operations = describeOperations(areas)
  const components = componentsOf()
  const paths: Record<string, Record<string, object>> = {}
  for (const operation of operations) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: operationObject(operation, components),
    }
  }
  const { schemas, responses } = components
  return {
    openapi: '3.1.0',
    info: {
      title: 'Paddock, operator API',
      version: packageFile.version,
      description: INTRODUCTION,
      license: { name: 'Apache License 2.0', identifier: packageFile.license },
    },
    externalDocs: { description: 'The same as a page, on which requests can be tried', url: '/docs' },
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
  }
}

const RETRY_AFTER = {
  description: 'How many seconds to wait before trying again.',
  required: true,
  schema: { type: 'integer', minimum: 1 },
}

function operationObject(operation: DescribedOperation, components: Components): object {
  const { name, area, summary, parameters, body, answers, problems } = operation
  return {
    operationId: name,
    summary,
    description: descriptionOf(operation),
    tags: [area],
    ...(parameters.length === 0 ? {} : { parameters: parameters.map(parameterObject) }),
    ...(body === null
      ? {}
      : {
          requestBody: {
            required: body.required,
            content: { [body.mediaType]: { schema: components.reference(body.schema), example: body.example } },
          },
        }),
    responses: Object.fromEntries([
      ...answers.map((answer) => [
        answer.status,
        {
          description: answer.description,
          ...(answer.schema === null
            ? {}
            : {
                content: {
                  [mediaTypeOf(operation)]: {
                    schema: operation.sendsCsv ? CSV_TEXT : components.reference(answer.schema),
                    example: answer.example,
                  },
                },
              }),
        },
      ]),
      ...problems.map((problem) => [problem.status, components.problemResponse(problem)]),
    ]),
  }
}

/** A file is text for clients; the reference describes its columns. */
const CSV_TEXT = { type: 'string', description: 'A line with the names of the columns, then one line for each item.' }

function mediaTypeOf({ sendsEvents, sendsCsv }: DescribedOperation): string {
  return sendsEvents ? 'text/event-stream' : sendsCsv ? 'text/csv' : 'application/json'
}

function descriptionOf({ description, roles, personalData }: DescribedOperation): string {
  const sentences = [
    ...(description === '' ? [] : [description]),
    `Roles: ${roles.join(', ')}.`,
    ...(personalData ? ['Each read is in the audit trail.'] : []),
  ]
  return sentences.join(' ')
}

function parameterObject(parameter: DescribedOperation['parameters'][number]): object {
  const { name, in: place, schema, example } = parameter
  const { description, examples, ...rest } = schema
  return {
    name,
    in: place,
    required: place === 'path',
    ...(description === undefined ? {} : { description }),
    schema: rest,
    ...(example === undefined ? {} : { example }),
  }
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
