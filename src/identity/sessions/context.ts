import type { Context } from '../../platform/context.ts'
import type { BuiltinSessions } from './builtin.ts'
import type { Tickets } from './tickets.ts'

export type SessionsContext = Context & {
  readonly tickets: Tickets
  /** null when an identity provider issues the tickets. */
  readonly sessions: BuiltinSessions | null
}
