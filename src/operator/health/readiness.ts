// Whether the service can serve: what /health/ready answers, and the first checks of the health page.

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
  const databaseAnswers = await answers(database)
  const problem = databaseAnswers ? writeProblem() : null
  return {
    ready: databaseAnswers && problem === null && workers?.up() !== 0,
    databaseAnswers,
    writeProblem: problem,
    workers: workers === null ? null : { up: workers.up(), wanted: workers.wanted },
    leftOut: replicas?.leftOut() ?? [],
  }
}

async function answers(database: Database): Promise<boolean> {
  try {
    await database.one(lastMigration, {})
    return true
  } catch {
    return false
  }
}
