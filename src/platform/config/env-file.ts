// Finds lines of a .env file that nobody reads: Node ignores lines that it does not understand, and the service ignores
// unknown names.

import { goneSettings } from './gone-settings.ts'
import { settings } from './settings.ts'

type EnvFileReport = {
  /** Malformed lines. */
  readonly malformed: string[]
  /** Names that are no settings: mistyped, or meant for another program that reads the file too. */
  readonly unknown: string[]
}

const QUOTES = ['"', "'", '`']

/** Shows no values: they may be secrets. */
export function checkEnvFile(text: string): EnvFileReport {
  const report: EnvFileReport = { malformed: [], unknown: [] }
  const lines = text.split(/\r?\n/)
  for (let index = 0; index < lines.length; index++) {
    const line = (lines[index] as string).trim().replace(/^export\s/, '')
    if (line === '' || line.startsWith('#')) continue
    const [name = '', ...values] = line.split('=').map((part) => part.trim())
    const place = `.env, line ${index + 1}`
    if (values.length === 0 || !/^\w+$/.test(name)) {
      report.malformed.push(`${place}: write NAME=value, or # at the beginning of a comment`)
      continue
    }
    if (!Object.hasOwn(settings, name)) report.unknown.push(`${place}: there is no setting ${name}${advice(name)}`)
    const quote = QUOTES.find((one) => values[0]?.startsWith(one))
    if (quote === undefined) continue
    const end = lines.findIndex(
      (one, at) => at >= index && closes(at === index ? values.join('=').slice(1) : one, quote),
    )
    if (end === -1) report.malformed.push(`${place}: the value of ${name} has no closing ${quote}`)
    else index = end
  }
  return report
}

/** The beginnings of names that no other program has. */
const OWN = /^(ADYEN|INTROSPECTION|OIDC|OPERATOR|SANDBOX|S3|WEBHOOK)_/

/** The environment has the settings of many programs: only names that are nearly ours are reported. */
export function unknownIn(environment: Readonly<Record<string, unknown>>): string[] {
  const names = Object.keys(environment).filter(
    (name) => !Object.hasOwn(settings, name) && /^[A-Z0-9]+_\w+$/.test(name),
  )
  return names.flatMap((name) => {
    if (Object.hasOwn(goneSettings, name)) return [`${name} is no longer read (${goneSettings[name]})`]
    return OWN.test(name) || advice(name) !== '' ? [`There is no setting ${name}${advice(name)}`] : []
  })
}

function closes(text: string, quote: string): boolean {
  return text.includes(quote)
}

/** The nearest setting, if it is near. */
function advice(name: string): string {
  const [nearest] = Object.keys(settings)
    .map((one) => ({ one, distance: distanceOf(one, name.toUpperCase()) }))
    .filter(({ distance }) => distance <= Math.max(2, Math.floor(name.length / 4)))
    .sort((left, right) => left.distance - right.distance)
  return nearest === undefined ? '' : `; did you mean ${nearest.one}?`
}

/** How many characters to insert, remove or replace. */
function distanceOf(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (const [index, character] of [...left].entries()) {
    const next = [index + 1]
    for (let at = 1; at <= right.length; at++) {
      const replaced = (row[at - 1] as number) + (right[at - 1] === character ? 0 : 1)
      next.push(Math.min(replaced, (row[at] as number) + 1, (next[at - 1] as number) + 1))
    }
    row = next
  }
  return row.at(-1) as number
}
