// The reference of the operator's API, made from its rows.

import type { FastifyInstance } from 'fastify'
import { type OperatorOperation, pathSchema, rolesOf } from './operation.ts'

export function serveOpenApi(app: FastifyInstance, operations: readonly OperatorOperation[]): void {
  let text: string | undefined
  app.get('/operator/openapi.json', async (request, reply) => {
    request.record.operation = 'operatorOpenApi'
    text ??= JSON.stringify(operatorOpenApi(operations))
    return reply.header('content-type', 'application/json; charset=utf-8').send(text)
  })
}

export function operatorOpenApi(operations: readonly OperatorOperation[]) {
  const paths: Record<string, Record<string, object>> = {}
  for (const operation of operations) {
    const path = paths[operation.path] ?? {}
    paths[operation.path] = path
    path[operation.method.toLowerCase()] = described(operation)
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Paddock, operator API', version: 'v1', description: INTRODUCTION },
    servers: [{ url: '/operator/v1' }],
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer', description: 'An operator token.' } },
      schemas: { Problem: PROBLEM },
    },
  }
}

const INTRODUCTION =
  'For the operator of the service: applications, customers, tokens, moderation, audit. Ids are accepted as number or ' +
  'string and returned as strings; money is a decimal string; times are ISO 8601 in UTC. Lists answer `items` and ' +
  '`cursor`, to be sent for the next page until it is null. Refusals are problem details (RFC 9457).'

const PROBLEM = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string', description: 'what is wrong and what to do' },
    errors: {
      type: 'array',
      description: 'each wrong value: a JSON pointer into the body, query/name or path/name',
      items: { type: 'object', properties: { pointer: { type: 'string' }, detail: { type: 'string' } } },
    },
    current: { type: 'object', description: 'a refused decision of a moderator: what the subject is now' },
    meanwhile: { type: 'array', description: 'decisions of others that came before it', items: { type: 'object' } },
  },
}

function described(operation: OperatorOperation): object {
  const { name, summary, path, query = {}, body, personalData } = operation
  const parameters = [
    ...Object.entries(pathSchema(path)).map(([key, schema]) => ({ name: key, in: 'path', required: true, schema })),
    ...Object.entries(query).map(([key, schema]) => ({ name: key, in: 'query', required: false, schema })),
  ]
  return {
    operationId: name,
    summary,
    description: `Roles: ${rolesOf(operation).join(', ')}.${personalData ? ' Each read is in the audit trail.' : ''}`,
    tags: [path.split('/')[1]],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: requestBody(body) }),
    responses: {
      '2XX': { description: 'Done' },
      default: {
        description: 'Refused',
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    },
  }
}

function requestBody(body: NonNullable<OperatorOperation['body']>): object {
  if (body === 'stream') return { required: true, content: { 'application/x-ndjson': {} } }
  const required = Array.isArray(body.required) && body.required.length > 0
  return { required, content: { 'application/json': { schema: body } } }
}
