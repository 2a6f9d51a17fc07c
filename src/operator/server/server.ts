// The operator's listener: the operator API, the console, health and metrics. The public listener serves none of them.

import { basename } from 'node:path'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Trail } from '../../audit/trail.ts'
import { streamHeaders } from '../../http/answers/raw-response.ts'
import { baseServer } from '../../http/base-server.ts'
import { addressOf, portOf } from '../../http/connection/listener-address.ts'
import type { EventStream } from '../../http/operations/operation.ts'
import type { JsonSchema } from '../../http/representation/json-schema.ts'
import { type Recorder, recorder } from '../../http/requests/request-record.ts'
import { trackRoutes } from '../../http/routes.ts'
import type { Operator } from '../../identity/operators/operator.ts'
import { DatabaseUnavailable } from '../../platform/database/database.ts'
import { hashOf, matcherOf } from '../../platform/runtime/secrets.ts'
import { throttle, WRONG_SECRETS } from '../../platform/runtime/throttle.ts'
import { servePictures } from '../../profiles/pictures/serve.ts'
import type { OperatorContext } from '../context.ts'
import { AJV_OPTIONS, parseJsonBodies, refuseWrongType } from './bodies.ts'
import { serveConsole } from './console.ts'
import { signedInOperator } from './console-cookie.ts'
import { identifyUnlessThrottled, refusePlainHttp, refuseWrongRole } from './credentials.ts'
import { serveHealth } from './health.ts'
import type { OperatorAnswer, OperatorArea, OperatorOperation } from './operation.ts'
import { Problem, sendProblem } from './problem.ts'
import { leadToPublicReference } from './public-reference.ts'
import { serveOperatorReference } from './reference.ts'
import { brokenOperatorRequestRefusal, refusePath, toProblem } from './refusals.ts'
import { completeTrail, type RequestAudit, requestAudit } from './request-audit.ts'
import { serveSignIn } from './sign-in.ts'
import { serveStartLink } from './start-link.ts'
import { keyOf, lineValidator, validationOf } from './validation.ts'

export function operatorServer(
  context: OperatorContext,
  bootstrapToken: string,
  areas: readonly OperatorArea[],
  publicUrl: () => string,
): FastifyInstance {
  const requests = recorder(context, 'operator')
  const app = baseServer(context, requests, {
    fastify: { ajv: { customOptions: AJV_OPTIONS } },
    refusalOf: brokenOperatorRequestRefusal,
    refusePath: (request, reply) => refusePath(reply, routes.methodsAt(request.url.split('?', 1)[0] as string)),
    tls: context.config.operator.tls,
  })
  app.addHook('preClose', async () => context.consoleStreams.end())
  parseJsonBodies(app, context.config)
  const routes = trackRoutes(app)
  const isBootstrap = matcherOf(hashOf(bootstrapToken))
  const wrongTokens = throttle(WRONG_SECRETS, context.now)
  const identify = (request: FastifyRequest) => identifyUnlessThrottled(context, request, isBootstrap, wrongTokens)
  const audit = requestAudit(context)
  for (const { operations } of areas) {
    for (const operation of operations) mount(app, { context, identify, audit, requests }, operation)
  }
  const { operator, sandboxSeed } = context.config
  const address = () => operator.url ?? addressOf(operator, portOf(app))
  serveOperatorReference(app, areas, { sandbox: sandboxSeed, address })
  serveHealth(app, context)
  serveConsole(app)
  leadToPublicReference(app, context.config, publicUrl)
  serveSignIn(app, context, audit)
  serveStartLink(app, context, audit)
  // Moderators see the pictures that they decide on, though the public listener may be out of their reach.
  servePictures(app, context)
  app.setErrorHandler((error, request, reply) => sendProblem(reply, toProblem(error, request)))
  return app
}

declare module 'fastify' {
  interface FastifyRequest {
    /** undefined until the caller is known. */
    operator?: Operator
    /** It has passed the check against the schemas of its operation. */
    isValid?: true
  }
}

type Frame = {
  context: OperatorContext
  identify: (request: FastifyRequest) => Promise<Operator>
  audit: RequestAudit
  requests: Recorder
}

