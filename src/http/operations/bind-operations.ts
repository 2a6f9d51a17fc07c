import type { Database } from '../../platform/database/database.ts'
import type { Replicas } from '../../platform/database/replicas/replicas.ts'
import { WRITE_POSITION } from '../../platform/database/replicas/write-positions.ts'
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
    if (replicas === null) return { ...operation, handle: (request) => operation.handle(context, request) }
    return withPrimaryBack(replicas, operation, {
      ...operation,
      handle(request) {
        // The caller of an open operation is unknown, and must not see the log go back from one answer to the next.
        if (operation.credentials === 'none') return operation.handle(context, request)
        const { apiKey, customerId } = request.caller
        const { req } = request.response
        const position = req.headers[WRITE_POSITION]
        const database = replicas.databaseOf({
          who: customerId ?? apiKey,
          onlyReads: operation.method === 'GET',
          mayBeStale: operation.mayBeStale === true && req.method === 'GET',
          response: request.response,
          position: typeof position === 'string' ? position : undefined,
        })
        return operation.handle({ ...context, database }, request)
      },
    })
  })
}

/** What may not be stale waits a moment for the primary, wherever its handler reads. What writes is refused by the database. */
function withPrimaryBack(
  { stale }: Replicas,
  { method, mayBeStale }: Pick<Operation, 'method' | 'mayBeStale'>,
  bound: BoundOperation,
): BoundOperation {
  if (stale === null || (method !== 'GET' && method !== 'HEAD')) return bound
  return {
    ...bound,
    handle(request) {
      const isStale = mayBeStale === true && request.response.req.method === 'GET'
      if (isStale || !stale.watch.isAway()) return bound.handle(request)
      return stale.untilBack().then(() => bound.handle(request)) as never
    },
  }
}
