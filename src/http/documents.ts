// Documents that are the same for every request: the references and the descriptions for tools. Each is rendered once, at its
// first request: most processes get none, and rendering would take 80 of the 220 ms of a start. Needs no credentials.

import type { FastifyInstance } from 'fastify'
import { staticContent } from './static-content.ts'

export type Document = {
  readonly path: string
  readonly type: string
  readonly body: () => string
  readonly headers?: Readonly<Record<string, string>>
}

/** Pages have nothing inline and nothing from other hosts; forms are sent by scripts only. */
export const PAGE_HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

/** `operation` is what the log and the metrics call them. */
export function serveDocuments(app: FastifyInstance, operation: string, documents: readonly Document[]): void {
  for (const { path, type, body, headers = {} } of documents) {
    const rendered = once(() => staticContent(Buffer.from(body()), type))
    app.get(path, (request, reply) => {
      request.record.operation = operation
      // Browsers cache it but revalidate each time, so that a new version of the service shows at once.
      reply.headers({ ...headers, 'cache-control': 'no-cache' })
      return rendered()(request, reply)
    })
  }
}

export function once<T>(compute: () => T): () => T {
  let cached: { value: T } | undefined
  return () => {
    cached ??= { value: compute() }
    return cached.value
  }
}
