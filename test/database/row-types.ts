// How rows.test.ts compares the row type of a statement with the columns that an engine reports for it.

/** `type`: one that the engine's value has. */
type Column = { type: unknown; nullable?: true }
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
  : C extends { nullable: true }
    ? null extends Value
      ? never
      : `${Name} may be null`
    : never
