// The metrics of one process as plain data, which can be sent to another process, summed, and written in the Prometheus
// text format.

import { type Minutes, sumMinutes } from './minutes.ts'

export const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Metrics besides requests and statements: kind → name → meaning, and the names of the labels, in order. */
export const EXTRAS = {
  counter: {
    paddock_deposits_total: ['Deposits by the outcome of their authorisation and the fault answered.', 'outcome,fault'],
    paddock_deposit_challenges_total: [
      'Challenges by what the gateway answered when the customer came back.',
      'outcome',
    ],
    paddock_deposit_leases_expired_total: ['Deposits voided because their lease expired, by their state.', 'state'],
    paddock_withdrawals_total: [
      'Withdrawals by their state after the request: REQUESTED waits for operators.',
      'state',
    ],
    paddock_deposit_jobs_total: ['Captures and cancels by outcome; gatewayNotConfigured: not sent.', 'kind,outcome'],
    paddock_refund_jobs_total: ['Refunds sent to the gateway, by outcome; gatewayNotConfigured: not sent.', 'outcome'],
    paddock_payout_jobs_total: [
      'Parts of withdrawals sent to the gateway, by outcome; waits, gatewayNotConfigured: not sent.',
      'outcome',
    ],
    paddock_notifications_total: ['Notifications of gateways, by what became of them.', 'gateway,outcome'],
    paddock_database_conflicts_total: [
      'Transactions that PostgreSQL undid because of others and that were repeated, by SQLSTATE; 40P01: a deadlock.',
      'code',
    ],
    paddock_reads_total: ['Reads by server, with replicas.', 'place'],
    paddock_limit_changes_total: ['Limits that customers set, requested or confirmed, by period.', 'period,change'],
    paddock_limit_refusals_total: [
      'Deposits refused or voided by a limit of the customer’s own, by its period.',
      'period',
    ],
    paddock_exclusions_total: ['Time-outs and self-exclusions that customers began.', 'kind'],
    paddock_movements_total: ['Movements of the sportsbook, by kind and outcome.', 'kind,outcome'],
    paddock_exclusion_register_total: ['Calls of the register of exclusions, by answer.', 'answer'],
    paddock_webhook_deliveries_total: ['Attempts to deliver an event, by outcome.', 'outcome'],
    paddock_held_tips_decided_total: ['Held tips that a moderator published or removed, by action.', 'action'],
    paddock_streams_ended_total: ['Event streams that ended, by reason.', 'reason'],
    paddock_spans_total: [
      'Spans by what became of them; dropped: the queue was full, refused: by the collector.',
      'outcome',
    ],
    paddock_worker_ends_total: ['Worker processes that ended and were replaced.'],
  },
  gauge: {
    paddock_deposit_waiting: [
      'Deposits undecided or in a challenge; captures, cancels, refunds and payouts pending; withdrawals that wait for approval; notifications that were not applied.',
      'kind',
    ],
    paddock_deposit_waiting_oldest_seconds: ['Age of the oldest of them.', 'kind'],
    paddock_ledger_problems: ['Problems found by the last check of the ledger.'],
    paddock_ledger_checked_timestamp_seconds: ['End of that check, in seconds since 1970.'],
    paddock_database_unwritable: ['1 while PostgreSQL takes no writes, 0 while it does.'],
    paddock_clock_difference_seconds: ['How far the clocks of this machine and of PostgreSQL are apart, at least.'],
    paddock_history_lost: ['1 after PostgreSQL has lost writes that were answered, until the next start.'],
    paddock_primary_away: ['1 while the primary is away and replicas answer in its place, 0 while it is not.'],
    paddock_replica_left_out: ['1 while a replica is not used, 0 while it is.', 'replica'],
    paddock_replica_behind_seconds: ['Known lag of a replica behind the primary.', 'replica'],
    paddock_exclusion_register_down: ['1 after a call that the register of exclusions did not answer.'],
    paddock_queue_waiting: [
      'What waits, by queue: what readers of events have to read, and what persons decide.',
      'queue',
    ],
    paddock_queue_waiting_oldest_seconds: ['Age of the oldest of them, where it is known.', 'queue'],
    paddock_webhook_waiting: ['Webhook deliveries that wait, for enabled endpoints.'],
    paddock_webhook_waiting_oldest_seconds: ['Age of the oldest of them.'],
    paddock_appeals_waiting: ['Appeals that nobody has decided, counted up to 1000.'],
    paddock_appeals_waiting_oldest_seconds: ['Age of the oldest of them.'],
    paddock_held_tips_waiting: ['Held tips that nobody has decided, counted up to 1000.'],
    paddock_streams: ['Open event streams of applications.'],
    paddock_workers: ['Worker processes wanted, and those that answered for this snapshot.', 'state'],
  },
  histogram: {
    paddock_deposit_guard_seconds: ['How long a deposit blocked another one of its customer.', 'part'],
  },
} as const

