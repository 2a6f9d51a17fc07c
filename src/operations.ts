// The operations of the public API.

import { eventOperations } from './catalogue/operations.ts'
import type { CommunitiesContext } from './communities/context.ts'
import { communityOperations, eventTipOperations } from './communities/operations.ts'
import type { Operation } from './http/operations/operation.ts'
import { withoutExtensions } from './http/representation/shape.ts'
import type { SessionsContext } from './identity/sessions/context.ts'
import { sessionOperations } from './identity/sessions/operations.ts'
import { appealOperations } from './moderation/operations.ts'
import { muteOperations } from './mutes/operations.ts'
import { notificationOperations } from './notifications/operations.ts'
import { profileOperations } from './profiles/operations.ts'
import { recordOperations } from './record/operations.ts'
import { searchOperations } from './search/operations.ts'
import { type StreamsContext, streamOperations } from './streams/public/operations.ts'
import type { TipLogContext } from './tip-log/context.ts'
import { tipLogOperations } from './tip-log/operations.ts'
import type { WalletsContext } from './wallets/context.ts'
import { accountOperations } from './wallets/operations/account.ts'
import { exclusionOperations } from './wallets/operations/exclusions.ts'
import { limitOperations } from './wallets/operations/limits.ts'
import { walletOperations } from './wallets/operations/operations.ts'
import { withdrawalOperations } from './wallets/operations/withdrawals.ts'

/** What the operations of all domains use. */
export type PublicContext = SessionsContext & CommunitiesContext & WalletsContext & StreamsContext & TipLogContext

/** All operations, whatever the settings. */
export const allOperations: readonly Operation<PublicContext>[] = [
  ...sessionOperations,
  ...profileOperations,
  ...muteOperations,
  ...notificationOperations,
  ...recordOperations,
  ...communityOperations,
  ...eventOperations,
  ...eventTipOperations,
  ...searchOperations,
  ...appealOperations,
  ...tipLogOperations,
  ...walletOperations,
  ...accountOperations,
  ...withdrawalOperations,
  ...limitOperations,
  ...exclusionOperations,
  ...streamOperations,
]

export function offeredOperations({
  sessions,
  config,
}: Pick<PublicContext, 'sessions' | 'config'>): Operation<PublicContext>[] {
  const ofSessions: readonly Operation<PublicContext>[] = sessionOperations
  const offered = allOperations.filter(
    (operation) =>
      (sessions !== null || !ofSessions.includes(operation)) && (config.extensions || !operation.extension),
  )
  return config.extensions ? offered : offered.map(contractOnly)
}

/**
 * Drops the parameters that are not part of the contract: they count as absent whatever is sent, and nothing describes
 * what they would add.
 */
function contractOnly(operation: Operation<PublicContext>): Operation<PublicContext> {
  const all = Object.entries(operation.parameters)
  const extensions = all.filter(([, { extension }]) => extension)
  if (extensions.length === 0) return operation
  const { document } = operation.answer
  const absent = Object.fromEntries(extensions.map(([name, parameter]) => [name, parameter.absent]))
  return {
    ...operation,
    parameters: Object.fromEntries(all.filter(([, { extension }]) => !extension)),
    answer: { ...operation.answer, document: document && withoutExtensions(document) },
    handle: (context, request) =>
      operation.handle(context, { ...request, parameters: { ...request.parameters, ...absent } }),
  }
}
