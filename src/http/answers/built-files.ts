// A web application: files that `npm start` built, read once at start. Only these files are served, so no path leads outside
// their folder.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join, sep } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { PAGE_HEADERS } from './documents.ts'
import { staticContent } from './static-content.ts'

type File = { path: string; type: string; bytes: Buffer; caching: string }

type WebApplication = {
  /** Where it was built. */
  readonly folder: string
  /** The page is at this path with a slash, the files below it; '' is the root. */
  readonly path: string
  /** What the log and the metrics call it. */
  readonly operation: string
  /** The page where nothing was built. */
  readonly notBuilt: string
  readonly headers?: Readonly<Record<string, string>>
}

const HTML = 'text/html; charset=utf-8'
const TYPES: Record<string, string> = {
  '.html': HTML,
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** The names of these files hold a hash of their content. */
const HASHED_FOLDER = '/assets/'
const CACHE_FOREVER = 'public, max-age=31536000, immutable'
/** Browsers revalidate their copy each time, so that a new version shows at once. */
const REVALIDATE = 'no-cache'

export function serveBuiltFiles(app: FastifyInstance, application: WebApplication): void {
  const { folder, operation, notBuilt, headers = PAGE_HEADERS } = application
  const isBuilt = existsSync(join(folder, 'index.html'))
  const files = isBuilt
    ? readFiles(folder)
    : [{ path: '/', type: HTML, bytes: Buffer.from(notBuilt), caching: REVALIDATE }]
  for (const { path, type, bytes, caching } of files) {
    const send = staticContent(bytes, type)
    app.get(application.path + path, (request, reply) => {
      request.record.operation = operation
      // Customers’ text is shown, and must stay text.
      reply.headers({ ...headers, 'cache-control': caching })
      return send(request, reply)
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

/** A page of the kind for `notBuilt`. `advice` is HTML. */
export function notBuiltPage(name: string, advice: string): string {
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Paddock ${name}</title>
<h1>The ${name} is not built</h1>
<p>Run <code>npm run build:web</code> in the folder of the project, and start the service again.</p>
<p>${advice}</p>
</html>
`
}
