// Lists of ids or texts as one parameter, and batches of rows (table-store.ts).

import type { BatchedWrite, Database, SqlParameters, Statement } from './database.ts'

/**
 * `where id ${inList('ids')}` takes `ids: idListOf([1, 2])`. An array in PostgreSQL, because a join might be planned for
 * an empty table, and a plan is kept while the table grows. SQLite's text is in sqlite/connection.ts.
 */
export function inList(parameter: string): string {
  return `= any (array(select cast(value as bigint) from jsonb_array_elements(:${parameter})))`
}

export function idListOf(ids: Iterable<number>): string {
  return JSON.stringify([...ids])
}

/** The same for texts. */
export function inTextList(parameter: string): string {
  return `= any (array(select cast(value ->> 0 as text) from jsonb_array_elements(:${parameter})))`
}

export function textListOf(texts: Iterable<string>): string {
  return JSON.stringify([...texts].map((text) => [text]))
}

/** What a statement does with rows that another transaction has locked. */
export type IfLocked = '' | 'skip locked'
export const WAIT: IfLocked = ''

type RowWrites<Item extends SqlParameters, Key extends keyof Item & string> = {
  /** Costs a third less than a list of one row. SQLite, without round trips and locks to order, takes it for each row. */
  one: Statement<Item, unknown>
  /** For several rows on PostgreSQL; returns the key of each row that it wrote. */
  many: Statement<{ rows: string }, Pick<Item, Key>>
  list: { of(rows: readonly Item[]): string }
  key: readonly Key[]
}

/** Whether a row was written is its result; of equal rows, the first was. */
export function batchedRows<Item extends SqlParameters, Key extends keyof Item & string>({
  one,
  many,
  list,
  key,
}: RowWrites<Item, Key>): BatchedWrite<Item, boolean> {
  const keyOf = (row: Pick<Item, Key>): string => key.map((name) => row[name]).join()
  return async (database, rows) => {
    if (rows.length === 1) return [(await database.run(one, rows[0] as Item)) === 1]
    if (database.engine === 'sqlite') return database.transaction((transaction) => oneByOne(transaction, one, rows))
    const written = new Set((await database.query(many, { rows: list.of(rows) })).map(keyOf))
    return rows.map((row) => written.delete(keyOf(row)))
  }
}

async function oneByOne<Item extends SqlParameters>(
  transaction: Database,
  statement: Statement<Item, unknown>,
  rows: readonly Item[],
): Promise<boolean[]> {
  const written: boolean[] = []
  for (const row of rows) written.push((await transaction.run(statement, row)) === 1)
  return written
}
