// What runs beside the listeners, in the process that started the service. Each task claims its work in the database, so that
// any number of services may run on one PostgreSQL.

import { deleteOldPrices } from './catalogue/retention.ts'
import { HAS_TIPS_TO_UPDATE } from './communities/tip-status-store.ts'
import { startProjection } from './event-log/projection.ts'
import { deleteOldEvents } from './event-log/retention.ts'
import { startSequencer } from './event-log/sequencer.ts'
import { HAS_NEW_EVENTS } from './event-log/sequencer-store.ts'
import { HAS_REPORTERS_TO_REWEIGH } from './flags/weight-store.ts'
import { startReweighing } from './flags/weights.ts'
import { startModerationWatch } from './moderation/appeals/appeals.ts'
import { deleteEndedMutes } from './mutes/mute.ts'
import { notificationsProjection } from './notifications/projection.ts'
import { NOTIFICATIONS_ARE_BEHIND } from './notifications/projection-store.ts'
import { deleteOldNotifications } from './notifications/retention.ts'
import type { PublicContext } from './operations.ts'
import { startQueueWatch } from './operator/health/queues.ts'
import { startWorkCheck } from './platform/database/work-check.ts'
import { workCheck } from './platform/database/work-check-store.ts'
import { DAY_MS } from './platform/runtime/durations.ts'
import { tracedJob, tracedTask } from './platform/tracing/tracing.ts'
import { boardProjection } from './record/board.ts'
import { BOARD_IS_BEHIND } from './record/board-store.ts'
import { HAS_TIPS_TO_INDEX } from './search/fts-store.ts'
import { startIndexer } from './search/indexer.ts'
import { tipLogProjection } from './tip-log/projection.ts'
import { TIP_LOG_IS_BEHIND } from './tip-log/projection-store.ts'
import { type LedgerChecks, startLedgerChecks } from './wallets/books/ledger-checks.ts'
import { HAS_DEPOSIT_WORK } from './wallets/sweep/store.ts'
import { startSweeper } from './wallets/sweep/sweeper.ts'
import type { WebhooksContext } from './webhooks/context.ts'
import { HAS_ENDPOINT_WORK } from './webhooks/delivery-store.ts'
import { startDispatcher } from './webhooks/dispatcher.ts'
import { deleteOldDeliveries } from './webhooks/retention.ts'

const HOUSEKEEPING_MS = 600_000

const NEVER = '1 = 0'

const CONDITIONS = {
  deposits: HAS_DEPOSIT_WORK,
  tip_status: HAS_TIPS_TO_UPDATE,
  tip_log: TIP_LOG_IS_BEHIND,
  board: BOARD_IS_BEHIND,
  notifications: NOTIFICATIONS_ARE_BEHIND,
  webhooks: HAS_ENDPOINT_WORK,
  reporters: HAS_REPORTERS_TO_REWEIGH,
}

/** The embedded engine gives events their positions at once; PostgreSQL's search index has new tips at once. */
export const backgroundWork = {
  sqlite: workCheck('backgroundWorkOnSqlite', { ...CONDITIONS, sequencer: NEVER, search: HAS_TIPS_TO_INDEX }),
  postgres: workCheck('backgroundWorkOnPostgres', { ...CONDITIONS, sequencer: HAS_NEW_EVENTS, search: NEVER }),
}

type Task = { close(): unknown }
type Intervals = { sweepEveryMs: number; dispatchEveryMs: number }

/** In the order in which they are to be closed. */
export async function startBackgroundTasks(
  context: PublicContext & WebhooksContext & { readonly ledgerChecks: LedgerChecks },
  { sweepEveryMs, dispatchEveryMs }: Intervals,
): Promise<Task[]> {
  const { config, database, log, now, tipStatus, tracing } = context
  const check = startWorkCheck(context, backgroundWork[database.engine])
  const startTask = (name: keyof typeof CONDITIONS | 'sequencer' | 'search') =>
    tracedTask(tracing, `job ${name}`, check.starter(name))
  // First: it may fail, and only the check would have to be closed then.
  const sweeper = await startSweeper(context, sweepEveryMs, startTask('deposits')).catch(async (error) => {
    await check.close()
    throw error
  })
  const housekeeping = setInterval(
    () => void tracedJob(tracing, 'job housekeeping', () => deleteExpired(context)),
    HOUSEKEEPING_MS,
  ).unref()
  return [
    { close: () => clearInterval(housekeeping) },
    check,
    startIndexer(database, log, startTask('search')),
    startReweighing(database, log, startTask('reporters')),
    startTask('tip_status')(() => tipStatus.finish(), { everyMs: 1_000, onFailure: () => {} }),
    // Also without extensions: a log with gaps would prove nothing.
    startProjection(database, tipLogProjection(now), { log, startTask: startTask('tip_log') }),
    ...(config.extensions
      ? [
          startProjection(database, boardProjection(now), { log, startTask: startTask('board') }),
          startProjection(database, notificationsProjection, { log, startTask: startTask('notifications') }),
        ]
      : []),
    ...(database.engine === 'postgres' ? [startSequencer(database, log, startTask('sequencer'))] : []),
    startModerationWatch(context),
    startQueueWatch(context),
    startDispatcher(context, dispatchEveryMs, startTask('webhooks')),
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
    await deleteOldPrices(database, now())
  } catch (error) {
    log.warn({ err: error }, 'deleting expired rows failed; it will be retried')
  }
}
