import type { Applications } from '../applications/application.ts'
import type { CommunitiesContext } from '../communities/context.ts'
import type { ConsoleStreams } from '../console-stream/streams.ts'
import type { HealthContext } from '../health/context.ts'
import type { ListenerContext } from '../http/context.ts'
import type { OperatorWords } from '../moderation/operator-words.ts'
import type { SessionsContext } from '../sessions/context.ts'
import type { StatisticsContext } from '../statistics/days.ts'
import type { WalletsContext } from '../wallets/context.ts'

/** Operators see and change what belongs to every domain. */
export type OperatorContext = ListenerContext &
  SessionsContext &
  CommunitiesContext &
  WalletsContext &
  HealthContext &
  StatisticsContext & {
    readonly applications: Applications
    readonly words: OperatorWords
    /** The streams of open consoles. */
    readonly consoleStreams: ConsoleStreams
  }
