import { type NoParameters, reading } from '../database.ts'
import { CURRENT_TIMELINE } from '../postgres/heartbeat-store.ts'

export type ServerPosition = {
  /** It replays what another server writes. */
  standby: boolean
  /** In bytes from the beginning of the log; fits a double for 9 petabytes. */
  position: number
  /** The timeline of the primary; of a replica, that of the primary whose heartbeat it has replayed last. */
  timeline: number
  /** Which database of which cluster; a replica has those of its primary. */
  identity: string
}

/**
 * An acknowledged commit is flushed, and so contained in the flush position. Only with synchronous_commit off it may still
 * be in a buffer; then the insert position contains it (which is otherwise too far ahead: it includes what nobody has
 * committed, and replicas may receive that seconds later). It runs only on PostgreSQL.
 */
export const serverPosition = reading<NoParameters, ServerPosition>('serverPosition')`
  select pg_is_in_recovery() as standby,
    pg_wal_lsn_diff(
      case when pg_is_in_recovery() then pg_last_wal_replay_lsn()
        when current_setting('synchronous_commit') = 'off' then pg_current_wal_insert_lsn()
        else pg_current_wal_flush_lsn() end, '0/0') as position,
    case when pg_is_in_recovery() then (select timeline from heartbeat) else ${CURRENT_TIMELINE} end as timeline,
    (select system_identifier from pg_control_system()) || ' ' || current_database() as identity`
