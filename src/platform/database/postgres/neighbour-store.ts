import { reading } from '../database.ts'

/** Connections of processes that report that they lack the migration, or report nothing, as those before 0147. */
export const olderConnections = reading<{ number: number }, { connections: number }>('olderConnections')`
  select cast(count(*) as integer) as connections from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid()
    and (application_name = 'paddock'
      or (application_name like 'paddock %' and cast(substr(application_name, 9) as integer) < :number))`
