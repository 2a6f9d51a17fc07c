// The two listeners. On the public one operations are found first, straight from Node; everything else (pictures,
// reference, notifications) is Fastify's, with the contract's answers for what Fastify would answer by itself.

import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer, type ServerOptions } from 'node:https'
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
} from 'fastify'
import type { Config, TlsFiles } from '../config/config.ts'
import type { Context } from '../context.ts'
import { Fault } from '../faults.ts'
import { answerBrokenRequests, type RefusalOf } from './broken-requests.ts'
import { KEEP_ALIVE_MS, lookEvery, watchConnections } from './connections.ts'
import { capConnectionsPerAddress } from './connections-per-address.ts'
import { type Exchange, refuse } from './exchange.ts'
import { brokenRequestRefusal } from './failures.ts'
import { negotiate } from './negotiate.ts'
import { notificationsPath, serveNotifications } from './notifications.ts'
import type { Operation } from './operation.ts'
import { servedPaths } from './operation-paths.ts'
import { mendedPath } from './paths.ts'
import { type PublicListener, publicListener } from './public-listener.ts'
import { KEEP_ALIVE_HEADER } from './raw-response.ts'
import type { Recorder, RequestRecord } from './request-record.ts'
import { newRouter } from './router.ts'
import { type Routes, trackRoutes } from './routes.ts'
import { serveOperation } from './serve-operation.ts'

declare module 'fastify' {
  interface FastifyRequest {
    served: RequestRecord
  }
}

const LARGEST_HEADERS = 16 * 1024

export function publicServer(context: Context, operations: readonly Operation[]): FastifyInstance {
  const listener = publicListener(context)
  const router = newRouter<(exchange: Exchange) => void>()
  let closing = false
  const app = bareServer(context, listener.recorder, {
    refusalOf: brokenRequestRefusal,
    refusePath: (request, reply) => refusePath(listener, routes, request, reply),
    node: PUBLIC_OPTIONS,
    tls: context.config.tls,
    first: (others) => (request, response) => {
      if (closing) response.shouldKeepAlive = false
      const found = router.find(request.method ?? '', request.url ?? '')
      if (found === null || lacksHost(request)) return others(request, response)
      found.target({ request, response, path: found.variables, served: listener.recorder.begin(request) })
    },
  })
  app.addHook('preClose', async () => {
    closing = true
  })
  const routes = trackRoutes(app)
  const serving = new Map(operations.map((operation) => [operation, serveOperation(listener, operation)]))
  for (const { method, path, operation, listed } of servedPaths(operations)) {
    router.add(method, path, serving.get(operation) as (exchange: Exchange) => void)
    if (listed) routes.add(path.replace(/\{(\w+)\}/g, ':$1'), method)
  }
  router.add('POST', notificationsPath(context), serveNotifications(listener))
  routes.add(notificationsPath(context), 'POST')
  app.setErrorHandler((error, request, reply) => refuseUnserved(listener, error, request, reply))
  return app
}

function refusePath(
  listener: PublicListener,
  { methodsAt }: Routes,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const methods = methodsAt(request.url.split('?', 1)[0] as string)
  const isServed = methods === null || methods.includes(request.method)
  if (!isServed) reply.raw.setHeader('allow', methods.join(', '))
  refuseUnserved(listener, new Fault(isServed ? 'noSuchPath' : 'methodNotServed'), request, reply)
}

/** For requests that reached no operation. What Fastify refuses by itself is the client's fault. */
function refuseUnserved(listener: PublicListener, error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  reply.hijack()
  const { raw, served } = request
  const { statusCode = 500 } = error as { statusCode?: number }
  refuse(
    listener.writer,
    statusCode < 500 ? new Fault('malformedRequest') : error,
    { request: raw, response: reply.raw, served },
    negotiate(request.headers.accept) ?? 'xml',
  )
}

// ---- What both listeners share.

const PUBLIC_OPTIONS: ServerOptions = {
  // Most requests have no body; a stream that has ended already costs them less. Fastify's own parsers, which the
  // operator's listener uses, would wait for its end.
  optimizeEmptyRequests: true,
}

/** A browser that has seen it uses only HTTPS with this host, for a year. A developer's localhost must not be bound so. */
const STRICT_TRANSPORT = ['strict-transport-security', 'max-age=31536000'] as const

