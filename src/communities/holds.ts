// What the writing of tips needs of the rules that hold some of them back (moderation/decisions/hold-rules.ts).

import type { Database } from '../platform/database/database.ts'

export type NewTipFacts = {
  readonly text: string
  /** A moderator looks at every tip of the author first. */
  readonly isPremoderated: boolean
  readonly authorSince: number
  readonly now: number
}

export type Rate = { readonly tips: number; readonly minutes: number }

export type TipHolds = {
  /** Why the tip is held, for moderators; null: it is not. */
  reasonFor(tip: NewTipFacts): string | null
  /** From how many tips of a profile within how many minutes the next one is held; null: there is no such rule. */
  rate(): Rate | null
  rateReason(rate: Rate): string
  /** Writes why. The last step of its transaction. */
  record(transaction: Database, commentId: number, reason: string): Promise<void>
}
