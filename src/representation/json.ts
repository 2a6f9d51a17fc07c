import { scalarText } from './scalar.ts'
import type { Document, Field, Node, RecordShape } from './shape.ts'

/** Writes a value that is known to be of the shape; compiled once, so that writing is concatenation alone. */
export type Writer = (value: never) => string

export function jsonWriter(document: Document): Writer {
  const write = nodeWriter(document.node)
  const head = `{${JSON.stringify(document.root)}:`
  return (value) => `${head}${write(value)}}`
}

function nodeWriter(node: Node): Writer {
  if (node.is === 'record') return recordWriter(node)
  const write = nodeWriter(node.of)
  const [before, after] = node.json === 'entries' ? [`{${JSON.stringify(node.item)}:`, '}'] : ['', '']
  return (values: readonly never[]) => {
    let out = '['
    for (let index = 0; index < values.length; index++) {
      if (index > 0) out += ','
      out += before + write(values[index] as never) + after
    }
    return `${out}]`
  }
}

function recordWriter(node: RecordShape): Writer {
  const fields = Object.entries(node.fields).map(([name, field]) => ({
    name,
    key: `${JSON.stringify(name)}:`,
    write: fieldWriter(field),
  }))
  return (value: { [name: string]: never }) => {
    let out = ''
    for (const { name, key, write } of fields) {
      const content = value[name]
      if (content === undefined) continue
      out += out === '' ? key : `,${key}`
      out += write(content)
    }
    return `{${out}}`
  }
}

function fieldWriter(field: Field): Writer {
  if (field.place === 'node') return nodeWriter(field.node)
  if (field.place === 'nodes') {
    const write = nodeWriter(field.node)
    return (values: readonly never[]) =>
      values.length === 1 ? write(values[0] as never) : `[${values.map(write).join(',')}]`
  }
  const text = scalarText[field.scalar]
  return field.scalar === 'text' ? (value) => quoted(text(value)) : (value) => `"${text(value)}"`
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what JSON escapes
const NEEDS_ESCAPE = /[\u0000-\u001f"\\\ud800-\udfff]/

function quoted(text: string): string {
  return NEEDS_ESCAPE.test(text) ? JSON.stringify(text) : `"${text}"`
}
