// A table is declared once, by the columns that statements read and write. That gives the type of its rows, select lists, inserts, and
// lists of rows as one parameter: JSON text, which both engines read in SQL. Reading a row of seven columns costs PostgreSQL 3.6 µs (1.9 from
// arrays, 5.2 from json objects); SQLite inserts one in 3.8 µs (4.4 by a statement for each row).

/** `Value`: what a row has. `Given`: what the parameter of an insert takes. */
export type Column<Value, Given = Value> = {
  readonly type: 'text' | 'integer' | 'bigint'
  readonly isMoney: boolean
  readonly isNullable: boolean
  /** The only values of a text. */
  readonly values?: readonly string[]
  /** Never set: it carries the types for the compiler. */
  readonly types?: { readonly value: Value; readonly given: Given }
}
export type Columns = { readonly [name: string]: Column<unknown, unknown> }

const PLAIN = { isMoney: false, isNullable: false } as const
export const text: Column<string> = { ...PLAIN, type: 'text' }
export const integer: Column<number> = { ...PLAIN, type: 'integer' }
export const bigint: Column<number> = { ...PLAIN, type: 'bigint' }
/** In minor units: a bigint that is read as text. */
export const money: Column<string, bigint> = { ...PLAIN, type: 'bigint', isMoney: true }

export function oneOf<const Value extends string>(values: readonly Value[]): Column<Value> {
  return { ...PLAIN, type: 'text', values }
}

export function orNull<Value, Given>(column: Column<Value, Given>): Column<Value | null, Given | null> {
  return { ...(column as Column<never>), isNullable: true }
}

type Rows<C extends Columns> = {
  -readonly [Name in keyof C]: C[Name] extends Column<infer Value, unknown> ? Value : never
}
type Parameters<C extends Columns> = { [Name in keyof C]: C[Name] extends Column<unknown, infer Given> ? Given : never }

/** A row of a table or of a list. */
export type RowOf<Some> = Some extends RowList<infer C> ? Rows<C> : never

/** What a table's `insert` takes: as its rows, with money as a bigint. */
export type ParametersOf<Some> = Some extends RowList<infer C> ? Parameters<C> : never

/** `list.select` as a table, or `where id ${list.in('event_id')}`, takes `rows: list.of([…])`. */
export type RowList<C extends Columns> = {
  readonly declared: C
  /** `id, name`. */
  readonly names: string
  readonly select: string
  in(...names: (keyof C & string)[]): string
  of(rows: readonly Rows<C>[]): string
}

export type Table<C extends Columns> = RowList<C> & {
  readonly table: string
  /** For `select` and `returning`. `alias`: of the table in a statement with several. */
  columns(alias?: string): string
  /** SQL that inserts one row, with a parameter for each column: ParametersOf. `others`: further columns, with their SQL. */
  insert(others?: { readonly [name: string]: string }): string
  /** SQL that inserts `rows: table.of([…])`. */
  readonly insertRows: string
  /** `deposits.pick('id, state', 'amount')`: the table with these columns alone. */
  pick<const Lists extends readonly string[]>(...lists: Lists): Table<Pick<C, keyof C & NameIn<Lists[number]>>>
  /** The table without these columns. */
  omit<const Lists extends readonly string[]>(...lists: Lists): Table<Omit<C, NameIn<Lists[number]>>>
}

/** 'id' | 'name' of 'id, name'. */
type NameIn<List extends string> = List extends `${infer Name}, ${infer Others}` ? Name | NameIn<Others> : List

/** Rows that are no table's. */
export function rowList<const C extends Columns>(columns: C): RowList<C> {
  const names = Object.keys(columns)
  const values = valuesOf(columns)
  const aliased = names.map((name, index) => `${values[index]} as ${name}`)
  return {
    declared: columns,
    names: names.join(', '),
    select: `select ${aliased.join(', ')} from ${GIVEN}`,
    in: (...given) => {
      const lists = given.map((name) => `select ${values[names.indexOf(name)]} from jsonb_array_elements(:rows)`)
      return `= any (array(${lists.join(' union all ')}))`
    },
    of: (rows) => JSON.stringify(rows.map((row) => names.map((name) => row[name]))),
  }
}

const GIVEN = 'jsonb_array_elements(:rows) as given'

function valuesOf(columns: Columns): string[] {
  return Object.values(columns).map(({ type }, index) => `cast(value ->> ${index} as ${type})`)
}

export function table<const C extends Columns>(name: string, columns: C): Table<C> {
  const list = rowList(columns)
  const names = Object.keys(columns)
  return {
    ...list,
    table: name,
    columns: (alias) => names.map((column) => selected(columns, column, alias)).join(', '),
    insert: (others = {}) => {
      const parameters = names.map((column) => `:${column}`)
      const [columns, values] = [Object.keys(others), Object.values(others)]
      return `insert into ${name} (${[...names, ...columns].join(', ')}) values (${[...parameters, ...values].join(', ')})`
    },
    insertRows: `insert into ${name} (${list.names}) select ${valuesOf(columns).join(', ')} from ${GIVEN}`,
    pick: (...lists) => {
      const picked = namesIn(columns, lists)
      return table(
        name,
        filtered(columns, (column) => picked.includes(column)),
      ) as never
    },
    omit: (...lists) => {
      const omitted = namesIn(columns, lists)
      return table(
        name,
        filtered(columns, (column) => !omitted.includes(column)),
      ) as never
    },
  }
}

function selected(columns: Columns, name: string, alias: string | undefined): string {
  const column = alias === undefined ? name : `${alias}.${name}`
  return columns[name]?.isMoney ? `cast(${column} as text) as ${name}` : column
}

function namesIn(columns: Columns, lists: readonly string[]): string[] {
  const names = lists.flatMap((list) => list.split(', '))
  const unknown = names.filter((name) => !(name in columns))
  if (unknown.length > 0) throw new Error(`There is no column ${unknown.join(', ')}.`)
  return names
}

function filtered(columns: Columns, isPart: (name: string) => boolean): Columns {
  return Object.fromEntries(Object.entries(columns).filter(([name]) => isPart(name)))
}
