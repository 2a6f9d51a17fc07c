import type { Context } from '../../platform/context.ts'
import type { RecentRequests } from '../../platform/observability/recent-requests.ts'
import type { Shares } from '../limits/rate-limit.ts'
import type { ApplicationSource, SessionSource } from './credentials.ts'

/** What the public listener needs of those who call it, and what it records. */
export type ListenerContext = Context & {
  readonly applications: ApplicationSource
  readonly tickets: SessionSource
  /** Grants this process its shares of the applications' rate limits. */
  readonly shares: Shares
  /** The last requests that this process served. */
  readonly recentRequests: RecentRequests
}