type Described = { readonly [name: string]: readonly [help: string, labels?: string] }

/** The same as a list. */
export const EXTRA_METRICS = Object.entries<Described>(EXTRAS).flatMap(([kind, metrics]) =>
  Object.entries(metrics).map(([name, [help, labels = '']]) => ({ kind, name, help, labels })),
)

/** Each process counts its own. For other gauges the worst value counts. */
const SUMMED: readonly string[] = [...Object.keys(EXTRAS.counter), 'paddock_streams']

export type Histogram = { counts: number[]; sum: number; count: number }
/** Operations of the operator listener that report the service's health. */
const PROBES = ['health', 'metrics']

type Histograms = Record<string, Histogram>
type Numbers = Record<string, number>

export type MetricSnapshot = {
  /** "operation status fault" → how many. */
  readonly requests: Numbers
  /** By operation. */
  readonly latency: Histograms
  /** By statement. */
  readonly statements: Histograms
  /** Counters and gauges of EXTRAS: name → labels → value. */
  readonly extras: Readonly<Record<string, Numbers>>
  readonly extraHistograms: Histograms
  /** Quantile → seconds. */
  readonly eventLoopDelay: Numbers
  readonly memoryBytes: number
  /** The requests of applications in the last hour. Not for Prometheus, which has its own history. */
  readonly minutes: Minutes
}

export function sumSnapshots(all: readonly MetricSnapshot[]): MetricSnapshot {
  const extras: Record<string, Numbers> = {}
  for (const { name } of EXTRA_METRICS) {
    const values = all.map((one) => one.extras[name]).filter((one) => one !== undefined)
    if (values.length > 0) extras[name] = combined(values, SUMMED.includes(name) ? plus : Math.max)
  }
  return {
    requests: combined(
      all.map((one) => one.requests),
      plus,
    ),
    latency: histogramsOf(all.map((one) => one.latency)),
    statements: histogramsOf(all.map((one) => one.statements)),
    extras,
    extraHistograms: histogramsOf(all.map((one) => one.extraHistograms)),
    eventLoopDelay: combined(
      all.map((one) => one.eventLoopDelay),
      Math.max,
    ),
    memoryBytes: all.reduce((sum, one) => sum + one.memoryBytes, 0),
    minutes: sumMinutes(all.map((one) => one.minutes)),
  }
}

/** Without gauges, which only hold while the process lives. */
export function countersOf(snapshot: MetricSnapshot): MetricSnapshot {
  const extras = Object.fromEntries(Object.entries(snapshot.extras).filter(([name]) => name in EXTRAS.counter))
  return { ...snapshot, extras, eventLoopDelay: {}, memoryBytes: 0 }
}

const plus = (one: number, other: number): number => one + other

function combined(all: readonly Numbers[], combine: (one: number, other: number) => number): Numbers {
  const result: Numbers = {}
  for (const numbers of all) {
    for (const [key, value] of Object.entries(numbers)) {
      const before = result[key]
      result[key] = before === undefined ? value : combine(before, value)
    }
  }
  return result
}

