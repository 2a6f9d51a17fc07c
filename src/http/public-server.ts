// The public listener. It serves operations and notifications straight from Node; everything else (pictures, reference) goes
// through Fastify, with the contract's faults in place of Fastify's own error answers.

import type { ServerOptions } from 'node:https'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Fault } from '../faults.ts'
import { runInSpan } from '../platform/tracing/span.ts'
import { negotiate } from './answers/negotiate.ts'
import { baseServer, hasOneHost } from './base-server.ts'
import { type CrossOrigin, crossOrigin } from './connection/cross-origin.ts'
import { type Exchange, refuse } from './operations/exchange.ts'
import { brokenRequestRefusal } from './operations/failures.ts'
import type { BoundOperation } from './operations/operation.ts'
import { servedPaths } from './operations/operation-paths.ts'
import { type PublicListener, publicListener } from './operations/public-listener.ts'
import { serveOperation } from './operations/serve-operation.ts'
import type { ListenerContext } from './requests/context.ts'
import { newRouter, pathOf } from './router.ts'
import { type Routes, trackRoutes } from './routes.ts'

const PUBLIC_OPTIONS: ServerOptions = {
  // Most requests have no body, and a stream that has already ended costs less. Not on the operator's listener: Fastify's own
  // parsers would wait for its end.
  optimizeEmptyRequests: true,
}

/**
 * For routes that are not operations: Fastify's, or paths that are served straight from Node. Both have the listener's
 * limits.
 */
export type MoreRoutes = {
  readonly app: FastifyInstance
  readonly listener: PublicListener
  add(method: string, path: string, serve: (exchange: Exchange) => void): void
}

export function publicServer(
  context: ListenerContext,
  operations: readonly BoundOperation[],
  serveMore: (more: MoreRoutes) => void = () => {},
): FastifyInstance {
  const listener = publicListener(context)
  const cors = crossOrigin(context.config)
  const router = newRouter<(exchange: Exchange) => void>()
  let closing = false
  const app = baseServer(context, listener.recorder, {
    refusalOf: brokenRequestRefusal,
    refusePath: (request, reply) => refusePath(listener, routes, request, reply),
    node: PUBLIC_OPTIONS,
    tls: context.config.tls,
    serveFirst: (fastify) => (request, response) => {
      if (closing) response.shouldKeepAlive = false
      if (request.headers.origin !== undefined && cors.allow(request, response) && cors.isPreflight(request)) {
        const methods = routes.methodsAt(pathOf(request.url ?? ''))
        if (methods !== null) return answerPreflight(listener, cors, { request, response }, methods)
      }
      const found = router.find(request.method ?? '', request.url ?? '')
      if (found === null || !hasOneHost(request)) return fastify(request, response)
      const record = listener.recorder.begin(request)
      const exchange = { request, response, path: found.variables, record }
      if (record.span === undefined) return found.target(exchange)
      record.span.attributes['http.route'] = found.route
      runInSpan(record.span, () => found.target(exchange))
    },
  })
  // Documents and pictures may be cached.
  if (cors.isOn) {
    app.addHook('onSend', async (_request, reply) => {
      reply.header('vary', [reply.getHeader('vary'), 'origin'].filter(Boolean).join(', '))
    })
  }
  app.addHook('preClose', async () => {
    closing = true
  })
  const routes = trackRoutes(app)
  const serving = new Map(operations.map((operation) => [operation, serveOperation(listener, operation)]))
  for (const { method, path, operation, listed } of servedPaths(operations)) {
    router.add(method, path, serving.get(operation) as (exchange: Exchange) => void)
    if (listed) routes.add(path.replace(/\{(\w+)\}/g, ':$1'), method)
  }
  serveMore({
    app,
    listener,
    add(method, path, serve) {
      router.add(method, path, serve)
      routes.add(path, method)
    },
  })
  app.setErrorHandler((error, request, reply) => refuseUnserved(listener, error, request, reply))
  return app
}

function answerPreflight(
  { recorder }: PublicListener,
  cors: CrossOrigin,
  { request, response }: Pick<Exchange, 'request' | 'response'>,
  methods: readonly string[],
): void {
  const record = recorder.begin(request)
  record.operation = 'preflight'
  cors.answerPreflight(response, methods, record.id)
  recorder.finish(record, response.statusCode)
}

function refusePath(
  listener: PublicListener,
  { methodsAt }: Routes,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const methods = methodsAt(pathOf(request.url))
  const isServed = methods === null || methods.includes(request.method)
  if (!isServed) reply.raw.setHeader('allow', methods.join(', '))
  refuseUnserved(listener, new Fault(isServed ? 'noSuchPath' : 'methodNotServed'), request, reply)
}

/** For requests that reached no operation. What Fastify itself refuses is the client's fault. */
function refuseUnserved(listener: PublicListener, error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  reply.hijack()
  const { raw, record } = request
  const { statusCode = 500 } = error as { statusCode?: number }
  refuse(
    listener.writer,
    statusCode < 500 ? new Fault('malformedRequest') : error,
    { request: raw, response: reply.raw, record },
    negotiate(request.headers.accept) ?? 'xml',
  )
}
