import type { CommunitiesContext } from '../communities/context.ts'
import type { Applications } from '../identity/applications/application.ts'
import type { StartLink } from '../identity/operators/start-link.ts'
import type { SessionsContext } from '../identity/sessions/context.ts'
import type { WalletsContext } from '../wallets/context.ts'

export type SandboxContext = CommunitiesContext &
  SessionsContext &
  WalletsContext & { readonly applications: Applications; readonly startLink: StartLink | null }
