import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Statement } from '../../src/platform/database/database.ts'
import { engine } from '../harness/service.ts'

const POSTGRES_ONLY = [
  join('platform', 'database', 'replicas', 'position-store.ts'),
  join('platform', 'database', 'postgres', 'heartbeat-store.ts'),
  join('platform', 'database', 'postgres', 'neighbour-store.ts'),
  join('event-log', 'sequencer-store.ts'),
  join('platform', 'database', 'backup', 'postgres-store.ts'),
]

const SQLITE_ONLY = [join('search', 'fts-store.ts'), join('platform', 'database', 'sqlite', 'reference-store.ts')]

/** Not imported: they run something, or are only for the other engine. */
const ENTRIES = [
  ...(engine === 'sqlite' ? POSTGRES_ONLY : SQLITE_ONLY),
  'main.ts',
  'command-line.ts',
  join('communities', 'tip-status-thread.ts'),
]

/** Of a table by engine, only the statements of this one are imported. */
const OTHER_ENGINE = engine === 'sqlite' ? 'postgres' : 'sqlite'

type AnyStatement = Statement<never, unknown>

/** `path`: the export, and where it is a table of statements, the keys in it. */
export type FoundStatement = { file: string; path: readonly string[]; statement: AnyStatement }

/** Whatever the stores and other modules of src, or of a folder of it, export as statements. */
export async function allStatements(folder = ''): Promise<FoundStatement[]> {
  const found = await exported(isStatement, folder)
  return found.map(({ value, ...place }) => ({ ...place, statement: value }))
}

type Found<T> = { file: string; path: readonly string[]; value: T }
type Is<T> = (value: unknown) => value is T

/** All exports of a kind, alone or in a record of them. */
export async function exported<T>(is: Is<T>, folder = ''): Promise<Found<T>[]> {
  const found: Found<T>[] = []
  for (const file of filesOf(folder)) {
    const module = (await import(/* @vite-ignore */ join(root, file))) as Record<string, unknown>
    for (const one of within([], { ...module }, is)) found.push({ file, ...one })
  }
  return found
}

const root = new URL('../../src/', import.meta.url).pathname

export function filesOf(folder = ''): string[] {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => /(?<!\.d)\.ts$/.test(file))
  return files.filter((one) => one.startsWith(folder) && !ENTRIES.includes(one))
}

function within<T>(path: readonly string[], value: unknown, is: Is<T>): Omit<Found<T>, 'file'>[] {
  if (is(value)) return [{ path, value }]
  const isRecord = typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
  if (!isRecord) return []
  const entries = Object.entries(value).filter(([key]) => key !== OTHER_ENGINE)
  return entries.flatMap(([key, inner]) => within([...path, key], inner, is))
}

function isStatement(value: unknown): value is AnyStatement {
  return typeof value === 'object' && value !== null && 'sql' in value && 'name' in value && 'access' in value
}
