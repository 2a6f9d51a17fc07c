import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Statement } from '../../src/platform/database/database.ts'
import { engine } from '../harness/service.ts'

const POSTGRES_ONLY = [
  join('platform', 'database', 'replicas', 'position-store.ts'),
  join('platform', 'database', 'postgres', 'heartbeat-store.ts'),
  join('event-log', 'sequencer-store.ts'),
]

const SQLITE_ONLY = [join('search', 'fts-store.ts')]

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
  const root = new URL('../../src/', import.meta.url).pathname
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => /(?<!\.d)\.ts$/.test(file))
  const found: FoundStatement[] = []
  for (const file of files.filter((one) => one.startsWith(folder) && !ENTRIES.includes(one))) {
    const module = (await import(/* @vite-ignore */ join(root, file))) as Record<string, unknown>
    found.push(...statementsIn(file, [], { ...module }))
  }
  return found
}

/** A statement, or a table of them. */
function statementsIn(file: string, path: readonly string[], value: unknown): FoundStatement[] {
  if (isStatement(value)) return [{ file, path, statement: value }]
  const isTable = typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
  if (!isTable) return []
  const entries = Object.entries(value).filter(([key]) => key !== OTHER_ENGINE)
  return entries.flatMap(([key, inner]) => statementsIn(file, [...path, key], inner))
}

function isStatement(value: unknown): value is AnyStatement {
  return typeof value === 'object' && value !== null && 'sql' in value && 'name' in value && 'access' in value
}
