// What waits, how long the oldest has waited, and from when on that is a problem: for the health page and for /metrics. The
// alerts of deploy/prometheus/ have the same limits.

import { eventsWithoutPosition } from '../../event-log/sequencer-store.ts'
import type { Context } from '../../platform/context.ts'
import type { MetricSnapshot } from '../../platform/observability/metric-snapshot.ts'
import { type PeriodicTask, startPeriodicTask } from '../../platform/runtime/periodic-task.ts'
import type { HealthContext } from './context.ts'
import { type Judgement, judge, type Limits } from './judgement.ts'
import { eventReaders, type QueueRow, reviewQueues, tipStatusQueue } from './store.ts'

export type Queue = Judgement & {
  readonly name: string
  readonly title: string
  readonly waiting: number
  /** null: nothing waits, or the age is not known. */
  readonly oldestSeconds: number | null
}

/** Limits are in seconds. */
type QueueRule = Limits & { readonly title: string }

const MINUTE = 60
const HOUR = 3_600
const DAY = 86_400

const reader = (title: string, what: string): QueueRule => ({
  title,
  warning: MINUTE,
  critical: 10 * MINUTE,
  advice: `${what} If the number does not fall, look in the log for warnings with “it will be retried”.`,
})
const review = (title: string, where: string): QueueRule => ({
  title,
  warning: DAY,
  critical: 7 * DAY,
  advice: `Somebody should work through ${where}.`,
})

/** The kinds of paddock_deposit_waiting that are too old at some age. */
const MONEY = ['undecided', 'capture', 'cancel', 'refund', 'payout', 'approval', 'unappliedNotification'] as const

export const QUEUE_RULES: Readonly<Record<string, QueueRule>> = {
  undecided: {
    title: 'Deposits being authorised',
    warning: 2 * MINUTE,
    critical: 10 * MINUTE,
    advice: 'The gateway does not decide in time. Check that it can be reached; the log names each failed call.',
  },
  capture: {
    title: 'Captures to send',
    warning: 5 * MINUTE,
    critical: HOUR,
    advice: 'The gateway does not confirm captures. Check its status page and its settings (docs/deposits.md).',
  },
  cancel: {
    title: 'Cancels to send',
    warning: HOUR,
    critical: DAY,
    advice: 'The gateway does not confirm cancels. Check its status page and its settings (docs/deposits.md).',
  },
  refund: {
    title: 'Refunds to send',
    warning: HOUR,
    critical: DAY,
    advice: 'The gateway does not confirm refunds. Check its status page and its settings (docs/deposits.md).',
  },
  payout: {
    title: 'Payouts to send',
    warning: HOUR,
    critical: DAY,
    advice:
      'The gateway does not take payouts. Check its status page, its settings and its funds (docs/withdrawals.md).',
  },
  approval: review('Withdrawals that wait for approval', 'the withdrawals that wait'),
  unappliedNotification: {
    title: 'Notifications of gateways that were not applied',
    warning: HOUR,
    critical: DAY,
    advice: 'What the gateway reports is not in the books yet. The page Unapplied shows why, and what to do.',
  },
  webhookDeliveries: {
    title: 'Webhook deliveries to send',
    warning: 5 * MINUTE,
    critical: 6 * HOUR,
    advice: 'A receiver does not accept deliveries. The Webhooks page shows which, and its last error.',
  },
  webhookEvents: reader('Events to queue for webhooks', 'The dispatcher is behind the log of events.'),
  eventPositions: reader('Events without a position', 'The sequencer is behind, and with it all readers of events.'),
  notificationEvents: reader('Events to turn into notifications', 'Notifications come late.'),
  recordBoard: reader('Events to count in the ranking', 'The ranking of records is out of date.'),
  tipLog: reader('Events to append to the provable log', 'Tips are not in the provable log yet.'),
  tipStatus: {
    title: 'Settled outcomes whose tips are being updated',
    warning: 10 * MINUTE,
    critical: HOUR,
    advice:
      'Large settlements take a while. If the number does not fall, look for “updating the status of tips failed” in the log.',
  },
  profileReview: review('Flagged profiles', 'the review queue of profiles'),
  commentReview: review('Flagged comments', 'the review queue of comments'),
  appeals: review('Appeals', 'the appeals'),
  depositReview: review('Deposits that need manual review', 'the deposits in review'),
  refundReview: review('Refunds that need manual review', 'the refunds in review'),
  withdrawalReview: review('Withdrawals that need manual review', 'the withdrawals in review'),
}

/** Throws when the database does not answer. */
export async function readQueues(context: HealthContext, measured: MetricSnapshot): Promise<Queue[]> {
  const rows = await readRows(context)
  return [...measuredQueues(measured), ...rows.map((row) => queueOf(row, context.now()))]
}

async function readRows({ database, config }: Pick<Context, 'database' | 'config'>): Promise<QueueRow[]> {
  const rows = [
    ...(await database.query(reviewQueues, {})),
    ...(await database.query(tipStatusQueue, {})),
    ...(await database.query(eventReaders, {})),
  ]
  if (database.engine === 'postgres') {
    const found = await database.one(eventsWithoutPosition, {})
    if (found !== undefined) rows.push({ name: 'eventPositions', ...found })
  }
  // Without extensions nobody reads these events.
  const unread = config.extensions ? [] : ['notificationEvents', 'recordBoard']
  return rows.filter(({ name }) => !unread.includes(name))
}

const MEASURE_EVERY_MS = 15_000

/** Reports the queues that only the database knows on /metrics. */
export function startQueueWatch(context: Context): PeriodicTask {
  return startPeriodicTask(() => measureQueues(context), {
    everyMs: MEASURE_EVERY_MS,
    onFailure: (error) => context.log.warn({ err: error }, 'counting what waits failed; it will be retried'),
  })
}

export async function measureQueues(context: Context): Promise<void> {
  const { metrics, now } = context
  for (const row of await readRows(context)) {
    metrics.gauge('paddock_queue_waiting', `queue="${row.name}"`, row.waiting)
    metrics.gauge('paddock_queue_waiting_oldest_seconds', `queue="${row.name}"`, ageOf(row, now()) ?? 0)
  }
}

/** What the sweeper and the dispatcher measure anyway. */
function measuredQueues({ extras }: MetricSnapshot): Queue[] {
  const read = (name: string, metric: string, labels: string): Queue[] => {
    const waiting = extras[metric]?.[labels]
    const oldest = extras[`${metric}_oldest_seconds`]?.[labels] ?? 0
    return waiting === undefined ? [] : [judged(name, waiting, waiting === 0 ? null : oldest)]
  }
  return [
    ...MONEY.flatMap((kind) => read(kind, 'paddock_deposit_waiting', `kind="${kind}"`)),
    ...read('webhookDeliveries', 'paddock_webhook_waiting', ''),
    ...read('appeals', 'paddock_appeals_waiting', ''),
  ]
}

function queueOf(row: QueueRow, now: number): Queue {
  return judged(row.name, row.waiting, ageOf(row, now))
}

function ageOf({ waiting, oldest }: QueueRow, now: number): number | null {
  return waiting === 0 || oldest === null ? null : Math.max(0, now - oldest) / 1000
}

function judged(name: string, waiting: number, oldestSeconds: number | null): Queue {
  const rule = QUEUE_RULES[name] as QueueRule
  return { name, title: rule.title, waiting, oldestSeconds, ...judge(oldestSeconds, rule) }
}
