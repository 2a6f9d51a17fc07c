// The fields of a JSON schema as the lines of one table: `markets[].outcomes[].id`.

import { type Html, html, nothing, table } from './html.ts'
import { defaultValue, type JsonSchema, limits, prose } from './parts.ts'

/** What a string with this pattern is called. */
type PatternTypes = ReadonlyMap<string, string>

export type SchemaField = { readonly name: string; readonly schema: JsonSchema; readonly required: boolean }

type Composed = {
  readonly type?: string | readonly string[]
  readonly properties?: { readonly [name: string]: JsonSchema }
  readonly required?: readonly string[]
  readonly items?: JsonSchema
  readonly additionalProperties?: JsonSchema | boolean
  readonly anyOf?: readonly JsonSchema[]
  readonly pattern?: string
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly description?: string
  readonly examples?: readonly unknown[]
}

/** In the order of the schema, each followed by the fields inside it. */
export function schemaFields(schema: JsonSchema, prefix = ''): SchemaField[] {
  const { properties = {}, required = [], items, additionalProperties, anyOf } = schema as Composed
  if (anyOf !== undefined) return merged(anyOf.filter(isNotNull).map((option) => schemaFields(option, prefix)))
  if (items !== undefined) return schemaFields(items, `${prefix.replace(/\.$/, '')}[].`)
  if (typeof additionalProperties === 'object') return schemaFields(additionalProperties, `${prefix}*.`)
  return Object.entries(properties).flatMap(([name, one]) => [
    { name: prefix + name, schema: one, required: required.includes(name) },
    ...schemaFields(one, `${prefix}${name}.`),
  ])
}

function isNotNull({ type }: JsonSchema): boolean {
  return type !== 'null'
}

/** Of several forms: what not all have is optional, and choices add up. */
function merged(forms: readonly (readonly SchemaField[])[]): SchemaField[] {
  const byName = Map.groupBy(forms.flat(), ({ name }) => name)
  return [...byName].map(([name, found]) => {
    const [first] = found as [SchemaField]
    const choices = [...new Set(found.flatMap(({ schema }) => (schema as Composed).enum ?? []))]
    const schema = choices.length === 0 ? first.schema : { ...first.schema, enum: choices }
    return { name, schema, required: found.length === forms.length && found.every(({ required }) => required) }
  })
}

/** What may be sent. */
export function sentFields(fields: readonly SchemaField[], types: PatternTypes): Html {
  const rows = fields.map(({ name, schema, required }) => [fieldName(name), ...sentCells(schema, required, types)])
  return table('Body', ['Field', ...SENT_COLUMNS], rows)
}

export const SENT_COLUMNS = ['Type', 'Required', 'Default', 'Meaning']

export function sentCells(schema: JsonSchema, required: boolean, types: PatternTypes): Html[] {
  return [
    typeAndLimits(schema, types),
    required ? html`<strong>yes</strong>` : html`no`,
    defaultValue(schema),
    meaning(schema),
  ]
}

/** What an answer contains. */
export function answeredFields(caption: string, fields: readonly SchemaField[], types: PatternTypes): Html {
  const rows = fields.map(({ name, schema, required }) => [
    html`${fieldName(name)}${required ? nothing : html` <span class="quiet">optional</span>`}`,
    typeAndLimits(schema, types),
    meaning(schema),
  ])
  return html`<details class="answered"><summary>${caption}</summary>
${table(caption, ['Field', 'Type', 'Meaning'], rows, true)}</details>`
}

/** Long names may break where another field begins. */
function fieldName(name: string): Html {
  const parts = name.split('.').map((part, index) => (index === 0 ? html`${part}` : html`.<wbr/>${part}`))
  return html`<code>${parts}</code>`
}

/** An example, where the name says enough. */
function meaning(schema: JsonSchema): Html {
  const { description, items, examples } = schema as Composed
  const words = description ?? (items as Composed | undefined)?.description
  if (words !== undefined) return prose(words)
  const example = examples?.[0]
  return typeof example === 'string' || typeof example === 'number'
    ? html`<span class="quiet">for example <code>${example}</code></span>`
    : nothing
}

function typeAndLimits(schema: JsonSchema, types: PatternTypes): Html {
  const { type, items, additionalProperties } = schema as Composed
  if (typeof additionalProperties === 'object') {
    return html`object by name: ${typeAndLimits(additionalProperties, types)}`
  }
  const name = typeName(schema, types)
  const limited = limitsOf(schema, types) ?? (items === undefined ? null : limitsOf(items, types))
  if (limited === null) return html`${name}`
  // Choices say more than “text”.
  return type === 'string' && schema.enum !== undefined ? limited : html`${name}: ${limited}`
}

const MAX_PATTERN_LENGTH = 100

function limitsOf(schema: JsonSchema, types: PatternTypes): Html | null {
  const { pattern } = schema as Composed
  const isNamed = pattern === undefined || types.has(pattern)
  // A long one, such as a list of names, says less than its meaning.
  const isShown = !isNamed && pattern.length <= MAX_PATTERN_LENGTH
  return limits(schema) ?? (isShown ? html`<code>${pattern}</code>` : null)
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: 'true or false',
  object: 'object',
  null: 'null',
}
const FORMAT_NAMES: Readonly<Record<string, string>> = { 'date-time': 'time', date: 'date' }

function typeName(schema: JsonSchema, types: PatternTypes): string {
  const { anyOf, type, items, pattern = '', format = '' } = schema as Composed
  if (anyOf !== undefined) return [...new Set(anyOf.map((option) => typeName(option, types)))].join(' or ')
  const names = [type ?? 'object'].flat().map((one) => {
    if (one === 'array') return `list of ${plural(typeName(items as JsonSchema, types))}`
    if (one === 'string') return types.get(pattern) ?? FORMAT_NAMES[format] ?? 'text'
    return TYPE_NAMES[one] as string
  })
  return names.join(' or ')
}

function plural(name: string): string {
  return name === 'text' ? 'texts' : /^\w+( number)?$/.test(name) ? `${name}s` : name
}
