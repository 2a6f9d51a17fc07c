import { type NoParameters, reading } from '../database.ts'
import { MIGRATION_LOCK } from '../migrate.ts'

/** What one transaction sees, so that pg_dump may see the same. */
export const exportSnapshot = reading<NoParameters, { snapshot: string }>('exportSnapshot')`
  select pg_export_snapshot() as snapshot`

export const serverVersion = reading<NoParameters, { version: number }>('serverVersion')`
  select cast(current_setting('server_version_num') as integer) as version`

/** Connections of others to this database. */
export const otherConnections = reading<NoParameters, { connections: number }>('otherConnections')`
  select cast(count(*) as integer) as connections from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`

/** In one transaction with the script of the dump. A service that starts waits. */
export function setSchemaAside(name: string): string {
  return `select pg_advisory_xact_lock(${MIGRATION_LOCK}); alter schema public rename to ${name}; create schema public authorization pg_database_owner`
}

export function putSchemaBack(name: string): string {
  return `drop schema public cascade; alter schema ${name} rename to public`
}

export function dropSchema(name: string): string {
  return `drop schema ${name} cascade`
}
