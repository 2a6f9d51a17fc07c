// Many ids or rows as one parameter: JSON text, which both engines read in SQL. Reading a row of seven columns costs
// PostgreSQL 3.6 µs (1.9 from arrays, 5.2 from json objects); SQLite inserts one in 3.8 µs (4.4 by a statement for each row).

import type { BatchedWrite, Database, SqlParameters, Statement } from './database.ts'

/** `amount`: money in minor units, a bigint that is given as text. */
type SqlType = 'bigint' | 'integer' | 'text' | 'amount'
/** `bigint?` may be null. */
type ColumnType = SqlType | `${SqlType}?`
type Columns = { readonly [name: string]: ColumnType }

type Value<Type extends string> = Type extends `${infer Same}?`
  ? Value<Same> | null
  : Type extends 'text' | 'amount'
    ? string
    : number
type Row<C extends Columns> = { -readonly [Name in keyof C]: Value<C[Name]> }

/** The rows of a list. */
export type RowOf<List> = List extends { of(rows: readonly (infer Some)[]): string } ? Some : never

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

/**
 * `list.insertInto('event')`, `list.select` as a table, or `where id ${list.in('event_id')}` takes `rows: list.of([…])`.
 */
export function rowList<const C extends Columns>(columns: C) {
  const names = Object.keys(columns)
  const values = names.map(
    (name, index) => `cast(value ->> ${index} as ${columns[name]?.replace('?', '').replace('amount', 'bigint')})`,
  )
  const aliased = names.map((name, index) => `${values[index]} as ${name}`)
  return {
    columns: names.join(', '),
    /** Of a statement for one row. */
    parameters: names.map((name) => `:${name}`).join(', '),
    select: `select ${aliased.join(', ')} from jsonb_array_elements(:rows) as given`,
    insertInto: (table: string): string =>
      `insert into ${table} (${names.join(', ')}) select ${values.join(', ')} from jsonb_array_elements(:rows) as given`,
    in: (...columns: (keyof C & string)[]): string => {
      const lists = columns.map((name) => `select ${values[names.indexOf(name)]} from jsonb_array_elements(:rows)`)
      return `= any (array(${lists.join(' union all ')}))`
    },
    of: (rows: readonly Row<C>[]): string => JSON.stringify(rows.map((row) => names.map((name) => row[name]))),
  }
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
