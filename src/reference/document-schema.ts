// The JSON form of a document as a JSON schema.

import type { Document, Field, Node, RecordShape, ScalarKind } from '../http/representation/shape.ts'

export type Json = { readonly [key: string]: unknown }

const SCALAR: { readonly [K in ScalarKind]: Json } = {
  integer: { type: 'string', pattern: '^[0-9]+$' },
  signedInteger: { type: 'string', pattern: '^-?[0-9]+$' },
  decimal: { type: 'string', pattern: '^[0-9]+\\.[0-9]+$' },
  signedDecimal: { type: 'string', pattern: '^-?[0-9]+\\.[0-9]+$' },
  fraction: { type: 'string', pattern: '^[0-9]+/[1-9][0-9]*$' },
  text: { type: 'string' },
  yesNo: { type: 'string', enum: ['Y', 'N'] },
  date: { type: 'string', pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' },
  dateTime: {
    type: 'string',
    pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}[+-][0-9]{2}:[0-9]{2}$',
  },
  utcDateTime: { type: 'string', pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}$' },
  status: { type: 'string', minLength: 1, maxLength: 1 },
}

/** What the reference calls a value of each pattern. */
export const PATTERN_NAMES: { readonly [pattern: string]: string } = Object.fromEntries(
  Object.entries<string>({
    integer: 'digits',
    signedInteger: 'whole number',
    decimal: 'decimal number',
    signedDecimal: 'decimal number',
    fraction: 'fraction',
    date: 'date',
    dateTime: 'time',
    utcDateTime: 'time in UTC',
  } satisfies { readonly [K in ScalarKind]?: string }).map(([kind, name]) => [
    SCALAR[kind as ScalarKind].pattern,
    name,
  ]),
)

export function jsonSchema(document: Document): object {
  return { $schema: 'https://json-schema.org/draft/2020-12/schema', ...documentSchema(document) }
}

export function documentSchema(document: Document): Json {
  return closedObject({ [document.root]: nodeSchema(document.node) }, [document.root])
}

function nodeSchema(node: Node): Json {
  if (node.is === 'record') return recordSchema(node)
  const item = nodeSchema(node.of)
  const items = node.json === 'entries' ? closedObject({ [node.item]: item }, [node.item]) : item
  // Otherwise at least one: an empty list is answered with 204 and has no body.
  return node.mayBeEmpty ? { type: 'array', items } : { type: 'array', minItems: 1, items }
}

function recordSchema(node: RecordShape): Json {
  const fields = Object.entries(node.fields)
  const properties = Object.fromEntries(fields.map(([name, field]) => [name, fieldSchema(field)]))
  const required = fields.filter(([, field]) => !field.optional).map(([name]) => name)
  return closedObject(properties, required)
}

function fieldSchema(field: Field): Json {
  const schema = undescribedSchema(field)
  return field.meaning === undefined ? schema : { ...schema, description: field.meaning }
}

function undescribedSchema(field: Field): Json {
  if (field.place === 'node') return nodeSchema(field.node)
  if (field.place === 'nodes') {
    const one = nodeSchema(field.node)
    if (field.array) return { type: 'array', items: one }
    return { oneOf: [one, { type: 'array', minItems: 2, items: one }] }
  }
  return SCALAR[field.scalar]
}

function closedObject(properties: Json, required: readonly string[]): Json {
  return { type: 'object', properties, required, additionalProperties: false }
}
