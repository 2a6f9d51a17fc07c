import { drainInProcess } from '../../communities/tip-status.ts'
import { catchUp } from '../../event-log/projection.ts'
import { sequenceEvents } from '../../event-log/sequencer.ts'
import { listNotifications, markNotificationsRead } from '../../notifications/notifications.ts'
import { notificationsProjection } from '../../notifications/projection.ts'
import type { SandboxContext } from '../context.ts'
import { SANDBOX_CUSTOMERS } from './customers.ts'

const LEFT_UNREAD = 3

/** Whoever logs in first finds a few notifications, not those of 90 days. Every step can be repeated. */
export async function readOldNotifications(context: SandboxContext): Promise<void> {
  const { database, now } = context
  // The last results reach the tips, and notify their authors.
  await drainInProcess(database, now, false).run()
  // Only on PostgreSQL do events have no position yet.
  if (database.engine === 'postgres') while ((await sequenceEvents(database)) > 0);
  await catchUp(database, notificationsProjection)
  for (const index of SANDBOX_CUSTOMERS.keys()) {
    const newest = await listNotifications(context, index + 1, { blockSize: LEFT_UNREAD + 1, blockNum: 0 })
    const firstRead = newest?.notification[LEFT_UNREAD]
    if (firstRead !== undefined) await markNotificationsRead(context, index + 1, firstRead.id)
  }
}
