import { openDataFolder } from '../data-folder.ts'
import { migrate } from '../database/migrate.ts'
import { ROLES, type Role } from '../operator/operation.ts'
import { insertToken } from '../operator/store.ts'
import { hashOf, randomSecret } from '../secrets.ts'
import { openDatabase } from '../service.ts'
import { type Command, UsageProblem } from './command.ts'

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

export const makeToken: Command = async (config, [name = '', role = '']) => {
  if (name === '' || !ROLES.includes(role as Role)) {
    throw new UsageProblem(`Usage: paddock token NAME ROLE\n\nROLE is one of ${ROLES.join(', ')}.`)
  }
  const database = openDatabase(config)
  try {
    const token = randomSecret()
    await database.run(insertToken, [name, role, hashOf(token), Date.now()])
    return token
  } finally {
    await database.close()
  }
}
