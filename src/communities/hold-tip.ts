// A tip that is held is withdrawn in the transaction that writes it, so that nobody sees it before a moderator does.

import type { Database } from '../platform/database/database.ts'
import { MINUTE_MS } from '../platform/runtime/durations.ts'
import { withdraw } from './comment.ts'
import type { NewTipFacts, TipHolds } from './holds.ts'
import { type LockedComment, lockComment } from './store.ts'
import { createdAtOfTip } from './tip-store.ts'

export async function holdReason(
  transaction: Database,
  holds: TipHolds,
  authorId: number,
  tip: NewTipFacts,
): Promise<string | null> {
  const reason = holds.reasonFor(tip)
  const rate = holds.rate()
  if (reason !== null || rate === null) return reason
  // Tips that are written at this moment may be missing.
  const earlier = await transaction.one(createdAtOfTip, { authorId, newer: rate.tips - 1 })
  const isReached = earlier !== undefined && earlier.created_at > tip.now - rate.minutes * MINUTE_MS
  return isReached ? holds.rateReason(rate) : null
}

export async function holdTip(transaction: Database, holds: TipHolds, id: number, reason: string): Promise<void> {
  const comment = await transaction.one(lockComment, { id })
  await withdraw(transaction, id, comment as LockedComment, 'held')
  await holds.record(transaction, id, reason)
}
