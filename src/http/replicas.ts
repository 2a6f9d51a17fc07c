import type { Replicas } from '../database/replicas/replicas.ts'
import type { Operation } from './operation.ts'

/**
 * Gives each operation the database that its caller reads from. It is passed in the context rather than through
 * AsyncLocalStorage: the reader sees where it comes from, and without replicas it costs nothing.
 */
export function withReplicas(replicas: Replicas | null, operations: readonly Operation[]): readonly Operation[] {
  if (replicas === null) return operations
  return operations.map((operation) => {
    // The caller is unknown, and must not see the log go back from one answer to the next.
    if (operation.credentials === 'none') return operation
    return {
      ...operation,
      handle(context, request) {
        const { apiKey, customerId } = request.caller
        const database = replicas.databaseOf(customerId ?? apiKey, operation.method === 'GET')
        return operation.handle({ ...context, database }, request)
      },
    }
  })
}
