// Rows of the database as they are answered.

import { Readable } from 'node:stream'
import {
  type ColumnOf,
  FROM_COLUMN,
  type FromColumn,
  type Properties,
  type Schema,
  type ValueOf,
} from '../../http/representation/json-schema.ts'
import { compileRowFactory } from '../../platform/runtime/compile-row-factory.ts'
import { type CsvValue, csvFile } from '../../platform/runtime/csv.ts'

type ObjectOf = Schema & { readonly properties: Properties }

/** "createdAt" → "created_at" */
type Column<Name> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${Column<Rest>}`
  : ''

/** The fields whose column the row has, in the type that their schema converts. */
type InRow<Fields extends Properties, Row> = {
  [Name in keyof Fields]: Row extends { readonly [C in Column<Name>]: ColumnOf<Fields[Name]> } ? Name : never
}[keyof Fields]

/** What the row does not have is required; what it has may be replaced. */
type Given<S extends ObjectOf, Row> = Omit<ValueOf<S>, InRow<S['properties'], Row>> & Partial<ValueOf<S>>
type GivenArguments<S extends ObjectOf, Row> =
  Partial<ValueOf<S>> extends Given<S, Row> ? [given?: Given<S, Row>] : [given: Given<S, Row>]

/**
 * Compiles a schema into the function that shows rows. Each field is taken from its column (`created_at` for `createdAt`)
 * and converted as its schema states. The second argument has fields as they are answered: those that are no columns, which
 * the compiler demands, and those that differ from their columns. An optional field is left out where its column is null.
 * A loop over the fields would take 2.5 times as long as an object written out by hand; this takes 1.05 times.
 */
export function shown<S extends ObjectOf>(schema: S) {
  const fields = Object.entries(schema.properties)
  const required = schema.required as readonly string[]
  const show = compileRowFactory(Object.keys(schema.properties), (index) => {
    const [name, field] = fields[index] as [string, Schema]
    const column = `values[0].${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`
    const converted = field[FROM_COLUMN] === undefined ? column : `values[2][${index}](${column})`
    const ofRow = required.includes(name) ? converted : `(${column} ?? null) === null ? undefined : ${converted}`
    return `"${name}" in values[1] ? values[1].${name} : ${ofRow}`
  })
  const conversions = fields.map(([, field]): FromColumn | undefined => field[FROM_COLUMN])
  return <Row extends object>(row: Row, ...[given]: GivenArguments<S, Row>) =>
    show([row, given ?? {}, conversions]) as ValueOf<S>
}

/** A file with a line for each row. The schema has its columns, in their order. */
export function csvOf<S extends ObjectOf, Row>(
  { properties }: S,
  rows: AsyncIterable<Row>,
  toLine: (row: Row) => { readonly [Name in keyof S['properties']]: CsvValue },
): Readable {
  const columns = Object.keys(properties)
  const file = csvFile(rows, columns, (row) => {
    const line = toLine(row)
    return columns.map((column) => line[column] as CsvValue)
  })
  return Readable.from(file)
}
