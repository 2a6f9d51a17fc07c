// The console: files that `npm start` built from console/, read once at start. Only these files are served, so no path
// leads outside their folder.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { etagOf, hasCurrentCopy, PAGE_HEADERS } from '../../http/documents.ts'

const BUILT = fileURLToPath(new URL('../../../console/dist/', import.meta.url))

type File = { path: string; type: string; bytes: Buffer; caching: string }

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** The names of these files hold a hash of their content. */
const HASHED_FOLDER = '/assets/'
const CACHE_FOREVER = 'public, max-age=31536000, immutable'
/** Browsers revalidate their copy each time, so that a new version shows at once. */
const REVALIDATE = 'no-cache'

export function serveConsole(app: FastifyInstance, folder = BUILT): void {
  const files = existsSync(join(folder, 'index.html')) ? readFiles(folder) : [NOT_BUILT]
  for (const { path, type, bytes, caching } of files) {
    const etag = etagOf(bytes)
    app.get(path, (request, reply) => {
      request.record.operation = 'console'
      // Customers’ text is shown, and must stay text.
      reply.headers({ ...PAGE_HEADERS, etag, 'cache-control': caching })
      if (hasCurrentCopy(request, etag)) return reply.code(304).send()
      return reply.header('content-type', type).send(bytes)
    })
  }
}

function readFiles(folder: string): File[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).flatMap((name) => {
    const type = TYPES[extname(name)]
    if (type === undefined) return []
    const path = name === 'index.html' ? '/' : `/${name.split(sep).join('/')}`
    const caching = path.startsWith(HASHED_FOLDER) ? CACHE_FOREVER : REVALIDATE
    return [{ path, type, bytes: readFileSync(join(folder, name)), caching }]
  })
}

const NOT_BUILT: File = {
  path: '/',
  type: TYPES['.html'] as string,
  bytes: Buffer.from(`<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Paddock console</title>
<h1>The console is not built</h1>
<p>Run <code>npm run build:console</code> in the folder of the project, and start the service again.</p>
<p>The operator API works without it: <a href="/docs">its reference</a>.</p>
</html>
`),
  caching: REVALIDATE,
}
