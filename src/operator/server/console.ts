import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { notBuiltPage, serveBuiltFiles } from '../../http/answers/built-files.ts'

const BUILT = fileURLToPath(new URL('../../../console/dist/', import.meta.url))

export function serveConsole(app: FastifyInstance, folder = BUILT): void {
  const advice = 'The operator API works without it: <a href="/docs">its reference</a>.'
  serveBuiltFiles(app, { folder, path: '', operation: 'console', notBuilt: notBuiltPage('console', advice) })
}
