// Counters and histograms of this process. Our own instead of prom-client: it cost ten times as much to record a request, and
// the metrics of several workers could not be summed as plain data.

import { monitorEventLoopDelay } from 'node:perf_hooks'
import { turnTime } from '../runtime/clock.ts'
import { BUCKETS, type EXTRAS, type Histogram, type MetricSnapshot, prometheusText } from './metric-snapshot.ts'
import { minuteRing } from './minutes.ts'

type Extra<Kind extends keyof typeof EXTRAS> = keyof (typeof EXTRAS)[Kind]
type Labelled = (typeof EXTRAS)['counter'] & (typeof EXTRAS)['gauge']

/** Labels as Prometheus writes them, without braces; empty for none. */
type LabelsOf<Name extends keyof Labelled> = Labelled[Name] extends readonly [unknown, infer Names]
  ? Written<Names>
  : ''
type Written<Names> = Names extends `${infer First},${infer Rest}`
  ? `${First}="${string}",${Written<Rest>}`
  : `${Names & string}="${string}"`

export type Metrics = ReturnType<typeof createMetrics>

export function createMetrics(now = turnTime) {
  /** Operation → status, or status and fault → how many. A number as key needs no allocation. */
  const requests = new Map<string, Map<number | string, number>>()
  const latency = new Map<string, Histogram>()
  const statements = new Map<string, Histogram>()
  const extras = new Map<string, Map<string, number>>()
  const extraHistograms = new Map<string, Histogram>()
  const minutes = minuteRing(now)
  const delay = monitorEventLoopDelay({ resolution: 20 })
  delay.enable()

  function peek(): MetricSnapshot {
    return {
      requests: outcomesOf(requests),
      latency: Object.fromEntries(latency),
      statements: Object.fromEntries(statements),
      extras: Object.fromEntries([...extras].map(([name, values]) => [name, Object.fromEntries(values)])),
      extraHistograms: Object.fromEntries(extraHistograms),
      eventLoopDelay: { '0.50': delay.percentile(50) / 1e9, '0.99': delay.percentile(99) / 1e9 },
      memoryBytes: process.memoryUsage.rss(),
      minutes: minutes.read(),
    }
  }

  function read(): MetricSnapshot {
    const snapshot = peek()
    delay.reset()
    return snapshot
  }

  return {
    request(operation: string, status: number, fault: string, seconds: number): void {
      add(valuesOf<number | string>(requests, operation), fault === '' ? status : `${status} ${fault}`, 1)
      observe(latency, operation, seconds)
    },
    /** A request of the public API has been answered. */
    answered: minutes.count,
    statement(name: string, seconds: number): void {
      observe(statements, name, seconds)
    },
    count<Name extends Extra<'counter'>>(name: Name, labels: LabelsOf<Name>, by = 1): void {
      add(valuesOf(extras, name), labels, by)
    },
    gauge<Name extends Extra<'gauge'>>(name: Name, labels: LabelsOf<Name>, value: number): void {
      valuesOf(extras, name).set(labels, value)
    },
    observe(name: Extra<'histogram'>, seconds: number): void {
      observe(extraHistograms, name, seconds)
    },
    /** For the scraper: the delay of the event loop is measured anew from here on. */
    read,
    /** For everybody else. */
    peek,
    render: (): string => prometheusText(read()),
    close(): void {
      delay.disable()
    },
  }
}

function outcomesOf(requests: Map<string, Map<number | string, number>>): MetricSnapshot['requests'] {
  return Object.fromEntries(
    [...requests].flatMap(([operation, outcomes]) =>
      [...outcomes].map(([outcome, times]) => [
        `${operation} ${outcome}${typeof outcome === 'number' ? ' ' : ''}`,
        times,
      ]),
    ),
  )
}

function add<K>(values: Map<K, number>, key: K, by: number): void {
  values.set(key, (values.get(key) ?? 0) + by)
}

function valuesOf<K>(all: Map<string, Map<K, number>>, name: string): Map<K, number> {
  const known = all.get(name)
  if (known !== undefined) return known
  const values = new Map<K, number>()
  all.set(name, values)
  return values
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
