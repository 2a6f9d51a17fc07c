import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import { randomSecret } from '../runtime/secrets.ts'

/** The bootstrap token: from the settings, else made at first start and kept in the data folder, readable by us alone. */
export function bootstrapToken(config: Config): { token: string; made: boolean } {
  if (config.operator.token !== null) return { token: config.operator.token, made: false }
  const file = join(config.dataFolder, 'operator-token')
  if (existsSync(file)) return { token: readFileSync(file, 'utf8').trim(), made: false }
  const token = randomSecret()
  writeFileSync(file, `${token}\n`, { mode: 0o600, flag: 'wx' })
  return { token, made: true }
}
