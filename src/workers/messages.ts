// What the supervisor and its workers say to each other, over the channel that node:cluster gives them.

import type { ShareRequest } from '../applications/rate-limit.ts'
import type { Who } from '../database/replicas/recent-writes.ts'
import type { MetricSnapshot } from '../observability/metric-snapshot.ts'

/** What a worker says of a start that failed, for the supervisor to tell. */
export type Failure = { readonly message: string; readonly code?: string; readonly port?: number }

/** These wrote: from a worker to the supervisor, and from there to the other workers. Also empty, to stay in touch. */
export type Wrote = { readonly number: number; readonly wrote: readonly Who[] }
/** An operator wrote: everybody must see it. */
export type WroteForAll = { readonly number: number; readonly wrote: 'for all' }
/** The answer to both, by their number: whoever had to hear of it has. */
export type Known = { readonly known: number }

/** A worker takes a share of an application's limit. */
export type AskedShare = { readonly number: number; readonly share: ShareRequest }
/** The answer, by its number. */
export type GrantedShare = { readonly number: number; readonly granted: number }

export type ToWorker = 'read' | 'stop' | Wrote | WroteForAll | Known | GrantedShare
export type FromWorker =
  | { readonly readings: MetricSnapshot }
  | { readonly failure: Failure }
  | Wrote
  | Known
  | AskedShare

/**
 * A worker reads replicas for this long after it last asked the supervisor something that was answered. The supervisor
 * takes one that it has not heard for as long to be out of touch, and waits for it no more. The supervisor's time begins
 * later, so that a worker which is not waited for reads the primary already.
 */
export const IN_TOUCH_MS = 1_000
