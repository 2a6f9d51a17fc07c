import type { Replicas } from '../database/replicas/replicas.ts'
import type { Operation } from './operation.ts'

/**
 * The operations, each served with the database as its caller may see it. Given to the handler with its context rather
 * than found by AsyncLocalStorage: the reader sees where it comes from, and without replicas it costs nothing at all.
 */
export function withReplicas(replicas: Replicas | null, operations: readonly Operation[]): readonly Operation[] {
  if (replicas === null) return operations
  return operations.map((operation) => ({
    ...operation,
    handle(context, request) {
      const { apiKey, customerId } = request.caller
      const database = replicas.databaseOf(customerId ?? apiKey, operation.method === 'GET')
      return operation.handle({ ...context, database }, request)
    },
  }))
}
