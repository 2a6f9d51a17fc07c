// What is wrong with the service, in words, and what to do about it.

import type { ReplicaState } from '../../platform/database/replicas/replicas.ts'
import { EXTRAS, type MetricSnapshot } from '../../platform/observability/metric-snapshot.ts'
import type { MinuteCounts } from '../../platform/observability/minutes.ts'
import { GOOD, type Judgement, judge, type Limits } from './judgement.ts'
import type { Readiness } from './readiness.ts'

export type Check = Judgement & { readonly name: string; readonly title: string; readonly detail: string }

const critical = (advice: string): Judgement => ({ state: 'critical', advice })

export function readinessChecks({ databaseAnswers, writeProblem, workers }: Readiness): Check[] {
  const database: Check = {
    name: 'database',
    title: 'Database',
    detail: databaseAnswers ? 'It answers.' : 'It does not answer.',
    ...(databaseAnswers ? GOOD : critical('Check that it runs, and that this machine reaches it (DATABASE_URL).')),
  }
  const writes: Check = {
    name: 'writes',
    title: 'Writes',
    detail: !databaseAnswers ? 'Not known.' : (writeProblem ?? 'The database takes writes.'),
    ...(databaseAnswers && writeProblem === null
      ? GOOD
      : critical('Make the database writable, or point DATABASE_URL at the primary (docs/capacity.md).')),
  }
  return [database, writes, ...(workers === null ? [] : [workersCheck(workers)])]
}

function workersCheck({ up, wanted }: { up: number; wanted: number }): Check {
  const advice = 'Look in the log for “a worker ended”: it names the reason. Workers are replaced by themselves.'
  return {
    name: 'workers',
    title: 'Workers',
    detail: `${up} of ${wanted} serve.`,
    ...(up === wanted ? GOOD : { state: up === 0 ? 'critical' : 'warning', advice }),
  }
}

export const DELAY: Limits = {
  warning: 200,
  critical: 1_000,
  advice:
    'The processor is busy, or something blocks the event loop. Add workers or processors (docs/workers-and-replicas.md).',
}

export function measuredChecks(total: MetricSnapshot): Check[] {
  const delayMs = Math.round((total.eventLoopDelay['0.99'] ?? 0) * 1000)
  const problems = total.extras.paddock_ledger_problems?.['']
  return [
    {
      name: 'eventLoop',
      title: 'Event loop',
      detail: `99% of its turns begin within ${delayMs} ms.`,
      ...judge(delayMs, DELAY),
    },
    {
      name: 'ledger',
      title: 'Ledger',
      detail: problems === undefined ? 'Not checked yet.' : `${problems || 'No'} problems in the last check.`,
      ...(problems ? critical('Open the Ledger page: it lists each problem.') : GOOD),
    },
    ...(total.extras.paddock_history_lost?.[''] ? [historyLost()] : []),
  ]
}

function historyLost(): Check {
  const advice = 'Compare deposits with the gateway’s report, then restart the service (docs/capacity.md).'
  return { name: 'history', title: 'History', detail: EXTRAS.gauge.paddock_history_lost[0], ...critical(advice) }
}

/** Failures as a share of requests; fewer than MIN_FAILURES are not judged. */
export const ERRORS: Limits = {
  warning: 0.01,
  critical: 0.05,
  advice: 'Look in the log for lines of level 50 (“request failed”): each has the error and the operation.',
}
const MIN_FAILURES = 5

export const ERROR_MINUTES = 5

export function errorCheck(lastMinutes: readonly MinuteCounts[]): Check {
  const sum = (of: keyof MinuteCounts) => lastMinutes.reduce((total, counts) => total + counts[of], 0)
  const [requests, failed] = [sum('requests'), sum('failed')]
  return {
    name: 'errors',
    title: 'Errors',
    detail: `${failed} of ${requests} requests failed in the last ${ERROR_MINUTES} minutes.`,
    ...judge(failed < MIN_FAILURES ? 0 : failed / requests, ERRORS),
  }
}

export type JudgedReplica = ReplicaState & Judgement

/** Its reads go to the primary meanwhile. */
export function judgedReplica(replica: ReplicaState): JudgedReplica {
  if (replica.problem === null) return { ...replica, ...GOOD }
  const advice = 'Its reads go to the primary. Check that it runs and follows the primary (docs/capacity.md).'
  return { ...replica, state: 'warning', advice }
}
