import type { LoggedEvent } from '../event-log/event.ts'
import type { EventRow } from '../event-log/store.ts'
import type { Context } from '../platform/context.ts'

/** What endpoints are sent of the log. */
export type PushedEvents = {
  /** Kinds, for an endpoint that has not chosen. */
  readonly kinds: readonly string[]
  readonly toEvent: (row: EventRow) => LoggedEvent
}

export type WebhooksContext = Context & { readonly pushedEvents: PushedEvents }
