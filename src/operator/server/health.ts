import type { FastifyInstance } from 'fastify'
import { prometheusText, sumSnapshots } from '../../platform/observability/metric-snapshot.ts'
import type { OperatorContext } from '../context.ts'
import { type Readiness, readReadiness, readReadState } from '../health/readiness.ts'

/** Without a token, for probes and scrapers. */
export function serveHealth(app: FastifyInstance, context: OperatorContext): void {
  app.get('/health/live', async (request, reply) => {
    request.record.operation = 'health'
    return reply.header('content-type', 'application/json').send('{"status":"live"}')
  })
  app.get('/health/ready', async (request, reply) => {
    request.record.operation = 'health'
    const readiness = await readReadiness(context)
    return reply
      .code(readiness.ready ? 200 : 503)
      .header('content-type', 'application/json')
      .send(JSON.stringify(answerOf(readiness)))
  })
  app.get('/health/reads', async (request, reply) => {
    request.record.operation = 'health'
    const { isAnswered, ageSeconds } = await readReadState(context)
    const age = ageSeconds === null ? {} : { ageSeconds }
    return reply
      .code(isAnswered ? 200 : 503)
      .header('content-type', 'application/json')
      .send(JSON.stringify({ status: isAnswered ? 'reads are answered' : 'no read is answered', ...age }))
  })
  app.get('/metrics', async (request, reply) => {
    request.record.operation = 'metrics'
    const { metrics, workers } = context
    const text =
      workers === null ? metrics.render() : prometheusText(sumSnapshots([metrics.read(), ...(await workers.read())]))
    return reply.header('content-type', 'text/plain; version=0.0.4; charset=utf-8').send(text)
  })
}

/** Names the missing workers and replicas. */
function answerOf({ ready, databaseAnswers, writeProblem, workers, leftOut }: Readiness): object {
  const missing = { ...(workers === null ? {} : { workers }), ...(leftOut.length === 0 ? {} : { leftOut }) }
  if (!databaseAnswers) return { status: 'database unavailable', ...missing }
  if (writeProblem !== null) return { status: 'database takes no writes', problem: writeProblem, ...missing }
  return { status: ready ? 'ready' : 'no worker is up', ...missing }
}
