import {
  ifPresent,
  joined,
  newSource,
  type Piece,
  propertyOf,
  type Source,
  scalarCode,
  type TextRule,
  type Writer,
} from './compile.ts'
import type { Document, Field, Node, RecordShape } from './shape.ts'

export function jsonWriter(document: Document): Writer {
  const source = newSource()
  const write = nodeWriter(source, document.node)
  const entry = source.add([`{${JSON.stringify(document.root)}:`, { code: `${write}(value)` }, '}'])
  return source.compile(entry, TEXT)
}

/** The name of the function that writes a node. */
function nodeWriter(source: Source, node: Node): string {
  if (node.is === 'record') return recordWriter(source, node)
  const item = { code: `${nodeWriter(source, node.of)}(x)` }
  const entry = node.json === 'entries' ? [`{${JSON.stringify(node.item)}:`, item, '}'] : [item]
  const each = source.addEach(entry, ',')
  return source.add(['[', { code: `${each}(value)` }, ']'])
}

function recordWriter(source: Source, node: RecordShape): string {
  const fields = Object.entries(node.fields)
  const pieces = fields.flatMap(([name, field], place): Piece[] => {
    const key = `${place === 0 ? '' : ','}${JSON.stringify(name)}:`
    if (field.optional) return [ifPresent(propertyOf(name), [key, ...fieldPieces(source, field, 'x')])]
    return [key, ...fieldPieces(source, field, propertyOf(name))]
  })
  if (!fields[0]?.[1].optional) return source.add(['{', ...pieces, '}'])
  // Where the first field may be absent, the comma before the next one is removed.
  return source.add(['{', { code: `(${joined(pieces)}).replace(/^,/, "")` }, '}'])
}

function fieldPieces(source: Source, field: Field, value: string): Piece[] {
  if (field.place === 'node') return [{ code: `${nodeWriter(source, field.node)}(${value})` }]
  if (field.place === 'nodes') {
    const write = nodeWriter(source, field.node)
    const each = source.addEach([{ code: `${write}(x)` }], ',')
    if (field.array) return ['[', { code: `${each}(${value})` }, ']']
    const several = source.add([
      { code: `(value.length === 1 ? ${write}(value[0]) : ${joined(['[', { code: `${each}(value)` }, ']'])})` },
    ])
    return [{ code: `${several}(${value})` }]
  }
  return ['"', { code: scalarCode(field.scalar, value) }, '"']
}

const TEXT: TextRule = {
  notPlain: /[^ !#-[\]-~]/,
  escaped: (text) => JSON.stringify(text).slice(1, -1),
}
