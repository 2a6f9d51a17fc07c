// Counters and histograms in the Prometheus text format. Small on purpose: what the service counts is known at start.

import { monitorEventLoopDelay } from 'node:perf_hooks'

const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** What parts of the service count beside requests and statements: name → kind and meaning. */
const EXTRAS = {
  paddock_deposits_total: ['counter', 'Deposits by the outcome of their authorisation and the fault answered.'],
  paddock_deposit_leases_expired_total: ['counter', 'Deposits voided because their lease was over.'],
  paddock_deposit_jobs_total: ['counter', 'Captures and cancels sent to the gateway, by outcome.'],
  paddock_deposit_waiting: ['gauge', 'Deposits undecided, captures and cancels to be done.'],
  paddock_deposit_waiting_oldest_seconds: ['gauge', 'Age of the oldest of them.'],
  paddock_ledger_problems: ['gauge', 'Problems that the last check of the ledger found.'],
  paddock_reads_total: ['counter', 'Reads of requests by where they went, with replicas.'],
  paddock_replica_in_use: ['gauge', '1 while a replica is read, 0 while it is left out.'],
  paddock_replica_behind_seconds: ['gauge', 'Age of the newest state of the primary that a replica is known to show.'],
  paddock_deposit_guard_seconds: ['histogram', 'How long a deposit kept its customer from making another.'],
} as const
type Extra<Kind> = {
  [Name in keyof typeof EXTRAS]: (typeof EXTRAS)[Name][0] extends Kind ? Name : never
}[keyof typeof EXTRAS]

type Histogram = { counts: number[]; sum: number; count: number }

export type Metrics = ReturnType<typeof createMetrics>

export function createMetrics() {
  const requests = new Map<string, number>()
  const latency = new Map<string, Histogram>()
  const statements = new Map<string, Histogram>()
  const extras = new Map<string, Map<string, number>>()
  const extraHistograms = new Map<string, Histogram>()
  const delay = monitorEventLoopDelay({ resolution: 20 })
  delay.enable()

  return {
    request(operation: string, status: number, fault: string, seconds: number): void {
      const key = `${operation} ${status} ${fault}`
      requests.set(key, (requests.get(key) ?? 0) + 1)
      observe(latency, operation, seconds)
    },
    statement(name: string, seconds: number): void {
      observe(statements, name, seconds)
    },
    /** `labels` as Prometheus writes them, without braces; empty for none. */
    count(name: Extra<'counter'>, labels: string, by = 1): void {
      const values = valuesOf(extras, name)
      values.set(labels, (values.get(labels) ?? 0) + by)
    },
    gauge(name: Extra<'gauge'>, labels: string, value: number): void {
      valuesOf(extras, name).set(labels, value)
    },
    observe(name: Extra<'histogram'>, seconds: number): void {
      observe(extraHistograms, name, seconds)
    },
    render(): string {
      const lines = [
        '# HELP paddock_requests_total Requests by operation, status and fault code.',
        '# TYPE paddock_requests_total counter',
      ]
      for (const [key, count] of requests) {
        const [operation, status, fault] = key.split(' ')
        lines.push(`paddock_requests_total{operation="${operation}",status="${status}",fault="${fault}"} ${count}`)
      }
      renderHistograms(lines, 'paddock_request_seconds', 'Time from request to answer.', 'operation', latency)
      renderHistograms(lines, 'paddock_statement_seconds', 'Time of database statements.', 'statement', statements)
      renderExtras(lines, extras, extraHistograms)
      renderProcess(lines, delay)
      return `${lines.join('\n')}\n`
    },
    close(): void {
      delay.disable()
    },
  }
}

function renderProcess(lines: string[], delay: ReturnType<typeof monitorEventLoopDelay>): void {
  lines.push('# HELP paddock_event_loop_delay_seconds Delay of the event loop since the last reading.')
  lines.push('# TYPE paddock_event_loop_delay_seconds gauge')
  for (const percentile of [50, 99]) {
    lines.push(`paddock_event_loop_delay_seconds{quantile="0.${percentile}"} ${delay.percentile(percentile) / 1e9}`)
  }
  delay.reset()
  lines.push(
    '# HELP process_resident_memory_bytes Memory of the process.',
    '# TYPE process_resident_memory_bytes gauge',
  )
  lines.push(`process_resident_memory_bytes ${process.memoryUsage.rss()}`)
}

function valuesOf(extras: Map<string, Map<string, number>>, name: string): Map<string, number> {
  const values = extras.get(name) ?? new Map<string, number>()
  extras.set(name, values)
  return values
}

function renderExtras(
  lines: string[],
  extras: Map<string, Map<string, number>>,
  histograms: Map<string, Histogram>,
): void {
  for (const [name, [kind, help]] of Object.entries(EXTRAS)) {
    const histogram = histograms.get(name)
    if (histogram !== undefined) renderHistograms(lines, name, help, 'part', new Map([['deposit', histogram]]))
    const values = extras.get(name)
    if (values === undefined) continue
    lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${kind}`)
    for (const [labels, value] of values) lines.push(`${name}${labels === '' ? '' : `{${labels}}`} ${value}`)
  }
}

function observe(histograms: Map<string, Histogram>, name: string, seconds: number): void {
  let histogram = histograms.get(name)
  if (!histogram) {
    histogram = { counts: new Array(BUCKETS.length + 1).fill(0), sum: 0, count: 0 }
    histograms.set(name, histogram)
  }
  let bucket = 0
  while (bucket < BUCKETS.length && seconds > (BUCKETS[bucket] as number)) bucket++
  histogram.counts[bucket] = (histogram.counts[bucket] as number) + 1
  histogram.sum += seconds
  histogram.count++
}

function renderHistograms(
  lines: string[],
  metric: string,
  help: string,
  label: string,
  histograms: Map<string, Histogram>,
): void {
  lines.push(`# HELP ${metric} ${help}`, `# TYPE ${metric} histogram`)
  for (const [name, { counts, sum, count }] of histograms) {
    let cumulative = 0
    for (const [index, bound] of BUCKETS.entries()) {
      cumulative += counts[index] as number
      lines.push(`${metric}_bucket{${label}="${name}",le="${bound}"} ${cumulative}`)
    }
    lines.push(`${metric}_bucket{${label}="${name}",le="+Inf"} ${count}`)
    lines.push(`${metric}_sum{${label}="${name}"} ${sum}`, `${metric}_count{${label}="${name}"} ${count}`)
  }
}
