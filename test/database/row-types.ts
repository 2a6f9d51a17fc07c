// How rows.test.ts compares the row type of a statement with the columns that an engine reports for it.

/** `type`: one that the engine's value has. `values`: the only ones, by a check of the table; `string` where it has none. */
type Column = { type: unknown; values?: string; nullable?: true }
type Columns = { [name: string]: Column }

/** `same`, or what differs, in words. */
export type Compared<Statement, C extends Columns> =
  Differences<RowOf<Statement>, C> extends infer Found ? ([Found] extends [never] ? 'same' : Found) : never

type RowOf<Statement> = Statement extends { types?: (parameters: never) => infer Row } ? Row : never

type Differences<Row, C extends Columns> = [Row] extends [never]
  ? `${keyof C & string} is not in the row type`
  :
      | `${Exclude<keyof C, NameOf<Row>> & string} is not in the row type`
      | `${Exclude<RequiredName<Row>, keyof C> & string} is not a column`
      | { [Name in keyof C & NameOf<Row>]: ValueDiffers<Name, ValueAt<Row, Name>, C[Name]> }[keyof C & NameOf<Row>]

/** Some row types are unions: of each of their members. */
type NameOf<Row> = Row extends unknown ? keyof Row & string : never
type ValueAt<Row, Name> = Row extends unknown ? (Name extends keyof Row ? Row[Name] : never) : never
type RequiredName<Row> = { [Name in keyof Row]-?: undefined extends Row[Name] ? never : Name }[keyof Row]

/** The type of a row may be wider: the engines have different types for yes and no. */
type ValueDiffers<Name extends string, Value, C extends Column> = [Extract<Value, C['type'] | null>] extends [never]
  ? `${Name} has another type`
  : NullDiffers<Name, Value, C> | ListDiffers<Name, Value, C>

type NullDiffers<Name extends string, Value, C extends Column> = C extends { nullable: true }
  ? null extends Value
    ? never
    : `${Name} may be null`
  : never

type ListDiffers<Name extends string, Value, C extends Column> = C extends { values: infer Values }
  ? string extends Value
    ? `${Name} should list its values`
    : string extends Values
      ? never
      : [Value] extends [Values | null]
        ? `${Name} may also be ${Exclude<Values, Value> & string}`
        : `${Name} has other values than its check`
  : never
