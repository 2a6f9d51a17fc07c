// A shape is data: which fields a node has, and how each is written. The TypeScript type of the value (below), the XML and JSON
// writers (xml.ts, json.ts), the JSON schema (reference/openapi.ts) and the XSD (xsd.ts) are derived from it.
//
// Terms: a *scalar* is a text in XML and always a string in JSON; a *record* is a node with named fields; a *sequence*
// is a node that holds repeated nodes of one name; a *document* is a root name with its node.

export type ScalarKind =
  | 'integer'
  | 'signedInteger'
  | 'decimal'
  | 'signedDecimal'
  | 'fraction'
  | 'text'
  | 'yesNo'
  | 'date'
  | 'dateTime'
  | 'utcDateTime'
  | 'status'

/** dateTime values are milliseconds since 1970; decimals (`2.10`), fractions (`11/10`), dates and utcDateTimes are already written out. */
type ScalarValue = {
  integer: number
  signedInteger: number
  decimal: string
  signedDecimal: string
  fraction: string
  text: string
  yesNo: boolean
  date: string
  dateTime: number
  /** `2026-11-15 09:30:00` */
  utcDateTime: string
  status: string
}

type Presence = {
  readonly optional: boolean
  /** Not part of the contract: answered only if an extension parameter requests it. */
  readonly extension?: true
  readonly meaning?: string
}
type Scalar = { readonly place: 'attribute' | 'element'; readonly scalar: ScalarKind } & Presence
type Child = { readonly place: 'node'; readonly node: Node } & Presence
/**
 * Repeated nodes directly inside a record. In JSON an object when there is one, an array when there are several, as the contract
 * has it; with `array` always an array, which may be empty.
 */
type Children = { readonly place: 'nodes'; readonly node: Node; readonly array?: true } & Presence
export type Field = Scalar | Child | Children

export type RecordShape = { readonly is: 'record'; readonly fields: { readonly [name: string]: Field } }
/** In JSON: an array of one-key objects (`entries`) or of the items themselves (`plain`). */
type Sequence = {
  readonly is: 'sequence'
  readonly item: string
  readonly of: Node
  readonly json: 'entries' | 'plain'
  /** An empty one is written. Otherwise it has at least one item: an empty answer is 204. */
  readonly mayBeEmpty?: true
}
export type Node = RecordShape | Sequence
export type Document = { readonly root: string; readonly node: Node }

type FieldValue<F extends Field> = F extends Scalar
  ? ScalarValue[F['scalar']]
  : F extends { place: 'node'; node: infer N extends Node }
    ? Value<N>
    : F extends { place: 'nodes'; node: infer N extends Node }
      ? readonly Value<N>[]
      : never
type OptionalNames<F> = { [K in keyof F]: F[K] extends { optional: true } ? K : never }[keyof F]

/** The TypeScript type of what a shape writes. */
export type Value<N> = N extends { is: 'record'; fields: infer F extends { readonly [name: string]: Field } }
  ? { readonly [K in Exclude<keyof F, OptionalNames<F>>]: FieldValue<F[K]> } & {
      readonly [K in OptionalNames<F>]?: FieldValue<F[K & keyof F]> | undefined
    }
  : N extends { is: 'sequence'; of: infer I }
    ? readonly Value<I>[]
    : never

export function attribute<S extends ScalarKind>(scalar: S) {
  return { place: 'attribute', scalar, optional: false } as const
}

export function element<S extends ScalarKind>(scalar: S) {
  return { place: 'element', scalar, optional: false } as const
}

export function child<N extends Node>(node: N) {
  return { place: 'node', node, optional: false } as const
}

export function children<N extends Node>(node: N) {
  return { place: 'nodes', node, optional: false } as const
}

/** Repeated nodes that are an array in JSON whatever their number. */
export function arrayOf<N extends Node>(node: N) {
  return { place: 'nodes', node, array: true, optional: false } as const
}

export function optional<F extends Field>(field: F): Omit<F, 'optional'> & { readonly optional: true } {
  return { ...field, optional: true }
}

export function extension<F extends Field>(
  field: F,
): Omit<F, 'optional'> & { readonly optional: true; readonly extension: true } {
  return { ...field, optional: true, extension: true }
}

/** With a sentence on what it means, for the JSON schema, the XSD and the reference. */
export function described<F extends Field>(field: F, meaning: string): F & { readonly meaning: string } {
  return { ...field, meaning }
}

export function record<const F extends { readonly [name: string]: Field }>(fields: F) {
  return { is: 'record', fields } as const
}

export function sequence<N extends Node, J extends 'entries' | 'plain'>(item: string, of: N, json: J) {
  return { is: 'sequence', item, of, json } as const
}

/** A list inside of an answer that is there also without items. */
export function possiblyEmpty<S extends Sequence>(list: S) {
  return { ...list, mayBeEmpty: true } as const
}

export function document<N extends Node>(root: string, node: N) {
  return { root, node } as const
}

/** The same document without the fields that are no part of the contract. */
export function withoutExtensions({ root, node }: Document): Document {
  return { root, node: contractNode(node) }
}

function contractNode(node: Node): Node {
  if (node.is === 'sequence') return { ...node, of: contractNode(node.of) }
  const fields = Object.entries(node.fields).filter(([, field]) => !field.extension)
  return { is: 'record', fields: Object.fromEntries(fields.map(([name, field]) => [name, contractField(field)])) }
}

function contractField(field: Field): Field {
  return 'node' in field ? { ...field, node: contractNode(field.node) } : field
}