function mount(app: FastifyInstance, frame: Frame, operation: OperatorOperation): void {
  const { context, audit } = frame
  const refuseInvalid = validationOf(operation)
  app.route({
    method: operation.method,
    url: `/operator/v1${operation.path.replace(/\{(\w+)\}/g, ':$1')}`,
    // Before the body is parsed: an unknown caller does not learn what is wrong with it.
    onRequest: async (request) => {
      request.record.operation = operation.name
      refusePlainHttp(context.config, request.raw)
      const operator = await callerOf(frame, operation, request)
      request.record.application = operator.name
      request.operator = operator
      refuseWrongRole(operator, operation)
      refuseWrongType(request, operation)
    },
    preHandler: async (request) => {
      refuseInvalid(request)
      request.isValid = true
    },
    handler: (request, reply) => serve(frame, operation, request, reply),
    errorHandler: async (error, request, reply) => {
      const problem = toProblem(error, request)
      await audit.recordRefusal(operation, request, problem)
      return sendProblem(reply, problem)
    },
  })
}

async function serve(frame: Frame, operation: OperatorOperation, request: FastifyRequest, reply: FastifyReply) {
  const trail = frame.audit.trailOf(operation, request)
  const answer = await perform(frame, operation, request, trail)
  await completeTrail(operation, trail, answer)
  if (operation.sendsEvents) return beginStream(frame, request, reply, answer.body as EventStream)
  if (answer.body === undefined) return reply.code(answer.status).send()
  if (operation.sendsCsv) reply.header('content-disposition', `attachment; filename="${basename(operation.path)}"`)
  return reply
    .code(answer.status)
    .header('content-type', `${operation.sendsCsv ? 'text/csv' : 'application/json'}; charset=utf-8`)
    .header('cache-control', 'no-store')
    .send(answer.body instanceof Readable ? answer.body : JSON.stringify(answer.body))
}

/** The request is over for the log when its stream begins. */
function beginStream({ requests }: Frame, request: FastifyRequest, reply: FastifyReply, stream: EventStream): void {
  reply.hijack()
  const headers = streamHeaders(request.record.id)
  if (request.method === 'HEAD') reply.raw.writeHead(200, headers).end()
  else stream.begin(reply.raw, headers)
  requests.finish(request.record, 200)
}

async function callerOf(
  { context, identify }: Frame,
  { background }: OperatorOperation,
  request: FastifyRequest,
): Promise<Operator> {
  return (await signedInOperator(context, request.headers, background !== true)) ?? (await identify(request))
}

/** Whether the request would still be allowed. A database that cannot be reached ends nothing. */
async function stillAllowed(frame: Frame, operation: OperatorOperation, request: FastifyRequest): Promise<boolean> {
  try {
    return (await callerOf(frame, { ...operation, background: true }, request)).name === request.operator?.name
  } catch (error) {
    return !(error instanceof Problem)
  }
}

/** Changes go through a database that writes the audit trail with them. */
function perform(
  frame: Frame,
  operation: OperatorOperation,
  request: FastifyRequest,
  trail: Trail,
): Promise<OperatorAnswer> {
  const { context } = frame
  const path = request.params as Record<string, string>
  const { body, query } = request
  const validator = (schema: JsonSchema) => lineValidator(request, schema)
  const operator = request.operator as Operator
  const call = {
    ...{ operator, trail, path, query, body, stream: request.raw, validator },
    idempotencyKey: operation.takesKey ? keyOf(request) : null,
    stillAllowed: () => stillAllowed(frame, operation, request),
  }
  if (operation.method === 'GET' || operation.background) return operation.handle(context, call)
  return shownToAll(context, () => operation.handle({ ...context, database: trail.audited() }, call))
}

/** Answers a change only once every replica shows it, even a change that failed half-way: that one binds nobody while the primary is away. */
async function shownToAll<T>({ replicas, workers }: OperatorContext, work: () => Promise<T>): Promise<T> {
  if (replicas === null) return work()
  const shown = (isAnswered: boolean) => Promise.all([replicas.shownToAll(isAnswered), workers?.shownToAll(isAnswered)])
  const result = await work().catch(async (error) => {
    await shown(false)
    throw error
  })
  const [isThere] = await shown(true)
  if (!isThere) throw new DatabaseUnavailable('the primary went away before everybody could see the change: repeat it')
  return result
}
