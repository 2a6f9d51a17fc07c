import type { Database } from '../../platform/database/database.ts'
import type { Replicas } from '../../platform/database/replicas/replicas.ts'
import type { BoundOperation, Operation } from './operation.ts'

/**
 * Gives each operation its context, with the database that its caller reads from. The database is passed in the context rather
 * than through AsyncLocalStorage: the reader sees where it comes from, and without replicas it costs nothing.
 */
export function bindOperations<C extends { readonly database: Database; readonly replicas: Replicas | null }>(
  context: C,
  operations: readonly Operation<C>[],
): BoundOperation[] {
  const { replicas } = context
  return operations.map((operation) => {
    // The caller of an open operation is unknown, and must not see the log go back from one answer to the next.
    if (replicas === null || operation.credentials === 'none') {
      return { ...operation, handle: (request) => operation.handle(context, request) }
    }
    return {
      ...operation,
      handle(request) {
        const { apiKey, customerId } = request.caller
        const database = replicas.databaseOf(customerId ?? apiKey, operation.method === 'GET')
        return operation.handle({ ...context, database }, request)
      },
    }
  })
}
