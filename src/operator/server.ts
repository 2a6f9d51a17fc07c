// The operator's listener: the operator API, health, metrics. Nothing of it is reachable from the public one.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { DatabaseUnavailable, statement } from '../database/database.ts'
import { bareServer } from '../http/server.ts'
import { hashOf } from '../secrets.ts'
import { identifyOperator, type Operator, refuseWrongRole } from './credentials.ts'
import type { JsonSchema, OperatorOperation } from './operation.ts'
import { operatorOperations } from './operations.ts'
import { Problem, sendProblem } from './problem.ts'
import { insertAudit } from './store.ts'

export const ping = statement<[], { number: number }>('ping', 'select max(number) as number from migration')

export function operatorServer(context: Context, bootstrapToken: string): FastifyInstance {
  const app = bareServer(context, 'operator')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, app.getDefaultJsonParser('error', 'error'))
  const bootstrapHash = hashOf(bootstrapToken)
  for (const operation of operatorOperations) mount(app, context, operation, bootstrapHash)
  serveHealth(app, context)
  app.setNotFoundHandler((_request, reply) =>
    sendProblem(
      reply,
      new Problem(404, 'Not found', 'There is nothing at this path, or it does not serve this method.'),
    ),
  )
  app.setErrorHandler((error, request, reply) => sendProblem(reply, toProblem(error, request)))
  return app
}

function mount(app: FastifyInstance, context: Context, operation: OperatorOperation, bootstrapHash: string): void {
  const { body, query, path, method } = operation
  app.route({
    method,
    url: `/operator/v1${path.replace(/\{(\w+)\}/g, ':$1')}`,
    schema: {
      params: { type: 'object', properties: idParameters(path) },
      querystring: { type: 'object', properties: query ?? {}, additionalProperties: false },
      ...(body === undefined || body === 'stream' ? {} : { body }),
    },
    // Before the body is even parsed: nobody unknown learns what is wrong with it.
    onRequest: async (request) => {
      request.served.operation = operation.name
      const operator = await identifyOperator(context, request.headers.authorization, bootstrapHash)
      refuseWrongRole(operator, operation)
      request.operator = operator
      request.served.application = operator.name
    },
    handler: (request, reply) => serve(context, operation, request, reply),
  })
}

async function serve(context: Context, operation: OperatorOperation, request: FastifyRequest, reply: FastifyReply) {
  const path = request.params as Record<string, string>
  const { operator, body, query } = request
  const validator = (schema: JsonSchema) => validatorOf(request, schema)
  const answer = await operation.handle(context, { operator, path, query, body, stream: request.raw, validator })
  if (operation.method !== 'GET') {
    const detail = JSON.stringify(
      withoutSecrets({ body: operation.body === 'stream' ? undefined : body, note: answer.note }),
    )
    const subject = Object.values(path).join('/')
    await context.database.run(insertAudit, [
      context.now(),
      operator.name,
      operator.role,
      operation.name,
      subject,
      detail,
    ])
  }
  if (answer.body === undefined) return reply.code(answer.status).send()
  return reply
    .code(answer.status)
    .header('content-type', 'application/json; charset=utf-8')
    .header('cache-control', 'no-store')
    .send(JSON.stringify(answer.body))
}

function validatorOf(request: FastifyRequest, schema: JsonSchema) {
  const validate = request.compileValidationSchema(schema)
  return (data: unknown) => {
    if (validate(data)) return null
    return (validate.errors ?? []).map((one) => `${one.instancePath} ${one.message}`.trim()).join('; ')
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    operator: Operator
  }
}

/** Path parameters whose name ends in "id" are ids. */
function idParameters(path: string): Record<string, object> {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string)
  const ids = names.filter((name) => /id$/i.test(name) && name !== 'paymentId')
  return Object.fromEntries(ids.map((name) => [name, { type: 'string', pattern: '^[0-9]{1,15}$' }]))
}

const SECRET_FIELDS = new Set(['password', 'secret', 'token', 'number'])

/** The audit trail is read by many: it never holds what opens something. */
function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, SECRET_FIELDS.has(name) ? '…' : withoutSecrets(field)]),
  )
}

type FastifyProblem = {
  statusCode?: number
  validation?: { instancePath: string; message?: string; params?: { additionalProperty?: string } }[]
  validationContext?: string
  message: string
}

function toProblem(error: unknown, request: FastifyRequest): Problem {
  if (error instanceof Problem) return error
  if (error instanceof DatabaseUnavailable) {
    request.served.error = error
    return new Problem(503, 'Unavailable', 'The database cannot serve now: try again later.')
  }
  const { statusCode = 500, validation, validationContext, message } = error as FastifyProblem
  if (validation !== undefined) {
    const errors = validation.map((one) => ({
      pointer: `${validationContext === 'body' ? '' : validationContext}${one.instancePath}`,
      detail: `${one.message ?? 'is not valid'}${one.params?.additionalProperty ? `: ${one.params.additionalProperty}` : ''}`,
    }))
    return new Problem(
      422,
      'The request is not valid',
      errors.map((one) => `${one.pointer} ${one.detail}`).join('; '),
      errors,
    )
  }
  if (statusCode < 500) return new Problem(statusCode, 'The request is not valid', message)
  request.served.error = error
  return new Problem(500, 'Internal error', `Something went wrong on our side; the log has it under ${request.id}.`)
}

/** Without a token, for probes and scrapers. */
function serveHealth(app: FastifyInstance, context: Context): void {
  app.get('/health/live', async (request, reply) => {
    request.served.operation = 'health'
    return reply.header('content-type', 'application/json').send('{"status":"live"}')
  })
  app.get('/health/ready', async (request, reply) => {
    request.served.operation = 'health'
    const ready = await context.database.one(ping, []).then(
      () => true,
      () => false,
    )
    reply.code(ready ? 200 : 503).header('content-type', 'application/json')
    return reply.send(ready ? '{"status":"ready"}' : '{"status":"database away"}')
  })
  app.get('/metrics', async (request, reply) => {
    request.served.operation = 'metrics'
    return reply.header('content-type', 'text/plain; version=0.0.4; charset=utf-8').send(context.metrics.render())
  })
}
