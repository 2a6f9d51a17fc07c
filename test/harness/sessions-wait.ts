import pg from 'pg'
import type { TestDatabase } from './service.ts'

/** Until this many sessions of the test database (PostgreSQL) wait for locks of others. */
export async function sessionsWait({ settings }: TestDatabase, sessions: number): Promise<void> {
  const watcher = new pg.Client({ connectionString: settings.DATABASE_URL as string })
  await watcher.connect()
  for (let waiting = 0; waiting < sessions; ) {
    const { rows } = await watcher.query(`select count(distinct pid)::int as waiting from pg_locks l
      join pg_stat_activity a using (pid) where a.datname = current_database() and not l.granted`)
    waiting = rows[0].waiting
  }
  await watcher.end()
}
