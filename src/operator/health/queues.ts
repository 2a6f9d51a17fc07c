// What waits, how long the oldest has waited, and from when on that is a problem.

import { eventsWithoutPosition } from '../../event-log/sequencer-store.ts'
import type { MetricSnapshot } from '../../platform/observability/metric-snapshot.ts'
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
  advice: `${what} If the number does not fall, look in the log for warnings that say “it will be retried”.`,
})
const review = (title: string, where: string): QueueRule => ({
  title,
  warning: DAY,
  critical: 7 * DAY,
  advice: `Somebody should work through ${where}.`,
})

const RULES: Readonly<Record<string, QueueRule>> = {
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
  webhookDeliveries: {
    title: 'Webhook deliveries to send',
    warning: 5 * MINUTE,
    critical: 6 * HOUR,
    advice: 'A receiver does not accept deliveries. The Webhooks page shows which, and its last error.',
  },
  webhookEvents: reader('Events to queue for webhooks', 'The dispatcher is behind the log of events.'),
  eventPositions: reader('Events without a position', 'The sequencer is behind, and with it all readers of events.'),
  notifications: reader('Events to turn into notifications', 'Notifications come late.'),
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
  depositReview: review('Deposits that need manual review', 'the deposits in review'),
}

/** Throws when the database does not answer. */
export async function readQueues(context: HealthContext, measured: MetricSnapshot): Promise<Queue[]> {
  const { database, config, now } = context
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
  const unread = config.extensions ? [] : ['notifications', 'recordBoard']
  return [
    ...measuredQueues(measured),
    ...rows.filter(({ name }) => !unread.includes(name)).map((row) => queueOf(row, now())),
  ]
}

/** What the sweeper and the dispatcher measure anyway. */
function measuredQueues({ extras }: MetricSnapshot): Queue[] {
  const read = (name: string, metric: string, labels: string): Queue[] => {
    const waiting = extras[metric]?.[labels]
    const oldest = extras[`${metric}_oldest_seconds`]?.[labels] ?? 0
    return waiting === undefined ? [] : [judged(name, waiting, waiting === 0 ? null : oldest)]
  }
  return [
    ...['undecided', 'capture', 'cancel'].flatMap((kind) => read(kind, 'paddock_deposit_waiting', `kind="${kind}"`)),
    ...read('webhookDeliveries', 'paddock_webhook_waiting', ''),
  ]
}

function queueOf({ name, waiting, oldest }: QueueRow, now: number): Queue {
  return judged(name, waiting, waiting === 0 || oldest === null ? null : Math.max(0, now - oldest) / 1000)
}

function judged(name: string, waiting: number, oldestSeconds: number | null): Queue {
  const rule = RULES[name] as QueueRule
  return { name, title: rule.title, waiting, oldestSeconds, ...judge(oldestSeconds, rule) }
}
