import type { Context } from '../platform/context.ts'
import type { LogPages } from './pages.ts'

export type TipLogContext = Context & {
  /** The pages of the log of tips that were read last. */
  readonly logPages: LogPages
}
