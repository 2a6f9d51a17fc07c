// What the TypeScript client must answer, read from the answer of the service by its shape, not by the client's own table.

import { Paddock, type PaddockOptions } from '../../clients/typescript/src/index.ts'
import type { Operation } from '../../src/http/operations/operation.ts'
import type { Document, Field, Node, ScalarKind } from '../../src/http/representation/shape.ts'
import { parseXml } from './answers.ts'
import { KEY, SECRET, type TestService } from './service.ts'

export function clientOf(
  { publicUrl }: Pick<TestService, 'publicUrl'>,
  options: Partial<PaddockOptions> = {},
): Paddock {
  return new Paddock({ baseUrl: publicUrl, apiKey: KEY, secret: SECRET, ...options })
}

/** One part of an answer, in either representation. */
type Part = {
  text: string | undefined
  field(name: string, place: Field['place']): Part[]
  items(name: string): Part[]
}

export function expectedAnswer({ answer }: Operation, text: string): unknown {
  const document = answer.document as Document
  const root = text.startsWith('<') ? xmlPart(parseXml(text)) : jsonPart(JSON.parse(text)[document.root])
  const whole = decoded(document.node, root)
  const isSingle = document.node.is === 'sequence' && !answer.mayBeEmpty
  const single = isSingle ? (whole as unknown[])[0] : whole
  if (document.node.is === 'sequence') return single
  const fields = Object.values(document.node.fields)
  return fields.length === 1 && 'node' in (fields[0] as Field) ? Object.values(whole as object)[0] : whole
}

function decoded(node: Node, part: Part): unknown {
  if (node.is === 'sequence') return part.items(node.item).map((item) => decoded(node.of, item))
  const fields = Object.entries(node.fields).flatMap(([name, field]): [string, unknown][] => {
    const parts = part.field(name, field.place)
    if (field.place === 'nodes') return [[name, parts.map((one) => decoded(field.node, one))]]
    const [only] = parts
    if (only === undefined) return []
    return [[name, 'node' in field ? decoded(field.node, only) : SCALARS[field.scalar](only.text as string)]]
  })
  return Object.fromEntries(fields)
}

const text = (written: string) => written
const SCALARS: { readonly [K in ScalarKind]: (written: string) => unknown } = {
  integer: Number,
  signedInteger: Number,
  decimal: text,
  signedDecimal: text,
  fraction: text,
  text,
  yesNo: (written) => written === 'Y',
  date: (written) => new Date(`${written}T00:00:00Z`),
  dateTime: (written) => new Date(written),
  utcDateTime: (written) => new Date(`${written} UTC`),
  status: text,
}

type Xml = ReturnType<typeof parseXml>

function xmlPart(node: Xml): Part {
  const named = (name: string) => node.children.filter((child) => child.name === name).map(xmlPart)
  return {
    text: node.text,
    field(name, place) {
      if (place !== 'attribute') return named(name)
      const value = node.attributes[name]
      return value === undefined ? [] : [{ text: value, field: () => [], items: () => [] }]
    },
    items: named,
  }
}

type Json = string | Json[] | { [name: string]: Json }

function jsonPart(json: Json): Part {
  return {
    text: typeof json === 'string' ? json : undefined,
    field(name, place) {
      const value = (json as { [name: string]: Json })[name]
      if (value === undefined) return []
      return (place === 'nodes' && Array.isArray(value) ? value : [value]).map(jsonPart)
    },
    items: (name) =>
      (json as Json[]).map((item) => {
        const only =
          typeof item === 'object' && !Array.isArray(item) && Object.keys(item).length === 1 ? item[name] : undefined
        return jsonPart(only ?? item)
      }),
  }
}
