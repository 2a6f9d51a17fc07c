import type { Writer } from './json.ts'
import { scalarText } from './scalar.ts'
import type { Document, Field, Node, RecordShape, Scalar } from './shape.ts'

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'

export function xmlWriter(document: Document): Writer {
  const write = nodeWriter(document.root, document.node)
  return (value) => DECLARATION + write(value)
}

function nodeWriter(name: string, node: Node): Writer {
  if (node.is === 'record') return recordWriter(name, node)
  const write = nodeWriter(node.item, node.of)
  return (values: readonly never[]) => {
    let out = `<${name}>`
    for (const value of values) out += write(value)
    return `${out}</${name}>`
  }
}

function recordWriter(name: string, node: RecordShape): Writer {
  const fields = Object.entries(node.fields)
  const attributes = fields
    .filter((entry): entry is [string, Scalar] => entry[1].place === 'attribute')
    .map(([key, field]) => ({ key, write: attributeWriter(key, field) }))
  const contents = fields
    .filter(([, field]) => field.place !== 'attribute')
    .map(([key, field]) => ({ key, write: contentWriter(key, field) }))
  return (value: { [key: string]: never }) => {
    let out = `<${name}`
    for (const { key, write } of attributes) if (value[key] !== undefined) out += write(value[key])
    out += '>'
    for (const { key, write } of contents) if (value[key] !== undefined) out += write(value[key])
    return `${out}</${name}>`
  }
}

function attributeWriter(name: string, field: Scalar): Writer {
  const text = scalarText[field.scalar]
  return (value) => ` ${name}="${escaped(text(value))}"`
}

function contentWriter(name: string, field: Field): Writer {
  if (field.place === 'node') return nodeWriter(name, field.node)
  if (field.place === 'nodes') {
    const write = nodeWriter(name, field.node)
    return (values: readonly never[]) => values.map(write).join('')
  }
  const text = scalarText[field.scalar]
  return field.scalar === 'text'
    ? (value) => `<${name}>${escaped(text(value))}</${name}>`
    : (value) => `<${name}>${text(value)}</${name}>`
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' }

/** Characters that XML forbids cannot get here: they are refused at input. */
function escaped(text: string): string {
  return /[&<>"']/.test(text) ? text.replace(/[&<>"']/g, (character) => ENTITIES[character] as string) : text
}
