// The fields of a JSON schema as the lines of one table: `markets[].outcomes[].id`.

import { type JsonSchema, type OpenApi, resolved } from './document.ts'
import { type Html, html, joinHtml, nothing, prose, table } from './html.ts'

export type SchemaField = { readonly name: string; readonly schema: JsonSchema; readonly required: boolean }

type Composed = {
  readonly type?: string | readonly string[]
  readonly properties?: { readonly [name: string]: JsonSchema }
  readonly required?: readonly string[]
  readonly items?: JsonSchema
  readonly additionalProperties?: JsonSchema | boolean
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly contentSchema?: JsonSchema
  readonly pattern?: string
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly description?: string
  readonly examples?: readonly unknown[]
}

/** In the order of the schema, each followed by the fields inside it. */
export function schemaFields(document: OpenApi, schema: JsonSchema, prefix = ''): SchemaField[] {
  const whole = resolved(document, schema) as Composed
  const { properties = {}, required = [], items, additionalProperties, contentSchema } = whole
  const forms = whole.anyOf ?? whole.oneOf
  if (forms !== undefined) {
    return merged(forms.filter(isNotNull).map((option) => schemaFields(document, option, prefix)))
  }
  if (contentSchema !== undefined) return schemaFields(document, contentSchema, prefix)
  if (items !== undefined) return schemaFields(document, items, `${prefix.replace(/\.$/, '')}[].`)
  if (typeof additionalProperties === 'object') return schemaFields(document, additionalProperties, `${prefix}*.`)
  return Object.entries(properties).flatMap(([name, one]) => [
    { name: prefix + name, schema: resolved(document, one), required: required.includes(name) },
    ...schemaFields(document, one, `${prefix}${name}.`),
  ])
}

function isNotNull({ type }: JsonSchema): boolean {
  return type !== 'null'
}

/** Merges the fields of several forms: what not all have is optional, and choices and meanings add up. */
function merged(forms: readonly (readonly SchemaField[])[]): SchemaField[] {
  const byName = Map.groupBy(forms.flat(), ({ name }) => name)
  return [...byName].map(([name, found]) => {
    const [first] = found as [SchemaField]
    const all = <K extends 'enum' | 'description'>(keyword: K) => [
      ...new Set(found.flatMap(({ schema }) => (schema as Composed)[keyword] ?? [])),
    ]
    const choices = all('enum')
    const meanings = all('description')
    const schema = {
      ...first.schema,
      ...(choices.length === 0 ? {} : { enum: choices }),
      ...(meanings.length === 0 ? {} : { description: meanings.join(' ') }),
    }
    return { name, schema, required: found.length === forms.length && found.every(({ required }) => required) }
  })
}

/** What may be sent. */
export function sentFields(document: OpenApi, fields: readonly SchemaField[]): Html {
  const rows = fields.map(({ name, schema, required }) => [
    fieldName(name),
    typeAndLimits(document, schema),
    required ? html`<strong>yes</strong>` : html`no`,
    defaultValue(schema),
    meaning(schema),
  ])
  return table('Body', ['Field', 'Type', 'Required', 'Default', 'Meaning'], rows)
}

/** What an answer contains. */
export function answeredFields(document: OpenApi, caption: string, fields: readonly SchemaField[]): Html {
  const rows = fields.map(({ name, schema, required }) => [
    html`${fieldName(name)}${required ? nothing : html` <span class="quiet">optional</span>`}`,
    typeAndLimits(document, schema),
    meaning(schema),
  ])
  return table(caption, ['Field', 'Type', 'Meaning'], rows, true)
}

export function defaultValue({ default: value }: JsonSchema): Html {
  if (value === undefined) return html`<span class="quiet">none</span>`
  return html`<code>${typeof value === 'string' ? value || '""' : JSON.stringify(value)}</code>`
}

/** Long names may break where another field begins. */
function fieldName(name: string): Html {
  const parts = name.split('.').map((part, index) => (index === 0 ? html`${part}` : html`.<wbr/>${part}`))
  return html`<code>${parts}</code>`
}

/** An example, where the name is clear enough. */
function meaning(schema: JsonSchema): Html {
  const { description, items, examples } = schema as Composed
  const words = description ?? (items as Composed | undefined)?.description
  if (words !== undefined) return prose(words)
  const example = examples?.[0]
  return typeof example === 'string' || typeof example === 'number'
    ? html`<span class="quiet">for example <code>${example}</code></span>`
    : nothing
}

export function typeAndLimits(document: OpenApi, shown: JsonSchema): Html {
  const schema = resolved(document, shown)
  const { type, items, additionalProperties } = schema as Composed
  if (typeof additionalProperties === 'object') {
    return html`object by name: ${typeAndLimits(document, additionalProperties)}`
  }
  const name = typeName(document, schema)
  const limited = limits(document, schema) ?? (items === undefined ? null : limits(document, resolved(document, items)))
  if (limited === null) return html`${name}`
  // Choices are more precise than “text”.
  return type === 'string' && schema.enum !== undefined ? limited : html`${name}: ${limited}`
}

const MAX_PATTERN_LENGTH = 100

/** Choices, range, length, number or pattern; null where the schema limits none of them. */
function limits(document: OpenApi, schema: JsonSchema): Html | null {
  const { enum: choices, minimum, maximum, minLength = 0, maxLength, minItems = 0, maxItems, pattern } = schema
  if (Array.isArray(choices)) {
    return joinHtml(
      choices.map((choice) => (choice === '' ? html`blank` : html`<code>${String(choice)}</code>`)),
      ', ',
    )
  }
  if (maximum !== undefined) return html`${String(minimum)} to ${String(maximum)}`
  if (minimum !== undefined) return html`from ${String(minimum)}`
  if (maxLength !== undefined && maxLength === minLength) return html`${String(maxLength)} characters`
  if (maxLength !== undefined) return html`${String(minLength)} to ${String(maxLength)} characters`
  if (maxItems !== undefined) return html`${String(minItems)} to ${String(maxItems)} items`
  // A long one, such as a list of names, explains less than its meaning.
  const isShown =
    typeof pattern === 'string' && !(pattern in document['x-types']) && pattern.length <= MAX_PATTERN_LENGTH
  return isShown ? html`<code>${pattern}</code>` : null
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

function typeName(document: OpenApi, shown: JsonSchema): string {
  const { anyOf, oneOf, type, items, pattern = '', format = '' } = resolved(document, shown) as Composed
  const forms = anyOf ?? oneOf
  if (forms !== undefined) return [...new Set(forms.map((option) => typeName(document, option)))].join(' or ')
  const names = [type ?? 'object'].flat().map((one) => {
    if (one === 'array') return `list of ${plural(typeName(document, items as JsonSchema))}`
    if (one === 'string') return document['x-types'][pattern] ?? FORMAT_NAMES[format] ?? 'text'
    return TYPE_NAMES[one] as string
  })
  return names.join(' or ')
}

function plural(name: string): string {
  return name === 'text' ? 'texts' : /^\w+( number)?$/.test(name) ? `${name}s` : name
}
