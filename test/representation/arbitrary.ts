// Generates values of any shape, and slightly wrong shapes: the schema must refuse what a wrong shape writes.

import fc from 'fast-check'
import {
  attribute,
  child,
  children,
  type Document,
  document,
  element,
  type Field,
  type Node,
  optional,
  type RecordShape,
  record,
  type ScalarKind,
  sequence,
} from '../../src/http/representation/shape.ts'
import { allOperations } from '../../src/operations.ts'

/** The text that writers may get: everything but control characters and the two others that XML forbids. */
export const anyText: fc.Arbitrary<string> = fc.string({
  unit: fc.oneof(
    fc.constantFrom('<', '>', '&', '"', "'", ']]>', '&amp;', '\\', '%', ' ', 'é', '🐎', '\u2028'),
    fc
      .integer({ min: 0x20, max: 0x10ffff })
      .map((code) => String.fromCodePoint(code))
      .filter((character) => !/[\p{Cc}\p{Cs}\ufffe\uffff]/u.test(character)),
  ),
})

const LAST_FOUR_DIGIT_YEAR = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

const SCALARS: { readonly [K in ScalarKind]: fc.Arbitrary<unknown> } = {
  integer: fc.maxSafeNat(),
  signedInteger: fc.maxSafeInteger(),
  decimal: fc.integer({ min: 100, max: 1_000_000 }).map((hundredths) => (hundredths / 100).toFixed(2)),
  signedDecimal: fc.integer({ min: -1_000_000, max: 1_000_000 }).map((hundredths) => (hundredths / 100).toFixed(2)),
  fraction: fc.tuple(fc.nat(), fc.integer({ min: 1 })).map(([num, den]) => `${num}/${den}`),
  text: anyText,
  yesNo: fc.boolean(),
  date: fc.integer({ min: 0, max: LAST_FOUR_DIGIT_YEAR }).map((at) => new Date(at).toISOString().slice(0, 10)),
  dateTime: fc.integer({ min: 0, max: LAST_FOUR_DIGIT_YEAR }),
  utcDateTime: fc
    .integer({ min: 0, max: LAST_FOUR_DIGIT_YEAR })
    .map((at) => new Date(at).toISOString().slice(0, 19).replace('T', ' ')),
  status: fc.constantFrom('A', 'I', 'L', 'S', 'W'),
}

/** `whole`: with every optional field, so that each part of the shape is written. */
export function valuesOf(node: Node, whole = false): fc.Arbitrary<unknown> {
  if (node.is === 'sequence') return severalOf(node.of, whole)
  const fields = Object.entries(node.fields)
  const model = Object.fromEntries(fields.map(([name, field]) => [name, fieldValue(field, whole)]))
  const required = fields.filter(([, field]) => whole || !field.optional).map(([name]) => name)
  return fc.record(model, { requiredKeys: required })
}

function fieldValue(field: Field, whole: boolean): fc.Arbitrary<unknown> {
  if (field.place === 'node') return valuesOf(field.node, whole)
  if (field.place !== 'nodes') return SCALARS[field.scalar]
  return severalOf(field.node, whole, field.array && !whole ? 0 : 1)
}

function severalOf(node: Node, whole: boolean, minLength = 1): fc.Arbitrary<unknown> {
  return fc.array(valuesOf(node, whole), { minLength, maxLength: 3 })
}

/** `xmlOnly`: the JSON is the same. `jsonOnly`: the XML is one that the shape writes too. */
type Mutant = { readonly what: string; readonly node: Node; readonly xmlOnly: boolean; readonly jsonOnly?: true }

export function mutants(node: Node): Mutant[] {
  if (node.is === 'record') return recordMutants(node)
  const renamed = { ...node, item: `${node.item}X` }
  return [
    { what: `${node.item} has an unknown name`, node: renamed, xmlOnly: node.json === 'plain' },
    ...mutants(node.of).map((mutant) => ({ ...mutant, node: { ...node, of: mutant.node } })),
  ]
}

function recordMutants({ fields }: RecordShape): Mutant[] {
  const entries = Object.entries(fields)
  const contents = entries.filter(([, { place }]) => place !== 'attribute')
  const missing = entries
    .filter(([, field]) => !field.optional)
    .map(([name, field]): Mutant => {
      const mutant = changed(`${name} is missing`, without(entries, name))
      return 'array' in field && field.array ? { ...mutant, jsonOnly: true } : mutant
    })
  const unknown = [
    changed('an unknown element', [...entries, ['unexpected', element('text')]]),
    changed('an unknown attribute', [...entries, ['unexpected', attribute('text')]]),
  ]
  const order = contents.slice(1).map((entry, index) => {
    const before = contents[index] as [string, Field]
    return changed(`${entry[0]} stands before ${before[0]}`, swapped(entries, before[0], entry[0]), true)
  })
  const places = entries.flatMap(([name, field]): Mutant[] => {
    if (field.place !== 'attribute' && field.place !== 'element') return []
    const place = field.place === 'attribute' ? 'element' : 'attribute'
    return [changed(`${name} is an ${place}`, replaced(entries, name, { ...field, place }), true)]
  })
  const inside = entries.flatMap(([name, field]): Mutant[] => {
    if (field.place !== 'node' && field.place !== 'nodes') return []
    return mutants(field.node).map(({ node, ...mutant }) => ({
      ...mutant,
      node: record(Object.fromEntries(replaced(entries, name, { ...field, node }))),
    }))
  })
  return [...missing, ...unknown, ...order, ...places, ...inside]
}

type Entries = readonly (readonly [string, Field])[]

function changed(what: string, entries: Entries, xmlOnly = false): Mutant {
  return { what, node: record(Object.fromEntries(entries)), xmlOnly }
}

function without(entries: Entries, name: string): Entries {
  return entries.filter(([other]) => other !== name)
}

function replaced(entries: Entries, name: string, field: Field): Entries {
  return entries.map((entry) => (entry[0] === name ? [name, field] : entry))
}

function swapped(entries: Entries, one: string, other: string): Entries {
  const find = (name: string) => entries.find(([candidate]) => candidate === name) as [string, Field]
  return entries.map((entry) => (entry[0] === one ? find(other) : entry[0] === other ? find(one) : entry))
}

const outcome = record({ rank: optional(attribute('integer')), name: element('text'), status: element('status') })
const event = record({ id: attribute('integer'), name: element('text'), outcome: child(outcome) })

/** Repeated nodes beside each other and within another, as comments and payment methods are. */
export const tips = document(
  'whoCommunities',
  record({
    comment: children(
      record({
        id: attribute('integer'),
        type: attribute('text'),
        text: element('text'),
        isLiked: optional(element('yesNo')),
        createdDateTimeZoned: element('dateTime'),
        event: child(event),
      }),
    ),
    also: optional(children(record({ note: element('text') }))),
    methods: optional(child(sequence('method', record({ id: attribute('text') }), 'plain'))),
  }),
)

/** Every document that the service writes, and the one above. */
export const documents: readonly (readonly [name: string, document: Document])[] = [
  ...allOperations.flatMap(({ name, method, answer }) =>
    answer.document === null ? [] : [[`${method} ${name}`, answer.document] as const],
  ),
  ['tips', tips],
]
