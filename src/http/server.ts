// The public listener: Fastify with the contract's answers for everything that Fastify would answer by itself.

import { readFileSync } from 'node:fs'
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
} from 'fastify'
import type { Context } from '../context.ts'
import { Fault } from '../faults.ts'
import { answerBrokenRequest } from './failures.ts'
import { admission, rateLimiter } from './limits.ts'
import { negotiate } from './negotiate.ts'
import type { Operation } from './operation.ts'
import { trackRoutes } from './routes.ts'
import { refuse, serveOperation } from './serve.ts'

const LARGEST_HEADERS = 16 * 1024

export function publicServer(context: Context, operations: readonly Operation[]): FastifyInstance {
  const app = bareServer(context, 'public')
  const methodsAt = trackRoutes(app)
  mount(app, context, operations)
  app.setNotFoundHandler((request, reply) => {
    const methods = methodsAt(request.url.split('?', 1)[0] as string)
    const served = methods === null || methods.includes(request.method)
    if (!served) reply.raw.setHeader('allow', methods.join(', '))
    refuseBare(new Fault(served ? 'noSuchPath' : 'methodNotServed'), request, reply)
    app.finishRequest(request, reply.raw.statusCode)
  })
  app.setErrorHandler(refuseBare)
  return app
}

/** For requests that reached no operation. */
function refuseBare(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  reply.hijack()
  refuse(error, request, reply.raw, negotiate(request.headers.accept) ?? 'xml')
}

/** What both listeners share: limits of time and size, ids, the log line and the metrics of each request. */
export function bareServer(
  context: Context,
  listener: 'public' | 'operator',
  own: Pick<FastifyServerOptions, 'ajv' | 'clientErrorHandler'> = {},
): FastifyInstance {
  const { config } = context
  const tls = listener === 'public' ? config.tls : null
  const node = {
    maxHeaderSize: LARGEST_HEADERS,
    // Most requests have no body; a stream that has ended already costs them less. Fastify's own parsers, which the
    // operator's listener uses, would wait for its end.
    optimizeEmptyRequests: listener === 'public',
  }
  const prefix = `${Math.random().toString(36).slice(2, 8)}-`
  let requests = 0
  const app = Fastify({
    logger: false,
    genReqId: () => prefix + (++requests).toString(36),
    trustProxy: listener === 'public' ? (config.trustProxy ?? false) : false,
    // A request must arrive whole within this time; an idle connection is kept longer than most balancers keep theirs.
    // An operator's feed may be millions of lines long.
    requestTimeout: listener === 'public' ? 30_000 : 0,
    keepAliveTimeout: 72_000,
    routerOptions: { maxParamLength: LARGEST_HEADERS },
    rewriteUrl: (request) => mendedPath(request.url ?? '/'),
    return503OnClosing: false,
    clientErrorHandler: answerBrokenRequest as never,
    ...(tls === null
      ? { http: node }
      : { https: { ...node, cert: readFileSync(tls.cert), key: readFileSync(tls.key) } }),
    ...own,
  }) as unknown as FastifyInstance
  // Bodies are read by the operations themselves, after the credentials (body.ts), whatever their content type.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
  app.decorateRequest('served', null as never)
  app.addHook('onRequest', (request, reply, done) => {
    request.served = { operation: 'none', application: '', fault: '', since: performance.now(), finished: false }
    reply.header('x-request-id', request.id)
    done()
  })
  app.decorate('finishRequest', (request, status) => {
    const { operation, application, fault, error, since, finished } = request.served
    if (finished) return
    request.served.finished = true
    const milliseconds = performance.now() - since
    context.metrics.request(operation, status, fault, milliseconds / 1000)
    const ms = Math.round(milliseconds * 100) / 100
    context.log.request({ id: request.id, listener, operation, application, status, fault, ms }, error)
  })
  // Operations finish by themselves (serve.ts): for each hook that listens to the response, Node calls back once more.
  app.addHook('onRoute', (route) => {
    if (route.config?.finishesItself) return
    route.onResponse = (request, reply, done) => {
      app.finishRequest(request, reply.statusCode)
      done()
    }
  })
  return app
}

function mount(app: FastifyInstance, context: Context, operations: readonly Operation[]): void {
  const guards = {
    limiter: rateLimiter(context.now),
    admission: admission(context.config.maxInFlight),
    finish: app.finishRequest,
  }
  const taken = new Set(
    operations.flatMap((operation) => pathsOf(operation).map((path) => `${operation.method} ${path}`)),
  )
  for (const operation of operations) {
    const handler = serveOperation(context, operation, guards)
    for (const path of pathsOf(operation)) {
      app.route({ method: operation.method, url: routePath(path), handler, config: { finishesItself: true } })
      // The path without its last id is the operation with its id missing, unless another operation is there.
      const short = path.replace(/\/\{\w+\}$/, '')
      if (short === path || taken.has(`${operation.method} ${short}`)) continue
      taken.add(`${operation.method} ${short}`)
      app.route({
        method: operation.method,
        url: routePath(short),
        handler,
        config: { unlisted: true, finishesItself: true },
      })
    }
  }
}

export function pathsOf(operation: Operation): string[] {
  return [operation.path, ...(operation.alsoAt ?? [])]
}

function routePath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1')
}

/**
 * A path that is not valid percent-encoded UTF-8 would be refused by the router, before any handler. With its bad
 * parts replaced by U+FFFD it goes the ordinary way and is refused for its id, in the order of checks.
 */
export function mendedPath(url: string): string {
  const end = url.indexOf('?')
  const path = end === -1 ? url : url.slice(0, end)
  if (!path.includes('%')) return url
  try {
    decodeURIComponent(path)
    return url
  } catch {
    const mended = path.replace(/(%[0-9a-f]{2})+|%/gi, (bytes) => {
      try {
        decodeURIComponent(bytes)
        return bytes
      } catch {
        return '%EF%BF%BD'
      }
    })
    return end === -1 ? mended : mended + url.slice(end)
  }
}
