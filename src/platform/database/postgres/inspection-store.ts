// Queries that find out whether a PostgreSQL server suits the service. They only read.

import pg from 'pg'
import { serversOf } from '../../runtime/postgres-url.ts'
import { type AppliedMigration, appliedMigrations } from '../migration-store.ts'

const CONNECT_MS = 3_000
const STATEMENT_MS = 5_000

const SERVER = `select current_setting('server_version_num')::integer as version,
    pg_is_in_recovery() as standby,
    current_setting('transaction_read_only') = 'on' as read_only,
    to_regclass('migration') is not null as is_migrated,
    current_schema() as schema,
    coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) as may_create,
    current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer as connections,
    (select rolconnlimit from pg_roles where rolname = current_user) as role_limit,
    (select count(*)::integer from pg_stat_activity
     where datid is not null and pid <> pg_backend_pid()
       and not (datname = current_database() and application_name = 'paddock')) as used_by_others,
    pg_database_size(current_database())::double precision as size,
    (extract(epoch from clock_timestamp()) * 1000)::double precision as now`

const TABLES = `select
    count(*) filter (where not (has_table_privilege(c.oid, 'SELECT') and has_table_privilege(c.oid, 'INSERT')
      and has_table_privilege(c.oid, 'UPDATE') and has_table_privilege(c.oid, 'DELETE')))::integer as closed,
    count(*) filter (where not pg_has_role(c.relowner, 'USAGE'))::integer as of_others
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p') and n.nspname = current_schema()`

const POSITION = `select pg_is_in_recovery() as standby,
    pg_wal_lsn_diff(case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_flush_lsn() end,
      '0/0')::double precision as position,
    (extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp()) * 1000)::double precision as replayed_ago,
    (select system_identifier from pg_control_system()) || ' ' || current_database() as identity`

type Server = {
  version: number
  standby: boolean
  read_only: boolean
  is_migrated: boolean
  schema: string | null
  may_create: boolean
  /** For roles that are no superuser. */
  connections: number
  /** -1: none. */
  role_limit: number
  used_by_others: number
  size: number
  now: number
}

export type Position = { standby: boolean; position: number; replayed_ago: number | null; identity: string }

export type PostgresFacts = {
  readonly server: Server
  /** In milliseconds: how far the server's clock is ahead of ours. */
  readonly ahead: number
  /** Tables that the role may not read and write, and that belong to a role of which it is no member. */
  readonly tables: { readonly closed: number; readonly of_others: number }
  /** null: there is no schema yet. undefined: the role may not read it. */
  readonly applied: readonly AppliedMigration[] | null | undefined
  /** null: the role may not read it. */
  readonly position: Position | null
}

export async function inspectPostgres(url: string, now: () => number): Promise<PostgresFacts> {
  return onOneConnection(url, async (client) => {
    const before = now()
    const server: Server = (await client.query(SERVER)).rows[0]
    const ahead = server.now - (before + now()) / 2
    const tables = (await client.query(TABLES)).rows[0]
    const applied = server.is_migrated && tables.closed === 0 ? (await client.query(appliedMigrations.sql)).rows : null
    const position = await positionOf(client).catch(() => null)
    return { server, ahead, tables, applied: tables.closed === 0 ? applied : undefined, position }
  })
}

export function replicaPosition(url: string): Promise<Position> {
  return onOneConnection(url, positionOf)
}

async function positionOf(client: pg.Client): Promise<Position> {
  return (await client.query(POSITION)).rows[0]
}

/** To the first server of the URL that can be reached, or, where the URL demands one, that takes writes. */
async function onOneConnection<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const { urls, mustTakeWrites } = serversOf(url)
  let failure: unknown
  for (const connectionString of urls) {
    const client = new pg.Client({
      connectionString,
      application_name: 'paddock doctor',
      connectionTimeoutMillis: CONNECT_MS,
      statement_timeout: STATEMENT_MS,
      query_timeout: STATEMENT_MS + 1_000,
    })
    client.on('error', () => {})
    try {
      await client.connect()
      if (mustTakeWrites && urls.length > 1 && (await positionOf(client)).standby) throw new Error('it is a standby')
      return await work(client)
    } catch (error) {
      failure = error
    } finally {
      void client.end().catch(() => {})
    }
  }
  throw failure
}
