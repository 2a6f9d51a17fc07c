// Quantiles from the buckets of histograms: straight lines between the bounds, as Prometheus reads them.

import { BUCKETS, type Histogram, type MetricSnapshot } from '../../platform/observability/metric-snapshot.ts'

/** Probes, scrapes and unknown paths. */
const NO_OPERATIONS = new Set(['none', 'health', 'metrics'])
const MAX_SHOWN = 20

/** The slowest first, by their 95th percentile. */
export function slowestOperations({ latency }: Pick<MetricSnapshot, 'latency'>) {
  return Object.entries(latency)
    .filter(([name, { count }]) => !NO_OPERATIONS.has(name) && count > 0)
    .map(([name, histogram]) => ({
      name,
      count: histogram.count,
      p50Ms: quantileMs(histogram, 0.5),
      p95Ms: quantileMs(histogram, 0.95),
      p99Ms: quantileMs(histogram, 0.99),
    }))
    .sort((one, other) => other.p95Ms - one.p95Ms || other.count - one.count)
    .slice(0, MAX_SHOWN)
}

/** Above the last bound nothing is known but the bound. */
export function quantileMs({ counts, count }: Histogram, quantile: number): number {
  const rank = quantile * count
  let before = 0
  for (const [index, bound] of BUCKETS.entries()) {
    const inBucket = counts[index] as number
    if (before + inBucket >= rank && inBucket > 0) {
      const lower = index === 0 ? 0 : (BUCKETS[index - 1] as number)
      return rounded((lower + (bound - lower) * ((rank - before) / inBucket)) * 1000)
    }
    before += inBucket
  }
  return rounded((BUCKETS.at(-1) as number) * 1000)
}

function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 100) / 100
}
