// What `paddock --help` and `paddock COMMAND --help` print: assets/usage.txt. Which arguments a command takes follows from how it is
// called there.

import { parseArgs } from 'node:util'
import { ROLES } from '../platform/config/roles.ts'
import { readAssetText } from '../platform/runtime/assets.ts'
import { once } from '../platform/runtime/once.ts'
import { CHECKS } from './backup-checks.ts'
import { type Options, UsageError } from './command.ts'

/** `call`: as in `feed FILE`. */
type Usage = { readonly call: string; readonly purpose: readonly string[] }

/** All commands; `paddock COMMAND --help` prints one. */
export const usageOfAll = once(() =>
  readAssetText('usage.txt').trimEnd().replace('{roles}', ROLES.join(', ')).replace('{checks}', CHECKS.join(',')),
)

const commands = once((): ReadonlyMap<string, Usage> => {
  const [, list = ''] = usageOfAll().split('\n\n')
  const entries = list.split(/\n(?= {2}\S)/).map((entry) => {
    const [call = '', ...purpose] = entry.trim().split(/ {2,}/)
    return { call: call.trim(), purpose: purpose.map((line) => line.trim()) }
  })
  return new Map(entries.map((usage) => [usage.call.split(' ')[0] as string, usage]))
})

export function commandNames(): string[] {
  return [...commands().keys()]
}

export function usageOf(name: string): string {
  const { call, purpose } = commands().get(name) as Usage
  const [, , settings = ''] = usageOfAll().split('\n\n')
  const lines = purpose.map((line) => `  ${line}`)
  return `Usage: paddock ${call}\n\n${lines.join('\n')}\n\n${settings.split('\n')[0]}`
}

/** Throws UsageError for unknown options, and for too few or too many arguments. */
export function readArguments(name: string, commandLine: readonly string[]): [string[], Options] {
  // `NAME`, `[FOLDER]`, `[--owner WHO]`, `[--json]`
  const parts = (commands().get(name) as Usage).call.match(/\[[^\]]+\]|\S+/g)?.slice(1) ?? []
  const [options, places] = [parts.filter(isOption), parts.filter((part) => !isOption(part))]
  const { positionals, values } = parsed(commandLine, options)
  if (positionals.length < places.filter((place) => !place.startsWith('[')).length)
    throw new UsageError('An argument is missing.')
  if (positionals.length > places.length) throw new UsageError(`Unexpected argument '${positionals[places.length]}'.`)
  const given = Object.entries(values).map(([option, value]) => [option, value === true ? '' : value])
  return [positionals, Object.fromEntries(given) as Options]
}

function isOption(part: string): boolean {
  return part.includes('--')
}

function parsed(commandLine: readonly string[], parts: readonly string[]) {
  const options = parts.map((part) => {
    const [name = '', value] = part.replace(/[[\]]|--/g, '').split(' ')
    return [name, { type: value === undefined ? 'boolean' : 'string' }] as const
  })
  try {
    return parseArgs({ args: [...commandLine], options: Object.fromEntries(options), allowPositionals: true })
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}
