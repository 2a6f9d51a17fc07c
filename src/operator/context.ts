import type { CommunitiesContext } from '../communities/context.ts'
import type { ListenerContext } from '../http/requests/context.ts'
import type { Applications } from '../identity/applications/application.ts'
import type { SavedRequests } from '../identity/applications/saved-requests.ts'
import type { StartLink } from '../identity/operators/start-link.ts'
import type { SessionsContext } from '../identity/sessions/context.ts'
import type { HoldRules } from '../moderation/decisions/hold-rules.ts'
import type { ConsoleStreams } from '../streams/console/streams.ts'
import type { OperatorWords } from '../text-rules/operator-words.ts'
import type { LedgerChecks } from '../wallets/books/ledger-checks.ts'
import type { WalletsContext } from '../wallets/context.ts'
import type { WebhooksContext } from '../webhooks/context.ts'
import type { HealthContext } from './health/context.ts'
import type { StatisticsContext } from './statistics/days.ts'

/** Operators see and change what belongs to every domain. */
export type OperatorContext = ListenerContext &
  SessionsContext &
  CommunitiesContext &
  WalletsContext &
  WebhooksContext &
  HealthContext &
  StatisticsContext & {
    readonly applications: Applications
    readonly ledgerChecks: LedgerChecks
    /** The last requests of all processes, in the sandbox; null in production. */
    readonly savedRequests: SavedRequests | null
    readonly startLink: StartLink | null
    readonly words: OperatorWords
    readonly holds: HoldRules
    /** The streams of open consoles. */
    readonly consoleStreams: ConsoleStreams
  }
