import { parseArgs } from 'node:util'
import { requestTrail } from '../audit/trail.ts'
import { ROLES, type Role } from '../config/roles.ts'
import { migrate } from '../database/migrate.ts'
import { COMMAND_LINE } from '../operator-access/operator.ts'
import { createToken } from '../operator-access/tokens.ts'
import { openDataFolder } from '../runtime/data-folder.ts'
import { openDatabase } from '../service.ts'
import { type Command, CommandError } from './command.ts'

export const migrateDatabase: Command = async (config) => {
  openDataFolder(config.dataFolder)
  const database = openDatabase(config)
  try {
    const applied = await migrate(database, Date.now())
    return applied.length === 0 ? 'The schema is up to date.' : `Applied ${applied.join(', ')}.`
  } finally {
    await database.close()
  }
}

const TOKEN_USAGE = `Usage: paddock token NAME ROLE [--owner WHO] [--days DAYS]

ROLE is one of ${ROLES.join(', ')}. NAME and WHO have 1 to 100 characters. Without --days the token is valid until it is revoked.`

export const createOperatorToken: Command = async (config, commandLine) => {
  const given = readTokenArguments(commandLine)
  const database = openDatabase(config)
  try {
    const { name, role, owner } = given
    const now = Date.now()
    const expiresAt = given.days === null ? null : now + given.days * DAY_MS
    const entry = { action: 'createToken', subject: '', detail: { body: { name, role, owner, days: given.days } } }
    const trail = requestTrail({ database, now: Date.now }, { operator: COMMAND_LINE, address: '' }, entry)
    const created = await createToken(trail.audited(), { name, role, owner, expiresAt }, now, trail.note)
    if (created === 'taken')
      throw new CommandError(`The name "${name}" is taken: choose another, or revoke that token first.`)
    return created.token
  } finally {
    await database.close()
  }
}

const DAY_MS = 86_400_000
const IS_NAME = /^[^\p{Cc}\p{Cs}]{1,100}$/u

function readTokenArguments(commandLine: readonly string[]) {
  const { values, positionals } = parsed(commandLine)
  const [name = '', role = ''] = positionals
  const { owner = null, days = null } = values
  const isValid =
    positionals.length === 2 &&
    IS_NAME.test(name) &&
    ROLES.includes(role as Role) &&
    (owner === null || IS_NAME.test(owner)) &&
    (days === null || /^[1-9][0-9]{0,4}$/.test(days))
  if (!isValid) throw new CommandError(TOKEN_USAGE)
  return { name, role: role as Role, owner, days: days === null ? null : Number(days) }
}

function parsed(commandLine: readonly string[]) {
  try {
    const options = { owner: { type: 'string' }, days: { type: 'string' } } as const
    return parseArgs({ args: [...commandLine], options, allowPositionals: true })
  } catch {
    throw new CommandError(TOKEN_USAGE)
  }
}
