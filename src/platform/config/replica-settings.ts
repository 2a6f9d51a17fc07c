import type { Values } from './production-checks.ts'

/** `stale`: null without STALE_READS_UP_TO_SECONDS. */
export function replicaSettings(values: Values) {
  const urls = values.DATABASE_REPLICA_URLS ?? []
  const upToMs = 1_000 * (values.STALE_READS_UP_TO_SECONDS as number)
  const stale = { upToMs, silentMs: values.DATABASE_SILENT_MS as number, probeUrl: values.DATABASE_PROBE_URL }
  return {
    urls,
    maxLagMs: values.DATABASE_REPLICA_MAX_LAG_MS as number,
    stale: upToMs === 0 || urls.length === 0 ? null : stale,
  }
}
