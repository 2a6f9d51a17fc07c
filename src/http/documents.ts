// Documents that are the same for every request: the references and the descriptions for tools. Each is rendered once, at its
// first request: most processes get none, and rendering would take 80 of the 220 ms of a start. Needs no credentials.

import { readFileSync } from 'node:fs'
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

/** A reference page at /docs, and its files. `script` is the one that the page starts. */
export function referenceDocuments(page: () => string, script: string): Document[] {
  const body = once(page)
  const styles = () => ['theme.css', 'layout.css', 'code.css', 'docs.css', 'requests.css', 'try.css'].map(file).join('')
  const html = 'text/html; charset=utf-8'
  const scripts = [script, 'common.js', 'send.js', 'shared.js'].map((name) => ({
    path: `/docs/${name}`,
    type: 'text/javascript; charset=utf-8',
    body: () => file(name),
  }))
  const documents = [
    { path: '/docs', type: html, body },
    { path: '/docs/', type: html, body },
    { path: '/docs/docs.css', type: 'text/css; charset=utf-8', body: styles },
    ...scripts,
    { path: '/docs/icon.svg', type: 'image/svg+xml', body: () => file('icon.svg') },
  ]
  return documents.map((one) => ({ ...one, headers: PAGE_HEADERS }))
}

function once<T>(compute: () => T): () => T {
  let cached: { value: T } | undefined
  return () => {
    cached ??= { value: compute() }
    return cached.value
  }
}

function file(name: string): string {
  return readFileSync(new URL(`../reference/${name}`, import.meta.url), 'utf8')
}
