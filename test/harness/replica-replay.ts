// What a replica shows is held back, so that a read there can be told from one of the primary.

import { vi } from 'vitest'
import { onServer, type TestPostgres } from './postgres.ts'

export const SOON = { timeout: 60_000, interval: 10 }

/** The replica shows nothing new until `work` is done. */
export async function withReplayPaused({ url }: TestPostgres, work: () => Promise<void>): Promise<void> {
  await onServer(url, 'select pg_wal_replay_pause()')
  await untilTrue(url, `pg_get_wal_replay_pause_state() = 'paused'`)
  await work().finally(() => onServer(url, 'select pg_wal_replay_resume()'))
}

/** The replica shows everything, but so much later. */
export async function withReplayLate({ url }: TestPostgres, by: string, work: () => Promise<void>): Promise<void> {
  await onServer(url, `alter system set recovery_min_apply_delay = '${by}'`)
  await onServer(url, 'select pg_reload_conf()')
  await untilTrue(url, `current_setting('recovery_min_apply_delay') = '${by}'`)
  await work().finally(async () => {
    await onServer(url, 'alter system reset recovery_min_apply_delay')
    await onServer(url, 'select pg_reload_conf()')
  })
}

function untilTrue(url: string, condition: string): Promise<void> {
  return vi.waitFor(() => onServer(url, `select 1 / (case when ${condition} then 1 else 0 end)`), SOON)
}
