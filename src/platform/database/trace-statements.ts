import { recordPart } from '../tracing/span.ts'
import type { Tracing } from '../tracing/tracing.ts'
import { type Database, operationOf, type StatementObserver } from './database.ts'

const SYSTEM_NAMES = { sqlite: 'sqlite', postgres: 'postgresql' } as const

/** Also records a span of each slow statement of what is traced. A statement's text and parameters are in none. */
export function tracedStatements(
  observe: StatementObserver,
  engine: Database['engine'],
  tracing: Tracing | null,
): StatementObserver {
  if (tracing === null) return observe
  const leastSeconds = tracing.statementsOverMs / 1000
  const system = { 'db.system.name': SYSTEM_NAMES[engine] }
  return (name, seconds) => {
    observe(name, seconds)
    if (seconds < leastSeconds) return
    recordPart(() => {
      const operation = operationOf(name)
      const more = operation === undefined ? {} : { 'db.operation.name': operation }
      return { kind: 'client', name, attributes: { ...system, 'db.query.summary': name, ...more } }
    }, seconds)
  }
}
