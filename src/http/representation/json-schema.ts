// JSON schemas that carry the TypeScript type of what they describe: one notation checks requests, describes the API
// (OpenAPI), and types handlers and the console. The types exist for the compiler only.

export type JsonSchema = { readonly [keyword: string]: unknown }

declare const VALUE: unique symbol
declare const SENT: unique symbol
declare const COLUMN: unique symbol

/** The key of the function that converts what a row has. JSON and the checks of requests see no symbols. */
export const FROM_COLUMN: unique symbol = Symbol('from column')

/**
 * `Value`: with defaults filled in, as handlers get it and answers have it. `Sent`: what a caller may write. `Column`: what
 * a row of the database has for it.
 */
export type Schema<Value = unknown, Sent = Value, Column = Value> = JsonSchema & {
  readonly [VALUE]: Value
  readonly [SENT]: Sent
  readonly [COLUMN]: Column
  readonly [FROM_COLUMN]?: FromColumn
}
export type FromColumn = (column: never) => unknown
export type ValueOf<S extends Schema> = S[typeof VALUE]
export type SentOf<S extends Schema> = S[typeof SENT]
export type ColumnOf<S extends Schema> = S[typeof COLUMN]

/** An example becomes part of the examples of the API's description. Functions for values take it first, those for what has parts last. */
function about(description: string | undefined, example: unknown): JsonSchema {
  return {
    ...(description === undefined ? {} : { description }),
    ...(example === undefined ? {} : { examples: [example] }),
  }
}

function schema<Value, Sent = Value, Column = Value>(keywords: JsonSchema): Schema<Value, Sent, Column> {
  return keywords as Schema<Value, Sent, Column>
}

/** Describes what columns have for such a field, and how it is converted to what is sent. */
export function fromColumn<Value, Sent, Column>(
  one: Schema<Value, Sent, unknown>,
  convert: (column: Column) => Value,
): Schema<Value, Sent, Column> {
  return schema({ ...one, [FROM_COLUMN]: convert })
}

export function string(example?: string, description?: string): Schema<string> {
  return stringOf({}, example, description)
}

/** With a pattern, a format or bounds. */
export function stringOf(keywords: JsonSchema, example?: string, description?: string): Schema<string> {
  return schema({ type: 'string', ...keywords, ...about(description, example) })
}

export function integer(minimum: number, maximum: number, example?: number, description?: string): Schema<number> {
  return schema({ type: 'integer', minimum, maximum, ...about(description, example) })
}

/** A number of things, in an answer. */
export function count(example?: number, description?: string): Schema<number> {
  return schema({ type: 'integer', minimum: 0, ...about(description, example) })
}

/** A share or a rate, in an answer. */
export function number(minimum: number, maximum: number, example?: number, description?: string): Schema<number> {
  return schema({ type: 'number', minimum, maximum, ...about(description, example) })
}

export const nullValue: Schema<null> = schema({ type: 'null' })

/** A column has 0 or 1. */
export function boolean(example?: boolean, description?: string): Schema<boolean, boolean, number> {
  const one = schema<boolean>({ type: 'boolean', ...about(description, example) })
  return fromColumn(one, (column: number) => column === 1)
}

export function oneOf<const Value extends string>(
  values: readonly Value[],
  example?: NoInfer<Value>,
  description?: string,
): Schema<Value> {
  return schema({ type: 'string', enum: values, ...about(description, example) })
}

/** `described`: a description, or keywords such as `maxItems`. */
export function list<Value, Sent>(
  items: Schema<Value, Sent, unknown>,
  described?: string | JsonSchema,
  example?: readonly unknown[],
): Schema<readonly Value[], readonly Sent[]> {
  const keywords = typeof described === 'object' ? described : about(described, example)
  return schema({ type: 'array', items, ...keywords })
}