function withStrictTransport(serve: RequestListener): RequestListener {
  return (request, response) => {
    response.setHeader(...STRICT_TRANSPORT)
    serve(request, response)
  }
}

function tlsServer(
  { cert, key }: TlsFiles,
  mode: Config['mode'],
  options: ServerOptions,
  serve: RequestListener,
): Server {
  const secure = { ...options, cert: readFileSync(cert), key: readFileSync(key) }
  return createTlsServer(secure, mode === 'production' ? withStrictTransport(serve) : serve)
}

/** Both listeners are made here, of the same kinds of things, because they share what the engine compiles for Node's server. */
function nodeServer({ config, log }: Context, requests: Recorder, own: Own, others: RequestListener): Server {
  const { headMs, bodyMs, answerMs } = config.deadlines
  const options = {
    maxHeaderSize: LARGEST_HEADERS,
    headersTimeout: headMs,
    handshakeTimeout: headMs,
    connectionsCheckingInterval: lookEvery(headMs),
    // Bodies have their own deadline (body.ts): an operator's feed may be millions of lines long.
    requestTimeout: 0,
    // Refused below, in the representation asked for.
    requireHostHeader: false,
    // See connections.ts.
    keepAliveTimeout: 0,
    ...own.node,
  }
  const serve = own.first?.(others) ?? others
  const server = own.tls === null ? createServer(options, serve) : tlsServer(own.tls, config.mode, options, serve)
  capConnectionsPerAddress(server, {
    most: config.maxConnectionsPerAddress,
    trustedProxies: config.trustedProxies,
    log,
  })
  const connections = watchConnections(server, { idleMs: KEEP_ALIVE_MS, bodyMs, answerMs })
  server.on('checkExpectation', others)
  answerBrokenRequests(server, connections, requests, own.refusalOf)
  return server
}

type Own = {
  fastify?: Pick<FastifyServerOptions, 'ajv'>
  node?: ServerOptions
  tls: TlsFiles | null
  /** What is served before Fastify. */
  first?: (others: RequestListener) => RequestListener
  refusalOf: RefusalOf
  /** There is nothing at the path, or not with this method. */
  refusePath: (request: FastifyRequest, reply: FastifyReply) => void
}

/** Limits of time and size, ids, the log line and the metrics of each request. */
export function bareServer(context: Context, requests: Recorder, own: Own): FastifyInstance {
  const app = Fastify({
    logger: false,
    serverFactory: (others) => nodeServer(context, requests, own, others),
    // Answered by broken-requests.ts.
    clientErrorHandler: () => {},
    routerOptions: { maxParamLength: LARGEST_HEADERS },
    rewriteUrl: (request) => mendedPath(targetOf(request)),
    return503OnClosing: false,
    ...own.fastify,
  }) as unknown as FastifyInstance
  // Bodies are read by whoever serves, after the credentials (body.ts), whatever their content type.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null, undefined))
  app.decorateRequest('served', null as never)
  app.addHook('onRequest', (request, reply, done) => {
    request.served = requests.begin(request.raw)
    reply.header('x-request-id', request.served.id)
    if (reply.raw.shouldKeepAlive && !reply.raw.hasHeader('connection')) reply.header(...KEEP_ALIVE_HEADER)
    if (lacksHost(request.raw)) return done(new Fault('malformedRequest'))
    if (isUnexpected(request.raw)) return done(new Fault('expectationFailed', 'expect'))
    // Before Fastify looks at a body that nobody wants.
    if (request.is404) return own.refusePath(request, reply)
    done()
  })
  app.setNotFoundHandler(own.refusePath)
  app.addHook('onResponse', (request, reply, done) => {
    requests.finish(request.served, reply.raw.statusCode)
    done()
  })
  return app
}

/** HTTP/1.1 demands it. */
function lacksHost({ headers, httpVersionMinor }: IncomingMessage): boolean {
  return headers.host === undefined && httpVersionMinor === 1
}

function isUnexpected({ headers, httpVersionMinor }: IncomingMessage): boolean {
  return headers.expect !== undefined && httpVersionMinor === 1 && !/^\s*100-continue\s*$/i.test(headers.expect)
}

/** Fastify's router would take any first character for a slash. */
function targetOf({ url = '/' }: IncomingMessage): string {
  return /^(\/|https?:\/\/)/i.test(url) ? url : `/${encodeURIComponent(url)}`
}
