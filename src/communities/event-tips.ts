import { eventById } from '../catalogue/event-store.ts'
import { type Block, rangeOf } from '../catalogue/events.ts'
import { Fault } from '../faults.ts'
import { viewerOf } from '../profiles/profile.ts'
import { toComments } from './comment.ts'
import type { CommunitiesContext } from './context.ts'
import { tipsOfEvent } from './event-tip-store.ts'
import type { Comment } from './shapes.ts'

/** The newest first, those that lost too. null: the event exists and the block is empty. */
export async function listTipsOfEvent(
  context: CommunitiesContext,
  { id, customerId }: { id: number; customerId: number | null },
  { details, ...block }: Block & { details: boolean },
): Promise<{ comment: Comment[] } | null> {
  const { database } = context
  const viewer = await viewerOf(context, customerId)
  const rows = await database.query(tipsOfEvent, { eventId: id, viewer, ...rangeOf(block) })
  if (rows.length > 0) return { comment: await toComments(context, rows, { requester: customerId !== null, details }) }
  if ((await database.one(eventById, { id })) === undefined) throw new Fault('noEvent', 'id')
  return null
}
