// What `paddock --help` and `paddock COMMAND --help` print, and which arguments each command takes.

import { parseArgs } from 'node:util'
import { ROLES } from '../platform/config/roles.ts'
import { CHECKS } from './backup-checks.ts'
import { type Options, UsageError } from './command.ts'

type Usage = {
  readonly arguments: string
  /** Lines of at most 100 characters. */
  readonly purpose: readonly string[]
  /** How many positional arguments, at least and at most. */
  readonly positionals: readonly [number, number]
  /** Names; each has a value. */
  readonly options?: readonly string[]
  /** Names of options without a value. */
  readonly flags?: readonly string[]
}

const COMMANDS = {
  serve: { arguments: '', purpose: ['run the service (the default)'], positionals: [0, 0] },
  migrate: { arguments: '', purpose: ["migrate the database's schema to this version"], positionals: [0, 0] },
  upgrade: {
    arguments: '--check [--json]',
    purpose: [
      'say which migrations a start of this version runs on the database, what each locks and how long it takes,',
      'whether older processes may go on, and which settings are gone; changes nothing. Exit code 0: nothing to',
      'do, or it would work, 1: it has problems, 2: wrong usage',
    ],
    positionals: [0, 0],
    flags: ['check', 'json'],
  },
  doctor: {
    arguments: '[--json]',
    purpose: [
      'check whether a service with these settings can run here: settings, files, disk, memory, database, pictures,',
      'certificates, the public address, the gateway and clocks; changes nothing; exit code 0: all is good,',
      '1: a warning, 2: something is critical',
    ],
    positionals: [0, 0],
    flags: ['json'],
  },
  token: {
    arguments: 'NAME ROLE [--owner WHO] [--days DAYS]',
    purpose: [
      `create an operator token and print it; ROLE is one of ${ROLES.join(', ')};`,
      'NAME and WHO have 1 to 100 characters; without --days it is valid until it is revoked',
    ],
    positionals: [2, 2],
    options: ['owner', 'days'],
  },
  seed: { arguments: '', purpose: ["fill an empty database with the sandbox's data"], positionals: [0, 0] },
  feed: {
    arguments: 'FILE',
    purpose: ['send a file of newline-delimited JSON to the running service'],
    positionals: [1, 1],
  },
  reconcile: {
    arguments: 'FILE [GATEWAY]',
    purpose: [
      'compare a settlement report with the deposits and withdrawals of its gateway (that of the settings unless',
      'named); for the sandbox, what its gateway answers at /payments or /payouts;',
      'exit code 0: no breaks, 1: breaks, 2: the report could not be compared',
    ],
    positionals: [1, 2],
  },
  backup: {
    arguments: '[FOLDER]',
    purpose: [
      'copy database, pictures and what else is needed to a new folder, also while the service runs, and check the',
      'copy; into a folder that is there, under a name with the time; without FOLDER into DATA_DIR/backups. PostgreSQL',
      'needs its client programs. Exit code 1: no backup was written, or it has the problems that are printed',
    ],
    positionals: [0, 1],
  },
  restore: {
    arguments: 'FOLDER [--replace] [--without CHECKS]',
    purpose: [
      'bring back such a backup, if it passes all checks; stop the service first. --replace: in place of a database',
      'that is there, which is kept under another name. CHECKS, for a backup that does not pass them: some of',
      CHECKS.join(','),
    ],
    positionals: [1, 1],
    options: ['without'],
    flags: ['replace'],
  },
  'verify-audit': {
    arguments: '[ID:HASH]',
    purpose: [
      'check that no entry of the audit trail was changed, removed or inserted, and that entry ID still has',
      'the HASH that an earlier check printed; exit code 0: unchanged, 1: changed, 2: could not be checked',
    ],
    positionals: [0, 1],
  },
  'verify-log': {
    arguments: 'URL [--profile ID] [--state FILE]',
    purpose: [
      'verify the log of tips of the service at URL: its signature, that every tip is as it was logged, that no',
      "profile's tips were left out, and that it begins with what was seen before (in FILE); with --profile also",
      'print the record that follows from it; exit code 0: intact, 1: not, 2: could not be checked',
    ],
    positionals: [1, 1],
    options: ['profile', 'state'],
  },
  gateway: {
    arguments: '',
    purpose: ['run the sandbox gateway as a process of its own, for SANDBOX_GATEWAY_URL'],
    positionals: [0, 0],
  },
} satisfies Record<string, Usage>

export type CommandName = keyof typeof COMMANDS

export const COMMAND_NAMES = Object.keys(COMMANDS) as CommandName[]

export function isCommandName(name: string): name is CommandName {
  return Object.hasOwn(COMMANDS, name)
}

const SETTINGS =
  'Settings come from the environment and from a file .env in the current folder; .env.example lists them all.'
const VERSION = '`paddock --version` prints the version.'
const COLUMN = 20

/** All commands; `paddock COMMAND --help` prints one. */
export function usageOfAll(): string {
  return `Usage: paddock [command]\n\n${Object.entries(COMMANDS)
    .map(([name, usage]) => entry(name, usage))
    .join('\n')}\n\n${SETTINGS}\n${VERSION}`
}

function entry(name: string, usage: Usage): string {
  const [first = '', ...others] = usage.purpose
  const call = `  ${name} ${usage.arguments}`.trimEnd()
  const indent = ' '.repeat(COLUMN)
  const lines = call.length < COLUMN ? [call.padEnd(COLUMN) + first] : [call, indent + first]
  return [...lines, ...others.map((line) => indent + line)].join('\n')
}

export function usageOf(name: CommandName): string {
  const usage: Usage = COMMANDS[name]
  const call = `Usage: paddock ${name} ${usage.arguments}`.trimEnd()
  return `${call}\n\n${usage.purpose.map((line) => `  ${line}`).join('\n')}\n\n${SETTINGS}`
}

/** Throws UsageError for unknown options, and for too few or too many arguments. */
export function readArguments(name: CommandName, commandLine: readonly string[]): [string[], Options] {
  const { positionals: allowed, options = [], flags = [] }: Usage = COMMANDS[name]
  const { positionals, values } = parsed(commandLine, options, flags)
  const [least, most] = allowed
  if (positionals.length < least) throw new UsageError('An argument is missing.')
  if (positionals.length > most) throw new UsageError(`Unexpected argument '${positionals[most]}'.`)
  const given = Object.entries(values).map(([option, value]) => [option, value === true ? '' : value])
  return [positionals, Object.fromEntries(given) as Options]
}

function parsed(commandLine: readonly string[], names: readonly string[], flags: readonly string[]) {
  const options = Object.fromEntries([
    ...names.map((name) => [name, { type: 'string' }] as const),
    ...flags.map((name) => [name, { type: 'boolean' }] as const),
  ])
  try {
    return parseArgs({ args: [...commandLine], options, allowPositionals: true })
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}