/** An object whose names are data: outcomes' ids, currencies. */
export function record<Value, Sent>(
  values: Schema<Value, Sent, unknown>,
  keywords: JsonSchema = {},
): Schema<{ [name: string]: Value }, { readonly [name: string]: Sent }> {
  return schema({ type: 'object', additionalProperties: values, ...keywords })
}

/** Any JSON object. */
export function anyObject(description: string, example: object): Schema<{ [name: string]: unknown }> {
  return schema({ type: 'object', additionalProperties: true, ...about(description, example) })
}

/** A plain type becomes a list of types; a schema with a name stays whole, so that it can be referred to. */
export function orNull<Value, Sent, Column>(
  one: Schema<Value, Sent, Column>,
  description?: string,
  example?: unknown,
): Schema<Value | null, Sent | null, Column | null> {
  const keywords = about(description, example)
  if (one.title !== undefined || one.type === undefined) return schema({ anyOf: [one, { type: 'null' }], ...keywords })
  const values = one.enum === undefined ? {} : { enum: [...(one.enum as unknown[]), null] }
  const { [FROM_COLUMN]: convert } = one
  const converts = convert && { [FROM_COLUMN]: (column: never) => (column === null ? null : convert(column)) }
  return schema({ ...one, type: [one.type, 'null'], ...values, ...keywords, ...converts })
}

export function anyOf<Options extends Schema>(options: readonly Options[]): Schema<ValueOf<Options>, SentOf<Options>> {
  return schema({ anyOf: options })
}

type Defaulted = { readonly default: unknown }
/** Exported, as is ObjectSchema, for the declaration files of the npm package, which name it. */
export type DefaultedSchema<Value, Sent = Value, Column = Value> = Schema<Value, Sent, Column> & Defaulted

/** May be left out by callers; handlers always have it. */
export function withDefault<Value, Sent, Column>(
  one: Schema<Value, Sent, Column>,
  value: Value & Sent,
): DefaultedSchema<Value, Sent, Column> {
  return { ...one, default: value }
}

export type Properties = { readonly [name: string]: Schema }
type None = Record<never, never>
type Flat<T> = { [K in keyof T]: T[K] }
type DefaultedKeys<P> = { [K in keyof P]: P[K] extends Defaulted ? K : never }[keyof P]
type Values<P extends Properties> = { [K in keyof P]: ValueOf<P[K]> }
type Sents<P extends Properties> = { [K in keyof P]: SentOf<P[K]> }

type ObjectValue<R extends Properties, O extends Properties> = Flat<
  Values<R> & Values<Pick<O, DefaultedKeys<O>>> & Partial<Values<Omit<O, DefaultedKeys<O>>>>
>
type ObjectSent<R extends Properties, O extends Properties> = Flat<Sents<R> & Partial<Sents<O>>>
export type ObjectSchema<R extends Properties, O extends Properties = None> = Schema<
  ObjectValue<R, O>,
  ObjectSent<R, O>
> & {
  readonly properties: Flat<R & O>
}

/** Has the required properties, may have the optional ones, and no others. */
export function object<const R extends Properties, const O extends Properties = None>(
  required: R,
  optional: O = {} as O,
  description?: string,
): ObjectSchema<R, O> {
  const properties = { ...required, ...optional }
  const keywords = {
    type: 'object',
    properties,
    required: Object.keys(required),
    additionalProperties: false,
    ...about(description, undefined),
  }
  return keywords as unknown as ObjectSchema<R, O>
}

/** An object of which a caller may leave out everything, such as a query. */
export function allOptional<const O extends Properties>(optional: O): ObjectSchema<None, O> {
  return object({}, optional)
}

/** Shown under this name in the API's description. */
export function named<S extends Schema>(title: string, one: S): S {
  return { ...one, title }
}

export function namedObject<const R extends Properties, const O extends Properties = None>(
  title: string,
  required: R,
  optional: O = {} as O,
  description?: string,
): ObjectSchema<R, O> {
  return named(title, object(required, optional, description))
}
