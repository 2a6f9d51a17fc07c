import { wordsOf } from '../../runtime/error-words.ts'
import { DatabaseUnavailable, UniqueViolation } from '../database.ts'

/**
 * The SQLSTATEs of a server that cannot serve for now: connection exceptions (08), insufficient resources (53),
 * operator intervention (57: shutdown, starting up, cancelled by timeout), read-only after a failover (25006), and a
 * statement whose preparation failed (26000), which the next caller prepares again.
 */
const UNAVAILABLE_STATE = /^(08|53|57|25006|26000)/

export function translated(error: unknown): unknown {
  if (error instanceof DatabaseUnavailable || !(error instanceof Error)) return error
  const code = (error as { code?: string }).code
  if (code === '23505') return new UniqueViolation('a row with this key exists already', { cause: error })
  const socketFailure = code !== undefined && /^E[A-Z]+$/.test(code)
  const clientFailure = code === undefined && /connect|Connection|timeout|not queryable/.test(error.message)
  if (socketFailure || clientFailure || UNAVAILABLE_STATE.test(code ?? '')) {
    return new DatabaseUnavailable(`PostgreSQL is unavailable: ${wordsOf(error)}`, { cause: error })
  }
  return error
}
