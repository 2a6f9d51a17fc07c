import { existsSync, readFileSync } from 'node:fs'
import { listed, migrationsFolder } from './migration-list.ts'

type Times = { readonly seconds: number; readonly times: Readonly<Record<string, number>> }
/** Milliseconds for a million rows of the tables that a migration touches, as `npm run bench:upgrade` measured them. */
type MeasuredTimes = {
  readonly tips: number
  readonly machine: string
  readonly sqlite?: Times
  readonly postgres?: Times
}

const MILLION = 1_000_000

export function measuredTimes(): MeasuredTimes | null {
  const file = new URL('times.json', migrationsFolder)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as MeasuredTimes) : null
}

/** null: it was not measured. */
export function estimatedSeconds(
  engine: 'sqlite' | 'postgres',
  name: string,
  counts: Readonly<Record<string, number>>,
): number | null {
  const perMillion = measuredTimes()?.[engine]?.times[name]
  if (perMillion === undefined) return null
  const rows = Object.keys(listed({ name }).locks).reduce((sum, table) => sum + (counts[table] ?? 0), 0)
  return Math.ceil((perMillion * rows) / MILLION / 100) / 10
}
