import type { Applications } from '../applications/application.ts'
import type { CommunitiesContext } from '../communities/context.ts'
import type { SessionsContext } from '../sessions/context.ts'

export type SandboxContext = CommunitiesContext & SessionsContext & { readonly applications: Applications }
