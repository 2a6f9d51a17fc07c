import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../platform/config/config.ts'
import { randomSecret } from '../../platform/runtime/secrets.ts'

/** From the settings; else created at the first start and stored in the data folder, readable by this user only. */
export function bootstrapToken(config: Config): { token: string; isNew: boolean } {
  if (config.operator.token !== null) return { token: config.operator.token, isNew: false }
  const file = join(config.dataFolder, 'operator-token')
  if (existsSync(file)) return { token: readFileSync(file, 'utf8').trim(), isNew: false }
  const token = randomSecret()
  writeFileSync(file, `${token}\n`, { mode: 0o600, flag: 'wx' })
  return { token, isNew: true }
}
