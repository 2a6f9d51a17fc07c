// Serves the reference page and the descriptions for tools. Each part is rendered once, at its first request: most processes get
// none, and rendering would take 80 of the 220 ms of a start. Needs no credentials.

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { openApi } from '../reference/openapi.ts'
import type { PageSettings } from '../reference/operation-section.ts'
import { page } from '../reference/page.ts'
import { xsd } from '../representation/xsd.ts'
import { faultList } from './failures.ts'
import type { Operation } from './operation.ts'

type ServedFile = { readonly path: string; readonly type: string; readonly body: () => string }

const HTML = 'text/html; charset=utf-8'

/** Nothing inline, nothing from other hosts; forms are sent by the script only. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

export function serveReference(app: FastifyInstance, operations: readonly Operation[], settings: PageSettings): void {
  app.get('/', (request, reply) => {
    request.record.operation = 'reference'
    return reply.redirect('/docs')
  })
  for (const { path, type, body } of [...descriptions(operations), ...pageFiles(operations, settings)]) {
    const rendered = once(() => {
      const bytes = Buffer.from(body())
      return { bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"` }
    })
    app.get(path, (request, reply) => {
      request.record.operation = 'reference'
      const { bytes, etag } = rendered()
      reply.header('etag', etag)
      // Browsers cache it but revalidate each time, so that a new version of the service shows at once.
      reply.header('cache-control', 'no-cache')
      if (hasCurrentCopy(request, etag)) return reply.code(304).send()
      return send(reply, type, bytes)
    })
  }
}

function once<T>(compute: () => T): () => T {
  let cached: { value: T } | undefined
  return () => {
    cached ??= { value: compute() }
    return cached.value
  }
}

function send(reply: FastifyReply, type: string, bytes: Buffer): FastifyReply {
  reply.header('content-type', type)
  reply.header('x-content-type-options', 'nosniff')
  if (type === HTML) {
    reply.header('content-security-policy', CONTENT_SECURITY_POLICY)
    reply.header('referrer-policy', 'no-referrer')
  }
  return reply.send(bytes)
}

function hasCurrentCopy(request: FastifyRequest, etag: string): boolean {
  const etags = request.headers['if-none-match'] ?? ''
  return etags.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === etag)
}

function descriptions(operations: readonly Operation[]): ServedFile[] {
  const documents = new Map(operations.map(({ name, answer }) => [name, answer.document]))
  documents.set('faults', faultList)
  const schemas = [...documents].flatMap(([name, document]) =>
    document === null
      ? []
      : [{ path: `/schemas/${name}.xsd`, type: 'application/xml; charset=utf-8', body: () => xsd(document) }],
  )
  const type = 'application/json; charset=utf-8'
  return [{ path: '/openapi.json', type, body: () => JSON.stringify(openApi(operations)) }, ...schemas]
}

function pageFiles(operations: readonly Operation[], settings: PageSettings): ServedFile[] {
  const body = once(() => page(operations, settings))
  const styles = () => ['theme.css', 'layout.css', 'code.css', 'docs.css'].map(file).join('')
  const script = 'text/javascript; charset=utf-8'
  return [
    { path: '/docs', type: HTML, body },
    { path: '/docs/', type: HTML, body },
    { path: '/docs/docs.css', type: 'text/css; charset=utf-8', body: styles },
    { path: '/docs/docs.js', type: script, body: () => file('docs.js') },
    { path: '/docs/shared.js', type: script, body: () => file('shared.js') },
    { path: '/docs/icon.svg', type: 'image/svg+xml', body: () => file('icon.svg') },
  ]
}

function file(name: string): string {
  return readFileSync(new URL(`../reference/${name}`, import.meta.url), 'utf8')
}
