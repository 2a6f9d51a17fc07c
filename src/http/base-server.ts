// What both listeners share: deadlines, size limits, request ids, log lines and metrics.

import { constants } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer, type ServerOptions } from 'node:https'
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
} from 'fastify'
import { Fault } from '../faults.ts'
import type { Config, TlsFiles } from '../platform/config/config.ts'
import type { Context } from '../platform/context.ts'
import { runInSpan } from '../platform/tracing/span.ts'
import { KEEP_ALIVE_HEADER, NO_SNIFFING } from './answers/raw-response.ts'
import { checkInterval, KEEP_ALIVE_MS, watchConnections } from './connection/connections.ts'
import { capConnectionsPerAddress } from './connection/connections-per-address.ts'
import { wellFormedPath } from './connection/well-formed-path.ts'
import { answerBrokenRequests, type RefusalOf } from './requests/broken-requests.ts'
import type { Recorder, RequestRecord } from './requests/request-record.ts'

declare module 'fastify' {
  interface FastifyRequest {
    record: RequestRecord
  }
}

const MAX_HEADERS = 16 * 1024

/** Browsers then use only HTTPS with this host, for a year. Only in production, so that a developer's localhost stays usable. */
const STRICT_TRANSPORT = ['strict-transport-security', 'max-age=31536000'] as const

function withStrictTransport(serve: RequestListener): RequestListener {
  return (request, response) => {
    response.setHeader(...STRICT_TRANSPORT)
    serve(request, response)
  }
}

/** Each has forward secrecy and authenticates what it encrypts. */
const CIPHERS = [
  ...['TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256'],
  ...['ECDHE-ECDSA-AES128-GCM-SHA256', 'ECDHE-RSA-AES128-GCM-SHA256'],
  ...['ECDHE-ECDSA-AES256-GCM-SHA384', 'ECDHE-RSA-AES256-GCM-SHA384'],
  ...['ECDHE-ECDSA-CHACHA20-POLY1305', 'ECDHE-RSA-CHACHA20-POLY1305'],
].join(':')

const TLS_OPTIONS: ServerOptions = {
  minVersion: 'TLSv1.2',
  ciphers: CIPHERS,
  // A client could have the server repeat the most expensive part of a handshake as often as it likes.
  secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
}

function tlsServer(
  { cert, key }: TlsFiles,
  mode: Config['mode'],
  options: ServerOptions,
  serve: RequestListener,
): Server {
  const secure = { ...options, ...TLS_OPTIONS, cert: readFileSync(cert), key: readFileSync(key) }
  return createTlsServer(secure, mode === 'production' ? withStrictTransport(serve) : serve)
}

/** Both listeners are created here with the same types of objects, so that they share the code that the engine compiles. */
function nodeServer(
  { config, log }: Context,
  requests: Recorder,
  options: ListenerOptions,
  fastify: RequestListener,
): Server {
  const { headMs, bodyMs, answerMs } = config.deadlines
  const nodeOptions = {
    maxHeaderSize: MAX_HEADERS,
    headersTimeout: headMs,
    handshakeTimeout: headMs,
    connectionsCheckingInterval: checkInterval(headMs),
    // Bodies have their own deadline (body.ts): an operator's feed may be millions of lines long.
    requestTimeout: 0,
    // Refused below, in the requested representation.
    requireHostHeader: false,
    // See connections.ts.
    keepAliveTimeout: 0,
    ...options.node,
  }
  const serve = options.serveFirst?.(fastify) ?? fastify
  const server =
    options.tls === null ? createServer(nodeOptions, serve) : tlsServer(options.tls, config.mode, nodeOptions, serve)
  capConnectionsPerAddress(server, {
    most: config.maxConnectionsPerAddress,
    trustedProxies: config.trustedProxies,
    log,
  })
  const connections = watchConnections(server, { idleMs: KEEP_ALIVE_MS, bodyMs, answerMs })
  server.on('checkExpectation', fastify)
  answerBrokenRequests(server, connections, requests, options.refusalOf)
  return server
}

type ListenerOptions = {
  fastify?: Pick<FastifyServerOptions, 'ajv'>
  node?: ServerOptions
  tls: TlsFiles | null
  /** Serves requests before Fastify, and passes the others on to it. */
  serveFirst?: (fastify: RequestListener) => RequestListener
  refusalOf: RefusalOf
  /** The path does not exist, or not with this method. */
  refusePath: (request: FastifyRequest, reply: FastifyReply) => void
}

export function baseServer(context: Context, requests: Recorder, options: ListenerOptions): FastifyInstance {
  const app = Fastify({
    logger: false,
    serverFactory: (fastify) => nodeServer(context, requests, options, fastify),
    // Answered by broken-requests.ts.
    clientErrorHandler: () => {},
    routerOptions: { maxParamLength: MAX_HEADERS },
    rewriteUrl: (request) => wellFormedPath(targetOf(request)),
    return503OnClosing: false,
    ...options.fastify,
  }) as unknown as FastifyInstance
  // Bodies are read after the credentials are checked (body.ts), whatever their content type.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null, undefined))
  app.decorateRequest('record', null as never)
  app.addHook('onRequest', (request, reply, done) => {
    request.record = requests.begin(request.raw)
    reply.headers({ 'x-request-id': request.record.id, [NO_SNIFFING[0]]: NO_SNIFFING[1] })
    if (reply.raw.shouldKeepAlive && !reply.raw.hasHeader('connection')) reply.header(...KEEP_ALIVE_HEADER)
    if (!hasOneHost(request.raw)) return done(new Fault('malformedRequest'))
    if (isUnexpected(request.raw)) return done(new Fault('expectationFailed', 'expect'))
    // Before Fastify reads a body that nobody uses.
    if (request.is404) return options.refusePath(request, reply)
    const { span } = request.record
    if (span === undefined) return done()
    span.attributes['http.route'] = (request.routeOptions.url ?? '').replace(/:(\w+)/g, '{$1}')
    runInSpan(span, done)
  })
  if (context.tracing !== null) {
    // Again: what follows a body runs where its last part arrived.
    app.addHook('preValidation', (request, _reply, done) => runInSpan(request.record.span, done))
  }
  app.setNotFoundHandler(options.refusePath)
  app.addHook('onResponse', (request, reply, done) => {
    requests.finish(request.record, reply.raw.statusCode)
    done()
  })
  return app
}

/** HTTP/1.1 requires it, and two could mean one host to a proxy and another to us. Node drops the second from `headers`. */
export function hasOneHost({ rawHeaders, httpVersionMinor }: IncomingMessage): boolean {
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  return hosts === 1 || (hosts === 0 && httpVersionMinor === 0)
}

function isUnexpected({ headers, httpVersionMinor }: IncomingMessage): boolean {
  return headers.expect !== undefined && httpVersionMinor === 1 && !/^\s*100-continue\s*$/i.test(headers.expect)
}

/** Fastify's router would take any first character for a slash. */
function targetOf({ url = '/' }: IncomingMessage): string {
  return /^(\/|https?:\/\/)/i.test(url) ? url : `/${encodeURIComponent(url)}`
}
