// A *notification* reports to the owner of a profile what others did with it or with its tips: *followed* and *liked* are groups
// of *actors* that grow until they are read; *settled* is the result of a tip, *decision* what a moderator decided, *report* what was decided on
// something that the owner had flagged, *appeal* the answer to an appeal, *card* what was done with a card of theirs.

import { contractStatus } from '../communities/comment.ts'
import type { Config } from '../platform/config/config.ts'
import type { ProfilesContext } from '../profiles/context.ts'
import { NO_PROFILE, viewerOf } from '../profiles/profile.ts'
import { toProfile } from '../profiles/profile-view.ts'
import type { ProfileRow } from '../profiles/store.ts'
import { awaitNotificationCursor } from './projection-store.ts'
import type { Notification, Notifications } from './shapes.ts'
import { markRead, type NotificationRow, notificationsOf, unreadUpTo } from './store.ts'

type Block = { blockSize: number; blockNum: number }

/** Newest first. null: the block is empty. */
export async function listNotifications(
  context: ProfilesContext,
  customerId: number,
  { blockSize, blockNum }: Block,
): Promise<Notifications | null> {
  const id = await viewerOf(context, customerId)
  if (id === NO_PROFILE) return null
  const block = { id, limit: blockSize, offset: blockNum * blockSize }
  const rows = await context.database.query(notificationsOf, block)
  const [first] = rows
  if (first === undefined) return null
  return { numUnread: first.num_unread, notification: rows.map((row) => toNotification(context.config, row)) }
}

function toNotification(config: Config, row: NotificationRow): Notification {
  const isGroup = row.id !== null
  return {
    id: row.position,
    type: row.type,
    isRead: row.is_read === 1,
    createdDateTimeZoned: row.at,
    numActors: isGroup ? row.num_actors : undefined,
    profile: isGroup ? toProfile(config, row as ProfileRow, { requester: true, communities: false }) : undefined,
    action: row.action ?? undefined,
    decisionId: row.decision_id ?? undefined,
    card: row.card_id === null ? undefined : { id: row.card_id, lastFour: row.last_four ?? '' },
    comment:
      row.comment_id === null
        ? undefined
        : {
            id: row.comment_id,
            text: row.text ?? '',
            status: contractStatus(row.result),
            result: row.result ?? undefined,
          },
  }
}

/** Later notifications stay unread, and so do groups that have a new actor since: their id is a later one. */
export async function markNotificationsRead(context: ProfilesContext, customerId: number, upTo: number): Promise<void> {
  const id = await viewerOf(context, customerId)
  if (id === NO_PROFILE) return
  const { database } = context
  await database.run(markRead, { id, upTo })
  // SQLite has one writer: nothing is skipped.
  if (database.engine === 'sqlite' || (await database.one(unreadUpTo, { id, upTo })) === undefined) return
  await database.transaction(async (transaction) => {
    await transaction.one(awaitNotificationCursor, {})
    await transaction.run(markRead, { id, upTo }, 'last')
  })
}
