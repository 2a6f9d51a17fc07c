import type { OperationResult } from '../comparison.ts'
import type { EngineRun } from '../run.ts'

export function engineTitle({ engine }: EngineRun): string {
  return engine === 'sqlite' ? 'SQLite' : 'PostgreSQL'
}

export function resultsOf({ operations, emptyBaseline }: EngineRun): OperationResult[] {
  return emptyBaseline === null ? operations : [...operations, emptyBaseline]
}

/** Microseconds of service and database for one request. */
export function cpuCost({ service: { cpu, databaseCpu } }: OperationResult): number {
  return cpu.median + (databaseCpu ?? 0)
}
