// The state of the service, from what it measures anyway. Several services on one database each answer for themselves.

import { MINUTES_KEPT, minuteOf } from '../../platform/observability/minutes.ts'
import { MINUTE_MS } from '../../platform/runtime/durations.ts'
import { ERROR_MINUTES, errorCheck, judgedReplica, measuredChecks, readinessChecks } from './checks.ts'
import type { HealthContext } from './context.ts'
import { worstOf } from './judgement.ts'
import { slowestOperations } from './latency.ts'
import { type Processes, readProcesses } from './processes.ts'
import { readQueues } from './queues.ts'
import { readReadiness } from './readiness.ts'

export async function readHealth(context: HealthContext) {
  const readiness = await readReadiness(context)
  const processes = await readProcesses(context)
  const { total } = processes
  // null: the database does not answer.
  const queues = readiness.databaseAnswers ? await readQueues(context, total).catch(() => null) : null
  const minutes = lastHour(total.minutes, context.now())
  const replicas = (context.replicas?.states() ?? []).map(judgedReplica)
  const checks = [...readinessChecks(readiness), errorCheck(minutes.slice(-ERROR_MINUTES)), ...measuredChecks(total)]
  return {
    state: worstOf([...checks, ...processes.items, ...replicas, ...(queues ?? [])]),
    ready: readiness.ready,
    engine: context.database.engine,
    checks,
    processes,
    replicas,
    queues,
    minutes,
    operations: slowestOperations(total),
  }
}

/** The last hour, the current minute last. */
function lastHour(minutes: Processes['total']['minutes'], now: number) {
  const first = minuteOf(now) - MINUTES_KEPT + 1
  return Array.from({ length: MINUTES_KEPT }, (_, index) => ({
    at: (first + index) * MINUTE_MS,
    ...(minutes[first + index] ?? { requests: 0, refused: 0, failed: 0 }),
  }))
}