function histogramsOf(all: readonly Histograms[]): Histograms {
  const result: Histograms = {}
  for (const histograms of all) {
    for (const [key, { counts, sum, count }] of Object.entries(histograms)) {
      const before = result[key]
      result[key] =
        before === undefined
          ? { counts, sum, count }
          : {
              counts: before.counts.map((value, bucket) => value + (counts[bucket] as number)),
              sum: before.sum + sum,
              count: before.count + count,
            }
    }
  }
  return result
}

export function prometheusText(snapshot: MetricSnapshot): string {
  const lines = [
    '# HELP paddock_requests_total Requests by operation, status and fault code.',
    '# TYPE paddock_requests_total counter',
  ]
  for (const [key, count] of Object.entries(snapshot.requests)) {
    const [operation, status, fault] = key.split(' ')
    lines.push(`paddock_requests_total{operation="${operation}",status="${status}",fault="${fault}"} ${count}`)
  }
  writeAnswers(lines, snapshot)
  writeHistograms(lines, ['paddock_request_seconds', 'Time from request to answer.', 'operation'], snapshot.latency)
  writeHistograms(
    lines,
    ['paddock_statement_seconds', 'Time of database statements.', 'statement'],
    snapshot.statements,
  )
  writeExtras(lines, snapshot)
  lines.push(
    '# HELP paddock_event_loop_delay_seconds Delay of the event loop since the last snapshot.',
    '# TYPE paddock_event_loop_delay_seconds gauge',
  )
  for (const [quantile, seconds] of Object.entries(snapshot.eventLoopDelay)) {
    lines.push(`paddock_event_loop_delay_seconds{quantile="${quantile}"} ${seconds}`)
  }
  lines.push(
    '# HELP process_resident_memory_bytes Memory of the process; with workers, of all of them.',
    '# TYPE process_resident_memory_bytes gauge',
    `process_resident_memory_bytes ${snapshot.memoryBytes}`,
  )
  return `${lines.join('\n')}\n`
}

/** Each series is there from the start, unlike one of paddock_requests_total: an alert sees the first failure too. */
function writeAnswers(lines: string[], { requests }: MetricSnapshot): void {
  const answers = { good: 0, refused: 0, failed: 0 }
  for (const [key, count] of Object.entries(requests)) {
    const [operation = '', status, fault] = key.split(' ')
    if (PROBES.includes(operation)) continue
    if (Number(status) >= 500) answers.failed += count
    else if (fault !== '' || Number(status) >= 400) answers.refused += count
    else answers.good += count
  }
  lines.push(
    '# HELP paddock_answers_total Answers by result, without probes; failed: with 500 and above, refused: with another fault.',
    '# TYPE paddock_answers_total counter',
  )
  for (const [result, count] of Object.entries(answers))
    lines.push(`paddock_answers_total{result="${result}"} ${count}`)
}

function writeExtras(lines: string[], { extras, extraHistograms }: MetricSnapshot): void {
  for (const { name, kind, help } of EXTRA_METRICS) {
    const histogram = extraHistograms[name]
    if (histogram !== undefined) writeHistograms(lines, [name, help, 'part'], { deposit: histogram })
    const values = extras[name]
    if (values === undefined) continue
    lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${kind}`)
    for (const [labels, value] of Object.entries(values)) {
      lines.push(`${name}${labels === '' ? '' : `{${labels}}`} ${value}`)
    }
  }
}

type DescribedHistogram = readonly [metric: string, help: string, label: string]

function writeHistograms(lines: string[], [metric, help, label]: DescribedHistogram, histograms: Histograms): void {
  lines.push(`# HELP ${metric} ${help}`, `# TYPE ${metric} histogram`)
  for (const [name, { counts, sum, count }] of Object.entries(histograms)) {
    let cumulative = 0
    for (const [index, bound] of BUCKETS.entries()) {
      cumulative += counts[index] as number
      lines.push(`${metric}_bucket{${label}="${name}",le="${bound}"} ${cumulative}`)
    }
    lines.push(`${metric}_bucket{${label}="${name}",le="+Inf"} ${count}`)
    lines.push(`${metric}_sum{${label}="${name}"} ${sum}`, `${metric}_count{${label}="${name}"} ${count}`)
  }
}
