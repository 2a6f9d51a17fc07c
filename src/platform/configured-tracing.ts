import type { Config } from './config/config.ts'
import type { Log } from './observability/log.ts'
import type { Metrics } from './observability/metrics.ts'
import { openTracing, type Tracing } from './tracing/tracing.ts'

/** null: the settings name no collector. */
export function tracingOf(
  { tracing }: Config,
  { log, metrics }: { log: Log; metrics: Metrics },
): Promise<Tracing | null> {
  return openTracing(tracing, {
    count: (outcome, spans) => metrics.count('paddock_spans_total', `outcome="${outcome}"`, spans),
    warn: (message) => log.warn(message),
  })
}
