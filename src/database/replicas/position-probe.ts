// Where servers stand in the write-ahead log, and what that says of a replica.
//
// The primary is asked for its position again and again, and the time of each question is kept. Whatever was committed
// before a question was sent is contained in its answer. So a replica that has replayed up to that answer shows all
// that was committed before that time: one number of this process's own clock says how fresh a replica is, and no
// write needs to know its own position.

import { DatabaseUnavailable, type NoParameters, reading } from '../database.ts'
import { openSeverablePostgres } from '../postgres/severable-postgres.ts'

/** A server that does not answer such a small question in this time is taken for lost. */
const ANSWERS_WITHIN_MS = 500

export type ServerPosition = {
  /** It replays what another server writes. */
  standby: boolean
  /** In bytes from the beginning of the log; fits a double for 9 petabytes. */
  position: number
  /** Which database of which cluster; a replica has those of its primary. */
  identity: string
}

/**
 * What is acknowledged is flushed, and so contained in the flush position; only with synchronous_commit off it may not
 * have left the buffers, and the insert position is the one that contains it (which otherwise would be too far: it
 * counts what nobody has committed, and replicas may get that many seconds later).
 * Not exported, as SQLite cannot explain it. It reads no table.
 */
const whereabouts = reading<NoParameters, ServerPosition>(
  'whereabouts',
  `select pg_is_in_recovery() as standby,
     pg_wal_lsn_diff(
       case when pg_is_in_recovery() then pg_last_wal_replay_lsn()
         when current_setting('synchronous_commit') = 'off' then pg_current_wal_insert_lsn()
         else pg_current_wal_flush_lsn() end, '0/0') as position,
     (select system_identifier from pg_control_system()) || ' ' || current_database() as identity`,
)

export type PositionProbe = ReturnType<typeof openPositionProbe>

/** Asks one server where it stands, on a connection of its own: behind slow statements the answer would come late. */
export function openPositionProbe(url: string) {
  const {
    database,
    sever: cut,
    close,
  } = openSeverablePostgres({ url, sharedConnections: 1, connectTimeoutMs: ANSWERS_WITHIN_MS })
  return {
    async ask(): Promise<ServerPosition> {
      let waiting = true
      let late = false
      const giveUp = (): void => {
        if (!waiting) return
        late = true
        cut()
      }
      // Where this process itself was held up, the answer may have arrived meanwhile: it is looked at first.
      const timer = setTimeout(() => setImmediate(giveUp), ANSWERS_WITHIN_MS)
      try {
        return (await database.one(whereabouts, {})) as ServerPosition
      } catch (error) {
        throw late ? new DatabaseUnavailable(`it did not answer within ${ANSWERS_WITHIN_MS} ms`) : error
      } finally {
        waiting = false
        clearTimeout(timer)
      }
    },
    close,
  }
}

export type PrimaryPositions = ReturnType<typeof primaryPositions>

/** Times are of performance.now(), which no clock setting moves. */
export function primaryPositions(url: string, keptMs: number) {
  const lookout = openPositionProbe(url)
  const asked: { at: number; position: number }[] = []
  let identity: string | undefined
  let trouble: string | null = null

  return {
    async ask(): Promise<void> {
      const at = performance.now()
      try {
        const said = await lookout.ask()
        trouble = said.standby ? 'it is a replica itself' : null
        if (said.standby) return
        identity = said.identity
        asked.push({ at, position: said.position })
        while ((asked[0]?.at ?? at) < at - keptMs) asked.shift()
      } catch (error) {
        trouble = (error as Error).message
      }
    },
    identity: () => identity,
    /** Why the primary does not say where it stands; null while it does. */
    trouble: () => trouble,
    /** All that was committed before this time is contained in the position. */
    containedIn(position: number): number {
      return asked.findLast((one) => one.position <= position)?.at ?? Number.NEGATIVE_INFINITY
    },
    close: lookout.close,
  }
}
