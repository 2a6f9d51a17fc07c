import { checkAudit } from '../audit/chain.ts'
import { openDatabase } from '../platform/configured-database.ts'
import { whileOpen } from '../platform/database/database.ts'
import { type Command, CommandError, UsageError } from './command.ts'

const CHANGED = 1
const NOT_CHECKED = 2

/** `paddock verify-audit [ID:HASH]`: the exit code shows a scheduler whether the audit trail was changed. */
export const verifyAudit: Command = async (config, [known]) => {
  const parts = /^(\d{1,15}):([0-9a-f]{64})$/.exec(known ?? '')
  if (known !== undefined && parts === null) {
    throw new UsageError(`${known} is no ID:HASH that an earlier check printed`)
  }
  try {
    const wanted = parts === null ? undefined : { id: Number(parts[1]), hash: `${parts[2]}` }
    const check = await whileOpen(openDatabase(config), (database) => checkAudit(database, wanted))
    const { entries, unchained, last, problems } = check
    const counted = `${entries} entries${unchained === 0 ? '' : `, the first ${unchained} from before the hash chain`}`
    if (problems.length > 0) {
      return { text: [...problems, `${counted}, ${problems.length} problems`].join('\n'), exitCode: CHANGED }
    }
    return `${counted}, unchanged.${last === null ? '' : ` Last entry: ${last.id}:${last.hash}`}`
  } catch (error) {
    throw new CommandError(`The audit trail could not be checked: ${(error as Error).message}`, {
      exitCode: NOT_CHECKED,
    })
  }
}
