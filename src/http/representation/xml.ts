import {
  ifPresent,
  newSource,
  type Piece,
  propertyOf,
  type Source,
  scalarCode,
  type TextRule,
  type Writer,
} from './compile.ts'
import type { Document, Field, Node, RecordShape } from './shape.ts'

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'

export function xmlWriter(document: Document): Writer {
  const source = newSource()
  const write = nodeWriter(source, document.root, document.node)
  return source.compile(source.add([DECLARATION, { code: `${write}(value)` }]), TEXT)
}

/** The name of the function that writes a node. */
function nodeWriter(source: Source, name: string, node: Node): string {
  if (node.is === 'record') return recordWriter(source, name, node)
  const each = source.addEach([{ code: `${nodeWriter(source, node.item, node.of)}(x)` }], '')
  return source.add([`<${name}>`, { code: `${each}(value)` }, `</${name}>`])
}

function recordWriter(source: Source, name: string, node: RecordShape): string {
  const fields = Object.entries(node.fields)
  const pieces = (attributes: boolean) =>
    fields
      .filter(([, field]) => (field.place === 'attribute') === attributes)
      .flatMap(([key, field]): Piece[] =>
        field.optional
          ? [ifPresent(propertyOf(key), fieldPieces(source, key, field, 'x'))]
          : fieldPieces(source, key, field, propertyOf(key)),
      )
  return source.add([`<${name}`, ...pieces(true), '>', ...pieces(false), `</${name}>`])
}

function fieldPieces(source: Source, name: string, field: Field, value: string): Piece[] {
  if (field.place === 'node') return [{ code: `${nodeWriter(source, name, field.node)}(${value})` }]
  if (field.place === 'nodes') {
    const write = nodeWriter(source, name, field.node)
    return [{ code: `${source.addEach([{ code: `${write}(x)` }], '')}(${value})` }]
  }
  const code = scalarCode(field.scalar, value)
  return field.place === 'attribute' ? [` ${name}="`, { code }, '"'] : [`<${name}>`, { code }, `</${name}>`]
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' }

/** Characters that XML forbids are refused at input. */
const TEXT: TextRule = {
  notPlain: /[^ !#-%(-;=?-~]/,
  escaped: (text) => text.replace(/[&<>"']/g, (character) => ENTITIES[character] as string),
}
