import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { openDatabase } from '../service.ts'
import { reconcile } from '../wallets/reconcile.ts'
import { type Command, CommandError } from './command.ts'

const SOME_BREAKS = 1
const NOT_COMPARED = 2

/** `paddock reconcile FILE`: prints the breaks; the exit code tells a scheduler whether there are any. */
export const reconcileReport: Command = async (config, [file]) => {
  if (file === undefined) throw new CommandError('Usage: paddock reconcile FILE', { exitCode: NOT_COMPARED })
  const database = openDatabase(config)
  const stream = createReadStream(file)
  try {
    const { settled, breaks } = await reconcile(database, createInterface({ input: stream, crlfDelay: Infinity }))
    const report = [...breaks, `${settled} settled payments, ${breaks.length} breaks`].join('\n')
    return { text: report, exitCode: breaks.length > 0 ? SOME_BREAKS : 0 }
  } catch (error) {
    throw new CommandError(`${file} could not be compared: ${(error as Error).message}`, { exitCode: NOT_COMPARED })
  } finally {
    stream.destroy()
    await database.close()
  }
}
