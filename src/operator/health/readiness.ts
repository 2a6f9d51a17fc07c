// Whether the service can serve: what /health/ready answers, and the first checks of the health page.

import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../../platform/database/database.ts'
import { lastMigration } from '../../platform/database/migration-store.ts'
import type { HealthContext } from './context.ts'

export type Readiness = {
  readonly ready: boolean
  readonly databaseAnswers: boolean
  /** Why the database takes no writes; null: it does, or does not answer at all. */
  readonly writeProblem: string | null
  readonly workers: { readonly up: number; readonly wanted: number } | null
  /** Replicas that are not used, with the reason. */
  readonly leftOut: readonly string[]
}

type Parts = Pick<HealthContext, 'database' | 'writeProblem' | 'workers' | 'replicas'>

/** Ready with some of the workers and replicas too. */
export async function readReadiness({ database, writeProblem, workers, replicas }: Parts): Promise<Readiness> {
  const stale = replicas?.stale ?? null
  const databaseAnswers =
    stale === null ? await answers(database) : !stale.watch.isAway() && (await answersWithin(database, MAX_ANSWER_MS))
  const problem = databaseAnswers ? writeProblem() : null
  return {
    ready: databaseAnswers && problem === null && workers?.up() !== 0,
    databaseAnswers,
    writeProblem: problem,
    workers: workers === null ? null : { up: workers.up(), wanted: workers.wanted },
    leftOut: replicas?.leftOut() ?? [],
  }
}

/** With reads while the primary is away, a balancer needs to know within a second. */
const MAX_ANSWER_MS = 800

async function answersWithin(database: Database, ms: number): Promise<boolean> {
  return Promise.race([answers(database), pause(ms, false, { ref: false })])
}

/** `ageSeconds`: how old what replicas show is, while the primary is away. */
export type ReadState = { readonly isAnswered: boolean; readonly ageSeconds: number | null }

export async function readReadState(parts: Parts): Promise<ReadState> {
  const { workers, replicas } = parts
  const isUp = workers?.up() !== 0
  const stale = replicas?.stale ?? null
  if (stale?.watch.isAway()) {
    const ageMs = stale.ageMs()
    return { isAnswered: isUp && ageMs !== null, ageSeconds: ageMs === null ? null : Math.ceil(ageMs / 1000) }
  }
  const { databaseAnswers } = await readReadiness(parts)
  return { isAnswered: isUp && databaseAnswers, ageSeconds: null }
}

async function answers(database: Database): Promise<boolean> {
  try {
    await database.one(lastMigration, {})
    return true
  } catch {
    return false
  }
}
