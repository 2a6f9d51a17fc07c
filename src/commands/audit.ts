import { checkAudit } from '../audit/chain.ts'
import { openDatabase } from '../service.ts'
import { type Command, UsageProblem } from './command.ts'

const BROKEN = 1
const NOT_CHECKED = 2

/** `paddock verify-audit [ID:HASH]`: the exit code tells a scheduler whether the trail is as it was written. */
export const verifyAudit: Command = async (config, [known]) => {
  const parts = /^(\d{1,15}):([0-9a-f]{64})$/.exec(known ?? '')
  if (known !== undefined && parts === null) {
    throw new UsageProblem('Usage: paddock verify-audit [ID:HASH] (as an earlier check printed them)', {
      exitCode: NOT_CHECKED,
    })
  }
  const database = openDatabase(config)
  try {
    const check = await checkAudit(database, parts === null ? undefined : { id: Number(parts[1]), hash: `${parts[2]}` })
    const { entries, old, last, problems } = check
    const counted = `${entries} entries${old === 0 ? '' : `, the first ${old} from before the chain began`}`
    if (problems.length > 0)
      return { text: [...problems, `${counted}: not as they were written`].join('\n'), exitCode: BROKEN }
    return `${counted}: as they were written.${last === null ? '' : ` The last is ${last.id}:${last.hash}`}`
  } catch (error) {
    throw new UsageProblem(`The audit trail could not be checked: ${(error as Error).message}`, {
      exitCode: NOT_CHECKED,
    })
  } finally {
    await database.close()
  }
}
