// Realistic values for a shape, by the names of its fields. The page and OpenAPI show them as the service's own writers
// write them, so an example is exactly what the service would answer.

import type { Operation } from '../http/operations/operation.ts'
import { jsonWriter } from '../http/representation/json.ts'
import type { Document, Field, Node, ScalarKind } from '../http/representation/shape.ts'
import { xmlWriter } from '../http/representation/xml.ts'
import type { Parameter } from '../http/requests/parameters.ts'
import { readAsset } from '../platform/runtime/assets.ts'
import { once } from '../platform/runtime/once.ts'

type Scalar = string | number | boolean
/**
 * One value per item of a list, repeated as needed; null omits an optional field. The most specific of
 * `grandparent.parent.field`, `parent.field` and `field` applies.
 */
type Examples = { readonly [path: string]: readonly (Scalar | null)[] }

type ExampleFile = {
  readonly fields: Examples
  /** Operations that answer with other values than most. */
  readonly answers: { readonly [operation: string]: Examples }
  /** These work in the sandbox with alice's ticket, however often they are sent. Ids of tips follow the order of the seed. */
  readonly parameters: { readonly [name: string]: string }
  /**
   * Operations that need other values than most; their requests show these, required or not. Those of a deposit find that of makeDeposit,
   * whose id follows from its key; makeWithdrawal pays out what makeTransaction deposits; nobody follows the profile that is blocked.
   */
  readonly requests: { readonly [operation: string]: { readonly [name: string]: string } }
}

const file = once(() => readAsset<ExampleFile>('reference/public/examples.json'))

export type XmlAndJson = { readonly xml: string; readonly json: string }

export function answerExample(operation: Operation): XmlAndJson | null {
  const { document, mayBeEmpty } = operation.answer
  if (document === null) return null
  const extensions = Object.entries(operation.parameters).filter(([, { extension }]) => extension)
  const value = exampleValue(document, {
    items: mayBeEmpty ? 2 : 1,
    examples: file().answers[operation.name] ?? {},
    extensions: extensions.some(([name]) => parameterExample(operation, name).shown),
  })
  return { xml: xmlWriter(document)(value as never), json: jsonWriter(document)(value as never) }
}

type ParameterExample = {
  readonly value: string
  /** Whether the sample request contains it: required, or chosen for this operation. */
  readonly shown: boolean
}

export function parameterExample(operation: Operation, name: string): ParameterExample {
  const { schema, required = false } = operation.parameters[name] as Parameter
  const own = file().requests[operation.name]?.[name]
  const choices = Array.isArray(schema.enum) ? schema.enum.filter((choice) => choice !== '') : []
  const value = own ?? file().parameters[name] ?? String(schema.default ?? choices[0] ?? '')
  return { value, shown: required || own !== undefined }
}

type ExampleOptions = {
  readonly items: number
  readonly examples: Examples
  /** Whether the sample request has an extension parameter, so that the answer has the fields that it adds. */
  readonly extensions: boolean
}
type Position = { readonly path: readonly string[]; readonly index: number }

function exampleValue(document: Document, options: ExampleOptions): unknown {
  return nodeExample(document.node, { path: [document.root], index: 0 }, options)
}

function nodeExample(node: Node, position: Position, options: ExampleOptions): unknown {
  if (node.is === 'sequence') {
    const path = [...position.path, node.item]
    // A list of pairs shows one complete pair.
    const items = node.of.is === 'sequence' ? 1 : position.path.length > 1 ? 2 : options.items
    return Array.from({ length: items }, (_, index) => nodeExample(node.of, { path, index }, options))
  }
  const fields = Object.entries(node.fields).map(([name, field]) => {
    const path = [...position.path, name]
    return [name, fieldExample(field, { path, index: position.index }, options)]
  })
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined))
}

function fieldExample(field: Field, position: Position, options: ExampleOptions): unknown {
  if (field.extension && !options.extensions) return undefined
  if (field.place === 'node') return nodeExample(field.node, position, options)
  if (field.place === 'nodes') {
    return Array.from({ length: options.items }, (_, index) => nodeExample(field.node, { ...position, index }, options))
  }
  const found = lookUp(options.examples, position) ?? lookUp(file().fields, position) ?? [FALLBACK[field.scalar]]
  const value = found[position.index % found.length]
  if (value === undefined || value === null) return field.optional ? undefined : FALLBACK[field.scalar]
  return typeof value === typeof FALLBACK[field.scalar] ? value : convertExample(field.scalar, value)
}

function lookUp(examples: Examples, { path }: Position): Examples[string] | undefined {
  for (const length of [3, 2, 1]) {
    const found = examples[path.slice(-length).join('.')]
    if (found !== undefined) return found
  }
  return undefined
}

const FALLBACK: { readonly [K in ScalarKind]: Scalar } = {
  integer: 1,
  signedInteger: 1,
  decimal: '1.50',
  signedDecimal: '1.50',
  fraction: '1/2',
  text: 'text',
  yesNo: true,
  date: '2026-11-15',
  dateTime: Date.UTC(2026, 10, 15, 9, 30),
  utcDateTime: '2026-11-15 09:30:00',
  status: 'A',
}

/** The same name can be a number in one answer and text in another; the file has times as text. */
function convertExample(scalar: ScalarKind, value: Scalar): Scalar {
  if (scalar === 'dateTime') return Date.parse(`${value}`)
  if (scalar === 'text') return typeof value === 'boolean' ? (value ? 'Y' : 'N') : String(value)
  const number = Number(value)
  return scalar === 'integer' && Number.isSafeInteger(number) && number >= 0 ? number : FALLBACK[scalar]
}
