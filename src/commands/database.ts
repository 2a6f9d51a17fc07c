import { requestTrail } from '../audit/trail.ts'
import { COMMAND_LINE } from '../identity/operators/operator.ts'
import { createToken } from '../identity/operators/tokens.ts'
import { ROLES, type Role } from '../platform/config/roles.ts'
import { beforeMigrations, openDatabase } from '../platform/configured-database.ts'
import { whileOpen } from '../platform/database/database.ts'
import { migrate } from '../platform/database/migrate.ts'
import { openDataFolder } from '../platform/runtime/data-folder.ts'
import { DAY_MS } from '../platform/runtime/durations.ts'
import { type Command, CommandError, type Options, UsageError } from './command.ts'
import { endProgress, showProgress } from './progress.ts'

export const migrateDatabase: Command = async (config) => {
  openDataFolder(config.dataFolder)
  const applied = await whileOpen(openDatabase(config), (database) =>
    migrate(database, Date.now(), beforeMigrations(config, Date.now(), showProgress())),
  )
  endProgress()
  return applied.length === 0 ? 'The schema is up to date.' : `Applied ${applied.join(', ')}.`
}

export const createOperatorToken: Command = async (config, [givenName = '', givenRole = ''], options) => {
  const { name, role, owner, days } = readToken(givenName, givenRole, options)
  return whileOpen(openDatabase(config), async (database) => {
    const now = Date.now()
    const expiresAt = days === null ? null : now + days * DAY_MS
    const entry = { action: 'createToken', subject: '', detail: { body: { name, role, owner, days } } }
    const trail = requestTrail({ database, now: Date.now }, { operator: COMMAND_LINE, address: '' }, entry)
    const created = await createToken(
      trail.audited(),
      { name, role, owner, expiresAt, by: COMMAND_LINE },
      now,
      trail.note,
    )
    if (created === 'taken')
      throw new CommandError(`The name "${name}" is taken: choose another, or revoke that token first.`)
    return created.token
  })
}

const IS_NAME = /^[^\p{Cc}\p{Cs}]{1,100}$/u

function readToken(name: string, role: string, { owner, days }: Options) {
  if (!IS_NAME.test(name)) throw new UsageError('NAME has 1 to 100 characters')
  if (!ROLES.includes(role as Role)) throw new UsageError(`ROLE is one of ${ROLES.join(', ')}`)
  if (owner !== undefined && !IS_NAME.test(owner)) throw new UsageError('WHO has 1 to 100 characters')
  if (days !== undefined && !/^[1-9][0-9]{0,4}$/.test(days)) throw new UsageError('DAYS is a number from 1 to 99999')
  return { name, role: role as Role, owner: owner ?? null, days: days === undefined ? null : Number(days) }
}
