import type { Context } from '../../platform/context.ts'
import type { Replicas } from '../../platform/database/replicas/replicas.ts'
import type { Workers } from '../../workers/pool.ts'

export type HealthContext = Context & {
  /** null when this process serves the public listener itself. */
  readonly workers: Workers | null
  /** Why the database takes no writes now; null: it does. */
  readonly writeProblem: () => string | null
  /** null: there are none. */
  readonly replicas: Replicas | null
}
