import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { lastMigration } from '../../database/migration-store.ts'
import { prometheusText, sumSnapshots } from '../../observability/metric-snapshot.ts'

/** Without a token, for probes and scrapers. */
export function serveHealth(app: FastifyInstance, context: Context): void {
  app.get('/health/live', async (request, reply) => {
    request.record.operation = 'health'
    return reply.header('content-type', 'application/json').send('{"status":"live"}')
  })
  app.get('/health/ready', async (request, reply) => {
    request.record.operation = 'health'
    const { ready, answer } = await readiness(context)
    return reply
      .code(ready ? 200 : 503)
      .header('content-type', 'application/json')
      .send(JSON.stringify(answer))
  })
  app.get('/metrics', async (request, reply) => {
    request.record.operation = 'metrics'
    const { metrics, workers } = context
    const text =
      workers === null ? metrics.render() : prometheusText(sumSnapshots([metrics.read(), ...(await workers.read())]))
    return reply.header('content-type', 'text/plain; version=0.0.4; charset=utf-8').send(text)
  })
}

/** Ready with some of the workers and replicas too; the answer names the missing ones. */
async function readiness({
  database,
  writeProblem,
  workers,
  replicas,
}: Context): Promise<{ ready: boolean; answer: object }> {
  const leftOut = replicas?.leftOut() ?? []
  const missing = {
    ...(workers === null ? {} : { workers: { up: workers.up(), wanted: workers.wanted } }),
    ...(leftOut.length === 0 ? {} : { leftOut }),
  }
  try {
    await database.one(lastMigration, {})
  } catch {
    return { ready: false, answer: { status: 'database unavailable', ...missing } }
  }
  const problem = writeProblem()
  if (problem !== null) return { ready: false, answer: { status: 'database takes no writes', problem, ...missing } }
  if (workers?.up() === 0) return { ready: false, answer: { status: 'no worker is up', ...missing } }
  return { ready: true, answer: { status: 'ready', ...missing } }
}
