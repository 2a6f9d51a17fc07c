// Documents that are the same for every request: the references and the descriptions for tools. Each is rendered once, at its
// first request: most processes get none, and rendering would take 80 of the 220 ms of a start. Needs no credentials.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { once } from '../../platform/runtime/once.ts'
import { staticContent } from './static-content.ts'

export type Document = {
  readonly path: string
  readonly type: string
  readonly body: () => string | Buffer
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

type Handler = (request: FastifyRequest, reply: FastifyReply) => unknown

/**
 * `operation` is what the log and the metrics call them. The documents of a folder are one route, because mounting one for each
 * took a sixth of a start.
 */
export function serveDocuments(app: FastifyInstance, operation: string, documents: readonly Document[]): void {
  const handlers = new Map(documents.map((document) => [document.path, documentHandler(operation, document)]))
  for (const [folder, paths] of Map.groupBy(handlers.keys(), folderOf)) {
    if (folder === null || paths.length === 1) {
      for (const path of paths) app.get(path, handlers.get(path) as Handler)
    } else {
      app.get<{ Params: { name: string } }>(`${folder}:name`, { config: { paths } }, (request, reply) => {
        const handler = handlers.get(folder + request.params.name)
        return handler === undefined ? reply.callNotFound() : handler(request, reply)
      })
    }
  }
}

/** With its slash; null for what is in none: the root has other routes too. */
function folderOf(path: string): string | null {
  const end = path.lastIndexOf('/') + 1
  return end === 1 || end === path.length ? null : path.slice(0, end)
}

function documentHandler(operation: string, { type, body, headers = {} }: Document): Handler {
  const rendered = once(() => staticContent(Buffer.from(body() as string), type))
  return (request, reply) => {
    request.record.operation = operation
    // Browsers cache it but revalidate each time, so that a new version of the service shows at once.
    reply.headers({ ...headers, 'cache-control': 'no-cache' })
    return rendered()(request, reply)
  }
}
