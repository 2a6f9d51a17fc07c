import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Config } from '../config.ts'
import { openPostgres } from '../database/postgres.ts'
import { openSqlite } from '../database/sqlite.ts'
import { reconcile } from '../wallets/reconcile.ts'

/** `paddock reconcile FILE`: prints the breaks. Answers the exit code: 0 none, 1 some. */
export async function runReconcile(config: Config, file: string, print: (line: string) => void): Promise<0 | 1> {
  const database =
    config.databaseUrl === null
      ? openSqlite(join(config.dataFolder, 'paddock.db'))
      : openPostgres({ url: config.databaseUrl })
  const stream = createReadStream(file)
  try {
    const { settled, breaks } = await reconcile(database, createInterface({ input: stream, crlfDelay: Infinity }))
    for (const one of breaks) print(one)
    print(`${settled} settled payments, ${breaks.length} breaks`)
    return breaks.length === 0 ? 0 : 1
  } finally {
    stream.destroy()
    await database.close()
  }
}
