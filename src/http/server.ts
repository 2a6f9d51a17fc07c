// The two listeners. On the public one operations are found first, straight from Node; everything else (pictures,
// reference, notifications) is Fastify's, with the contract's answers for what Fastify would answer by itself.

import { readFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer, type ServerOptions } from 'node:https'
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
} from 'fastify'
import type { Config } from '../config.ts'
import type { Context } from '../context.ts'
import { Fault } from '../faults.ts'
import { answerBrokenRequest } from './failures.ts'
import { Request } from './headers.ts'
import { closeIdleConnections } from './idle.ts'
import { admission, rateLimiter } from './limits.ts'
import { negotiate } from './negotiate.ts'
import type { Operation } from './operation.ts'
import { mendedPath } from './paths.ts'
import { newRouter } from './router.ts'
import { type Routes, trackRoutes } from './routes.ts'
import { WHERE_KEPT } from './send.ts'
import { type Exchange, refuse, serveOperation } from './serve.ts'
import { type Recorder, recorder, type Served } from './served.ts'

declare module 'fastify' {
  interface FastifyRequest {
    served: Served
  }
}

const LARGEST_HEADERS = 16 * 1024

export function publicServer(context: Context, operations: readonly Operation[]): FastifyInstance {
  const requests = recorder(context, 'public')
  const router = newRouter<(exchange: Exchange) => void>()
  let closing = false
  const app = bareServer(requests, {
    clientErrorHandler: answerBrokenRequest as never,
    serverFactory: (others) =>
      nodeServer(publicOptions(context.config), (request, response) => {
        if (closing) response.shouldKeepAlive = false
        const found = router.find(request.method ?? '', request.url ?? '')
        if (found === null) return others(request, response)
        found.target({ request, response, path: found.variables, served: requests.begin() })
      }),
  })
  app.addHook('preClose', async () => {
    closing = true
  })
  const routes = trackRoutes(app)
  const guards = {
    limiter: rateLimiter(context.now),
    admission: admission(context.config.maxInFlight),
    recorder: requests,
  }
  const serving = new Map(operations.map((operation) => [operation, serveOperation(context, operation, guards)]))
  for (const { method, path, operation, listed } of pathsTo(operations)) {
    router.add(method, path, serving.get(operation) as (exchange: Exchange) => void)
    if (listed) routes.add(path.replace(/\{(\w+)\}/g, ':$1'), method)
  }
  app.setNotFoundHandler((request, reply) => refusePath(routes, request, reply))
  app.setErrorHandler(refuseBare)
  return app
}

function refusePath({ methodsAt }: Routes, request: FastifyRequest, reply: FastifyReply): void {
  const methods = methodsAt(request.url.split('?', 1)[0] as string)
  const served = methods === null || methods.includes(request.method)
  if (!served) reply.raw.setHeader('allow', methods.join(', '))
  refuseBare(new Fault(served ? 'noSuchPath' : 'methodNotServed'), request, reply)
}

/** For requests that reached no operation. */
function refuseBare(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  reply.hijack()
  const { raw, served } = request
  refuse(error, { request: raw, response: reply.raw, served }, negotiate(request.headers.accept) ?? 'xml')
}

type Way = { readonly method: string; readonly path: string; readonly operation: Operation; readonly listed: boolean }

/**
 * Where each operation is found. Beside its own paths: HEAD where GET is; and the path without its last id, which is
 * the operation with its id missing. Unless another operation is there.
 */
function pathsTo(operations: readonly Operation[]): Way[] {
  const own = operations.flatMap((operation) =>
    pathsOf(operation).map((path): Way => ({ method: operation.method, path, operation, listed: true })),
  )
  const heads = own.filter(({ method }) => method === 'GET').map((way): Way => ({ ...way, method: 'HEAD' }))
  const short = [...own, ...heads].map((way): Way => ({ ...way, path: withoutLastId(way.path), listed: false }))
  const found = new Map<string, Way>()
  for (const way of [...own, ...heads, ...short]) {
    const place = `${way.method} ${way.path}`
    if (!found.has(place)) found.set(place, way)
  }
  return [...found.values()]
}

export function pathsOf(operation: Operation): string[] {
  return [operation.path, ...(operation.alsoAt ?? [])]
}

function withoutLastId(path: string): string {
  return path.replace(/\/\{\w+\}$/, '')
}

// ---- What both listeners share.

/** A request's head must arrive within this time, and a public request whole. An operator's feed may be millions of lines long. */
const ARRIVAL_MS = 30_000

const publicOptions = ({ tls }: Config): ServerOptions => ({
  ...(tls === null ? {} : { cert: readFileSync(tls.cert), key: readFileSync(tls.key) }),
  requestTimeout: ARRIVAL_MS,
  // Most requests have no body; a stream that has ended already costs them less. Fastify's own parsers, which the
  // operator's listener uses, would wait for its end.
  optimizeEmptyRequests: true,
})

/** Both listeners are made here, of the same kinds of things, because they share what the engine compiles for Node's server. */
function nodeServer(own: ServerOptions, serve: RequestListener): Server {
  const options = {
    IncomingMessage: Request,
    maxHeaderSize: LARGEST_HEADERS,
    headersTimeout: ARRIVAL_MS,
    // See idle.ts.
    keepAliveTimeout: 0,
    ...own,
  }
  const server = 'key' in options ? createTlsServer(options, serve) : createServer(options, serve)
  closeIdleConnections(server)
  return server
}

type Own = Pick<FastifyServerOptions, 'ajv' | 'clientErrorHandler' | 'serverFactory'>

/** Limits of time and size, ids, the log line and the metrics of each request. */
export function bareServer(requests: Recorder, own: Own): FastifyInstance {
  const app = Fastify({
    logger: false,
    serverFactory: (serve) => nodeServer({ requestTimeout: 0 }, serve),
    routerOptions: { maxParamLength: LARGEST_HEADERS },
    rewriteUrl: (request) => mendedPath(request.url ?? '/'),
    return503OnClosing: false,
    ...own,
  }) as unknown as FastifyInstance
  // Bodies are read by whoever serves, after the credentials (body.ts), whatever their content type.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
  app.decorateRequest('served', null as never)
  app.addHook('onRequest', (request, reply, done) => {
    request.served = requests.begin()
    reply.header('x-request-id', request.served.id)
    if (reply.raw.shouldKeepAlive && !reply.raw.hasHeader('connection')) reply.header(...WHERE_KEPT)
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    requests.finish(request.served, reply.raw.statusCode)
    done()
  })
  return app
}
