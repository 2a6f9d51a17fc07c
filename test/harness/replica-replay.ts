// Holds back what a replica shows, so that a test can see whether a read went to it or to the primary.

import { vi } from 'vitest'
import { runSql, type TestPostgres } from './postgres.ts'

export const POLL = { timeout: 60_000, interval: 10 }

/** The replica shows nothing new until `work` is done. */
export async function withReplayPaused({ url }: TestPostgres, work: () => Promise<void>): Promise<void> {
  await runSql(url, 'select pg_wal_replay_pause()')
  await untilTrue(url, `pg_get_wal_replay_pause_state() = 'paused'`)
  await work().finally(() => runSql(url, 'select pg_wal_replay_resume()'))
}

/** The replica shows everything later by this time. */
export async function withReplayDelayed({ url }: TestPostgres, by: string, work: () => Promise<void>): Promise<void> {
  await runSql(url, `alter system set recovery_min_apply_delay = '${by}'`)
  await runSql(url, 'select pg_reload_conf()')
  await untilTrue(url, `current_setting('recovery_min_apply_delay') = '${by}'`)
  await work().finally(async () => {
    await runSql(url, 'alter system reset recovery_min_apply_delay')
    await runSql(url, 'select pg_reload_conf()')
  })
}

function untilTrue(url: string, condition: string): Promise<void> {
  return vi.waitFor(() => runSql(url, `select 1 / (case when ${condition} then 1 else 0 end)`), POLL)
}
