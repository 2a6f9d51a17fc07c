import type { Applications } from './applications/application.ts'
import type { Shares } from './applications/rate-limit.ts'
import type { FeedCursors } from './communities/feed-cursors.ts'
import type { TipStatusWork } from './communities/tip-status.ts'
import type { Config } from './config/config.ts'
import type { ConsoleStreams } from './console-stream/streams.ts'
import type { Database } from './database/database.ts'
import type { Replicas } from './database/replicas/replicas.ts'
import type { OperatorWords } from './moderation/operator-words.ts'
import type { TextRules } from './moderation/text.ts'
import type { Log } from './observability/log.ts'
import type { Metrics } from './observability/metrics.ts'
import type { RecentRequests } from './observability/recent-requests.ts'
import type { PictureStore } from './pictures/store.ts'
import type { MostFollowed } from './profiles/ranking.ts'
import type { Cache } from './runtime/cache.ts'
import type { BuiltinSessions } from './sessions/builtin.ts'
import type { Tickets } from './sessions/tickets.ts'
import type { Streams } from './stream/streams.ts'
import type { Gateways } from './wallets/gateways/gateways.ts'
import type { LedgerChecks } from './wallets/ledger-checks.ts'
import type { Workers } from './workers/pool.ts'

/** What an operation may use. Created once, in service.ts; there is no other global state. */
export type Context = {
  readonly config: Config
  readonly log: Log
  readonly metrics: Metrics
  /** Of the public listener of this process. */
  readonly recentRequests: RecentRequests
  /** null when this process serves the public listener itself. */
  readonly workers: Workers | null
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** The primary; for a request of the public API with replicas, as its caller may see it (http/replicas.ts). */
  readonly database: Database
  /** Why the database takes no writes now; null: it does. */
  readonly writeProblem: () => string | null
  /** null: there are none. */
  readonly replicas: Replicas | null
  readonly applications: Applications
  /** Grants this process its shares of the applications' rate limits. */
  readonly shares: Shares
  readonly tickets: Tickets
  /** null when an identity provider issues the tickets. */
  readonly sessions: BuiltinSessions | null
  /** The event streams that this process serves. They read the primary. */
  readonly streams: Streams
  /** The streams of open consoles. */
  readonly consoleStreams: ConsoleStreams
  readonly words: OperatorWords
  readonly textRules: TextRules
  readonly pictures: PictureStore
  readonly mostFollowed: MostFollowed
  /** Customer id → profile id. */
  readonly profileIds: Cache<number, number>
  /** Start positions of feed blocks that were served within the last minute. */
  readonly feedCursors: FeedCursors
  /** Updates the status of tips after changes of the catalogue. */
  readonly tipStatus: TipStatusWork
  readonly gateways: Gateways
  readonly ledgerChecks: LedgerChecks
  /** Statistics of the days before today (statistics/days.ts). */
  readonly pastDays: Cache<string, readonly object[]>
}
