// The messages between the supervisor and its workers, over node:cluster's channel.

import type { ShareRequest } from '../http/limits/rate-limit.ts'
import type { Notice } from '../platform/database/replicas/recent-writes.ts'
import type { MetricSnapshot } from '../platform/observability/metric-snapshot.ts'
import type { RecentFilter } from '../platform/observability/recent-requests.ts'
import type { RecentRequest } from '../platform/observability/request-rings.ts'

/** Why a worker could not start. */
export type Failure = { readonly message: string; readonly code?: string; readonly port?: number }

/** Who wrote: from a worker to the supervisor, and from there to the other workers. An empty list only keeps in touch. */
export type WriteNotice = { readonly number: number; readonly wrote: readonly Notice[] }
/** An operator wrote: everybody must see it. `failed`: the call was not answered with success. */
export type WriteForAllNotice = { readonly number: number; readonly wrote: 'for all' | 'for all, failed' }
/** The answer to both notices, by their number: every process that had to be notified has acknowledged. */
type Acknowledgement = { readonly acknowledged: number }

/** A worker requests a share of an application's limit. */
type RequestedShare = { readonly number: number; readonly share: ShareRequest }
/** The answer, by its number. */
type GrantedShare = { readonly number: number; readonly granted: number }

/** The last requests of an application are requested from each worker. */
type RecentQuestion = { readonly number: number; readonly recentOf: string; readonly filter: RecentFilter }
/** The answer, by its number. */
type RecentAnswer = { readonly number: number; readonly recent: readonly RecentRequest[] }

export type ToWorker =
  | 'read metrics'
  | 'peek at metrics'
  | 'stop'
  | WriteNotice
  | WriteForAllNotice
  | Acknowledgement
  | GrantedShare
  | RecentQuestion
export type FromWorker =
  | { readonly metrics: MetricSnapshot }
  | { readonly failure: Failure }
  | WriteNotice
  | Acknowledgement
  | RequestedShare
  | RecentAnswer

/**
 * A worker reads replicas for this long after it sent its last acknowledged message to the supervisor. The supervisor does
 * not wait for a worker that was silent for as long. Its time starts later, so that a worker it no longer waits for
 * already reads the primary.
 */
export const IN_TOUCH_MS = 1_000
