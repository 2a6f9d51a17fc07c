// The operations of the public API.

import { communityOperations } from './communities/operations.ts'
import type { Context } from './context.ts'
import type { Operation } from './http/operation.ts'
import { notificationOperations } from './notifications/operations.ts'
import { profileOperations } from './profiles/operations.ts'
import { recordOperations } from './record/operations.ts'
import { sessionOperations } from './sessions/operations.ts'
import { streamOperations } from './stream/operations.ts'
import { tipLogOperations } from './tip-log/operations.ts'
import { walletOperations } from './wallets/operations.ts'

/** All of them, whatever the settings. */
export const allOperations: readonly Operation[] = [
  ...sessionOperations,
  ...profileOperations,
  ...notificationOperations,
  ...recordOperations,
  ...communityOperations,
  ...tipLogOperations,
  ...walletOperations,
  ...streamOperations,
]

export function offeredOperations({ sessions, config }: Pick<Context, 'sessions' | 'config'>): Operation[] {
  return allOperations.filter(
    (operation) =>
      (sessions !== null || !sessionOperations.includes(operation)) && (config.extensions || !operation.extension),
  )
}
