// What each migration means for a database in use: migrations/list.json, which a test compares with what the migrations do.

import { readdirSync, readFileSync } from 'node:fs'

export const migrationsFolder = new URL('../../../migrations/', import.meta.url)

/**
 * What others cannot do with a table of PostgreSQL until all migrations are done: `all`: read or write it, `writes`: write it, `rows`:
 * write the rows that are written, `read`: nothing, it is only read.
 */
export type TableLock = 'all' | 'writes' | 'rows' | 'read'

export type ListedMigration = {
  /** It changes or removes rows that were there: a backup comes first. */
  readonly data: boolean
  /** A version without it may go on running. */
  readonly neighbours: boolean
  readonly locks: Readonly<Record<string, TableLock>>
}

let list: Readonly<Record<string, ListedMigration>> | undefined

/** By the name of the migration. */
export function migrationList(): Readonly<Record<string, ListedMigration>> {
  list ??= JSON.parse(readFileSync(new URL('list.json', migrationsFolder), 'utf8')) as NonNullable<typeof list>
  return list
}

export function listed({ name }: { readonly name: string }): ListedMigration {
  const found = migrationList()[name]
  if (found === undefined) throw new Error(`migrations/list.json lacks ${name}`)
  return found
}

export function isBesideNeighbours(migration: { readonly name: string }): boolean {
  return listed(migration).neighbours
}

export function changesData(migration: { readonly name: string }): boolean {
  return listed(migration).data
}

/** The number of the last migration of this version. */
export function schemaNumber(): number {
  return Math.max(...readdirSync(migrationsFolder).map((file) => Number(/^(\d{4})-.*\.sql$/.exec(file)?.[1] ?? 0)))
}
