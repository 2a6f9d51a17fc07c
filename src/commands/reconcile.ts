import { createReadStream } from 'node:fs'
import { openDatabase } from '../platform/configured-database.ts'
import { reconcile } from '../wallets/books/reconcile.ts'
import { gatewayTable, isGatewayName } from '../wallets/gateways/gateways.ts'
import { type Command, CommandError } from './command.ts'

const SOME_BREAKS = 1
const NOT_COMPARED = 2

/** `paddock reconcile FILE [GATEWAY]` prints the breaks; the exit code shows a scheduler whether there are any. */
export const reconcileReport: Command = async (config, [file = '', gateway = config.wallets.gateway]) => {
  if (!isGatewayName(gateway)) {
    throw notCompared(`There is no gateway ${gateway}. Write one of ${Object.keys(gatewayTable).join(', ')}.`)
  }
  const database = openDatabase(config)
  const stream = createReadStream(file)
  try {
    const { payments, breaks } = await reconcile(database, gateway, gatewayTable[gateway].readReport(stream))
    const text = [...breaks, `${payments} payments, ${breaks.length} breaks`].join('\n')
    return { text, exitCode: breaks.length > 0 ? SOME_BREAKS : 0 }
  } catch (error) {
    throw notCompared(`${file} could not be compared: ${(error as Error).message}`)
  } finally {
    stream.destroy()
    await database.close()
  }
}

function notCompared(message: string): CommandError {
  return new CommandError(message, { exitCode: NOT_COMPARED })
}
