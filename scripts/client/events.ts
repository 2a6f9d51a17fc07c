// The types of events, from the table of kinds.

import type { JsonSchema } from '../../src/http/representation/json-schema.ts'
import { EVENT_KINDS, type EventKind, eventKinds } from '../../src/operator/events/event-kinds.ts'
import { STREAMED_EVENTS } from '../../src/streams/public/kinds.ts'
import { commentOf } from './text.ts'

const isKind = (name: string): name is EventKind => name in eventKinds

export function eventTypes(): string[] {
  const streamed = Object.keys(STREAMED_EVENTS).filter(isKind)
  const data = EVENT_KINDS.map((kind) => {
    const { meaning, data: schema } = eventKinds[kind]
    return `${commentOf(meaning)}'${kind}': ${typeOf(schema)}`
  })
  const subjects = EVENT_KINDS.map((kind) => `'${kind}': ${union(eventKinds[kind].subjects)}`)
  return [
    `/** The data of each kind of event. */\nexport interface EventData {\n${data.join('\n')}\n}`,
    `/** What each kind of event is about. */\nexport interface EventSubjects {\n${subjects.join('\n')}\n}`,
    'export type EventKind = keyof EventData',
    `/** The kinds that the stream carries. */\nexport type StreamedKind = ${union(streamed)}`,
  ]
}

function union(values: readonly (string | null)[]): string {
  return values.map((value) => (value === null ? 'null' : `'${value}'`)).join(' | ')
}

function typeOf(schema: JsonSchema): string {
  if (schema.type === 'object') return objectType(schema)
  if (schema.type === 'array') return `(${typeOf(schema.items as JsonSchema)})[]`
  if (schema.enum !== undefined) return union(schema.enum as (string | null)[])
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeOf({ type })).join(' | ')
  return String(schema.type === 'integer' ? 'number' : schema.type)
}

function objectType({ properties, required }: JsonSchema): string {
  const fields = Object.entries(properties as { [name: string]: JsonSchema }).map(([name, schema]) => {
    const isId = schema.pattern === '^[0-9]+$'
    if (isId !== name.endsWith('Id')) throw new Error(`${name}: the client takes fields that end with Id for numbers`)
    const mark = (required as readonly string[]).includes(name) ? '' : '?'
    return `${commentOf(schema.description as string | undefined)}${name}${mark}: ${isId ? 'number' : typeOf(schema)}`
  })
  return fields.length === 0 ? 'Record<never, never>' : `{\n${fields.join('\n')}\n}`
}
