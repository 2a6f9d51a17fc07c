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
  readonly name: string
  /** Costs a third less than a list of one row. SQLite, without round trips and locks to order, takes it for each row. */
  readonly one: (name: string, ifLocked: IfLocked) => Statement<Item, never>
  /** For several rows on PostgreSQL; returns the key of each row that it wrote. */
  readonly many: Statement<{ rows: string }, Pick<Item, Key>>
  readonly list: { of(rows: readonly Item[]): string }
  readonly key: readonly Key[]
}

/**
 * A write of one row, which shares its statement and commit with those that wait at the same time. `alone`: waits for locks, which a
 * batch does not. Whether a row was written is the result of `batched`; of equal rows, the first was.
 */
export function batchedRows<Item extends SqlParameters, Key extends keyof Item & string>(writes: RowWrites<Item, Key>) {
  const { name, many, list, key } = writes
  const one = writes.one(name, 'skip locked')
  const keyOf = (row: Pick<Item, Key>): string => key.map((column) => row[column]).join()
  const batched: BatchedWrite<Item, boolean> = async (database, rows) => {
    if (rows.length === 1) return [(await database.run(one, rows[0] as Item)) === 1]
    if (database.engine === 'sqlite') return database.transaction((transaction) => oneByOne(transaction, one, rows))
    const written = new Set((await database.query(many, { rows: list.of(rows) })).map(keyOf))
    return rows.map((row) => written.delete(keyOf(row)))
  }
  return { batched, one, many, alone: writes.one(`${name}Alone`, WAIT) }
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

/** `isDone`: looks why nothing was written. Not done: somebody had locked a row, or it has changed between the two statements. */
export async function writeRow<Item extends SqlParameters>(
  database: Database,
  { batched, alone }: { batched: BatchedWrite<Item, boolean>; alone: Statement<Item, never> },
  row: Item,
  isDone: () => Promise<boolean>,
): Promise<void> {
  let isWritten = await database.inBatch(batched, row)
  while (!isWritten && !(await isDone())) isWritten = (await database.run(alone, row)) === 1
}
