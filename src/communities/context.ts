import type { ProfilesContext } from '../profiles/context.ts'
import type { FeedCursors } from './feed-cursors.ts'
import type { TipHolds } from './holds.ts'
import type { TipStatusWork } from './tip-status.ts'

export type CommunitiesContext = ProfilesContext & {
  /** Start positions of feed blocks that were served within the last minute. */
  readonly feedCursors: FeedCursors
  /** Updates the status of tips after changes of the catalogue. */
  readonly tipStatus: TipStatusWork
  /** Which new tips wait for a moderator. */
  readonly holds: TipHolds
}
