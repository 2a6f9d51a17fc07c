// The options of every npm script: `--help` prints the usage, and a wrong option prints why, with the usage, and exits with 2.
// Plain JavaScript for Node 20 or later, because the build runs on the system's own Node.
import { parseArgs } from 'node:util'

export class UsageError extends Error {}

/** Returns what `read` makes of the arguments. It refuses them with a UsageError, or with an error of parseArgs. */
export function readCommandLine(usage, read) {
  const args = process.argv.slice(2)
  if (args.includes('--help') || args.includes('-h')) {
    console.log(usage)
    process.exit(0)
  }
  try {
    return read(args)
  } catch (error) {
    if (!(error instanceof UsageError) && !error.code?.startsWith('ERR_PARSE_ARGS_')) throw error
    console.error(`${error.message}\n\n${usage}`)
    process.exit(2)
  }
}

/** For scripts without options. */
export function refuseArguments(usage) {
  readCommandLine(usage, (args) => parseArgs({ args, options: {} }))
}

export function positiveNumber(option, text) {
  const value = Number(text)
  if (!(value > 0 && Number.isFinite(value))) throw new UsageError(`${option} ${text}: use a number above 0`)
  return value
}

export function oneOf(option, text, choices) {
  if (!choices.includes(text)) throw new UsageError(`${option} ${text}: use ${choices.join(', ')}`)
  return text
}
