// What runs beside the listeners, in the process that started the service. Each task claims its work in the database, so that
// any number of services may run on one PostgreSQL.

import { startProjection } from './event-log/projection.ts'
import { deleteOldEvents } from './event-log/retention.ts'
import { startSequencer } from './event-log/sequencer.ts'
import { startReweighing } from './flags/weights.ts'
import { startAppealWatch } from './moderation/appeals.ts'
import { deleteEndedMutes } from './mutes/mute.ts'
import { notificationsProjection } from './notifications/projection.ts'
import { deleteOldNotifications } from './notifications/retention.ts'
import type { PublicContext } from './operations.ts'
import { DAY_MS } from './platform/runtime/durations.ts'
import { boardProjection } from './record/board.ts'
import { startIndexer } from './search/indexer.ts'
import { tipLogProjection } from './tip-log/projection.ts'
import { startLedgerChecks } from './wallets/ledger-checks.ts'
import { startSweeper } from './wallets/sweeper.ts'
import { startDispatcher } from './webhooks/dispatcher.ts'
import { deleteOldDeliveries } from './webhooks/retention.ts'

const HOUSEKEEPING_MS = 600_000

type Task = { close(): unknown }
type Intervals = { sweepEveryMs: number; dispatchEveryMs: number }

/** In the order in which they are to be closed. */
export async function startBackgroundTasks(
  context: PublicContext,
  { sweepEveryMs, dispatchEveryMs }: Intervals,
): Promise<Task[]> {
  const { config, database, log, now } = context
  // First: it may fail, and nothing else would have to be closed then.
  const sweeper = await startSweeper(context, sweepEveryMs)
  const housekeeping = setInterval(() => deleteExpired(context), HOUSEKEEPING_MS).unref()
  return [
    { close: () => clearInterval(housekeeping) },
    startIndexer(database, log),
    startReweighing(database, log),
    // Also without extensions: a log with gaps would prove nothing.
    startProjection(database, tipLogProjection(now), log),
    ...(config.extensions
      ? [startProjection(database, boardProjection(now), log), startProjection(database, notificationsProjection, log)]
      : []),
    ...(database.engine === 'postgres' ? [startSequencer(database, log)] : []),
    startAppealWatch(context),
    startDispatcher(context, dispatchEveryMs),
    startLedgerChecks(context),
    sweeper,
  ]
}

async function deleteExpired({ sessions, database, config, now, log }: PublicContext): Promise<void> {
  try {
    await sessions?.deleteExpired()
    const before = now() - config.events.days * DAY_MS
    await deleteOldEvents(database, before)
    await deleteOldDeliveries(database, before, now())
    await deleteOldNotifications(database, before)
    await deleteEndedMutes(database, now())
  } catch (error) {
    log.warn({ err: error }, 'deleting expired rows failed; it will be retried')
  }
}
