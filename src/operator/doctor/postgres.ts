import type { Config } from '../../platform/config/config.ts'
import type { AppliedMigration } from '../../platform/database/migration-store.ts'
import {
  inspectPostgres,
  type Position,
  type PostgresFacts,
  replicaPosition,
} from '../../platform/database/postgres/inspection-store.ts'
import { wordsOf } from '../../platform/runtime/error-words.ts'
import type { Check } from '../health/checks.ts'
import { clockCheck } from './clock.ts'
import { type Examined, part, sizeText } from './probe.ts'

const database = part('database', 'Database')
const rights = part('rights', 'Rights in the database')
const connections = part('connections', 'Connections')

/** Supported, and tested: docs/capacity.md. */
const [OLDEST, NEWEST] = [15, 18]
/** Connections of one process: shared ones, those of transactions, and that of the check of writes. */
const POOL = 14

type SchemaCheck = (engine: 'postgres', applied: readonly AppliedMigration[] | null) => Check

export async function postgresChecks(
  { config, now }: Examined,
  url: string,
  schemaCheck: SchemaCheck,
): Promise<Check[]> {
  let facts: PostgresFacts
  try {
    facts = await inspectPostgres(url, now)
  } catch (error) {
    // No message of the server or of the connection has the password.
    const advice = 'Check that it runs, and that DATABASE_URL has its host, user and password.'
    return [database.critical(`It does not answer: ${wordsOf(error)}.`, advice)]
  }
  return [
    versionCheck(facts),
    ...(facts.applied === undefined ? [] : [schemaCheck('postgres', facts.applied)]),
    ...(facts.server.standby ? [] : [rightsCheck(facts)]),
    connectionsCheck(facts, config),
    clockCheck('the database', facts.ahead),
    ...(await Promise.all(config.replicas.urls.map((one, index) => replicaCheck(config, one, index, facts.position)))),
  ]
}

function versionCheck({ server }: PostgresFacts): Check {
  const version = Math.floor(server.version / 10_000)
  const detail = `PostgreSQL ${version}, ${sizeText(server.size)}.`
  if (server.standby) return database.critical(`${detail} It is a standby.`, 'Point DATABASE_URL at the primary.')
  if (server.read_only) {
    return database.critical(`${detail} It takes no writes.`, 'Set default_transaction_read_only = off for this role.')
  }
  if (version < OLDEST) return database.critical(detail, `Upgrade it: ${OLDEST} to ${NEWEST} are supported.`)
  if (version > NEWEST) return database.warning(detail, `This version was tested with ${OLDEST} to ${NEWEST}.`)
  return database.good(detail)
}

function rightsCheck({ server, tables, applied }: PostgresFacts): Check {
  if (tables.closed > 0) {
    const advice = 'Make the role of DATABASE_URL their owner, or grant it select, insert, update and delete.'
    return rights.critical(`The role may not read and write ${tables.closed} of the tables.`, advice)
  }
  if (!server.may_create) {
    const detail = `The role may not create tables in the schema ${server.schema ?? 'that search_path names'}, as migrations do.`
    const advice = 'grant create, usage on schema public to the role of DATABASE_URL'
    return applied === null ? rights.critical(detail, advice) : rights.warning(detail, advice)
  }
  if (tables.of_others > 0) {
    const advice = 'Make the role of DATABASE_URL their owner: migrations change tables.'
    return rights.warning(`${tables.of_others} of the tables belong to another role.`, advice)
  }
  return rights.good('The role may read, write and migrate. It need not be a superuser.')
}

function connectionsCheck({ server }: PostgresFacts, { workers }: Config): Check {
  const needed = POOL * (workers === 1 ? 1 : workers + 1)
  const allowed = server.role_limit === -1 ? server.connections : Math.min(server.connections, server.role_limit)
  const left = allowed - server.used_by_others
  const detail = `The service takes up to ${needed}; ${Math.max(0, left)} of ${allowed} are left to it.`
  if (left >= needed) return connections.good(detail)
  const advice = 'Raise max_connections or the limit of the role, start fewer WORKERS, or close what others hold.'
  return left < POOL ? connections.critical(detail, advice) : connections.warning(detail, advice)
}

async function replicaCheck(config: Config, url: string, index: number, primary: Position | null): Promise<Check> {
  const { good, warning } = part('replica', `Replica ${index + 1}`)
  const advice = 'Its reads go to the primary. Check that it runs and follows the primary (docs/capacity.md).'
  try {
    const found = await replicaPosition(url)
    if (!found.standby) return warning('It is no standby.', advice)
    if (primary !== null && found.identity !== primary.identity) return warning('It follows another database.', advice)
    const isBehind = primary !== null && found.position < primary.position
    const behind = isBehind ? Math.round(found.replayed_ago ?? 0) : 0
    if (behind > config.replicas.maxLagMs) return warning(`It is ${behind} ms behind the primary.`, advice)
    return good(isBehind ? `It is ${behind} ms behind the primary.` : 'It has all that the primary wrote.')
  } catch (error) {
    return warning(`It does not answer: ${wordsOf(error)}.`, advice)
  }
}
