import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { notBuiltPage, serveBuiltFiles } from '../../http/answers/built-files.ts'
import { PAGE_HEADERS } from '../../http/answers/documents.ts'

const BUILT = fileURLToPath(new URL('../../../showcase/dist/', import.meta.url))

/** A picture is shown before it is uploaded, from the browser's memory. */
const HEADERS = {
  ...PAGE_HEADERS,
  'content-security-policy': PAGE_HEADERS['content-security-policy'].replace("img-src 'self'", "img-src 'self' blob:"),
}

/** The application for customers, at /app/. */
export function serveShowcase(app: FastifyInstance, folder = BUILT): void {
  // The page's addresses are relative to the slash; this one too, so that it works below a path of a proxy.
  app.get('/app', (request, reply) => {
    request.record.operation = 'showcase'
    return reply.redirect('app/')
  })
  const notBuilt = notBuiltPage('application', 'The API works without it: <a href="/docs">its reference</a>.')
  serveBuiltFiles(app, { folder, path: '/app', operation: 'showcase', notBuilt, headers: HEADERS })
}
