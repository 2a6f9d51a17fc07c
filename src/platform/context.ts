import type { Config } from './config/config.ts'
import type { Database } from './database/database.ts'
import type { Log } from './observability/log.ts'
import type { Metrics } from './observability/metrics.ts'
import type { Tracing } from './tracing/tracing.ts'

/**
 * What every function may use. Domains add what is theirs (profiles/context.ts, communities/context.ts, …). Created once, in
 * service.ts; there is no other global state.
 */
export type Context = {
  readonly config: Config
  readonly log: Log
  readonly metrics: Metrics
  /** null: off. */
  readonly tracing: Tracing | null
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** The primary; for a request of the public API with replicas, as its caller may see it (http/operations/bind-operations.ts). */
  readonly database: Database
}
