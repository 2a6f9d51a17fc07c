import { readAssetText } from '../../platform/runtime/assets.ts'
import { once } from '../../platform/runtime/once.ts'
import type { Document, Field, Node, RecordShape, ScalarKind } from './shape.ts'

/** Our own types, for scalars that no XSD type fits: name and lines. They are declared only in schemas that use them. */
const ownTypes = once(() => {
  const [, ...types] = readAssetText('own-types.xsd')
    .replace('</xs:schema>', '')
    .split(/(?= {2}<xs:simpleType)/)
  return types.map((type) => [/name="(\w+)"/.exec(type)?.[1], type.trimEnd().split('\n')] as const)
})

const TYPE: { readonly [K in ScalarKind]: string } = {
  integer: 'xs:nonNegativeInteger',
  signedInteger: 'xs:integer',
  decimal: 'xs:decimal',
  signedDecimal: 'signedDecimal',
  fraction: 'fraction',
  text: 'xs:string',
  yesNo: 'yesNo',
  date: 'date',
  dateTime: 'zonedDateTime',
  utcDateTime: 'utcDateTime',
  status: 'status',
}

type Lines = readonly string[]

/**
 * The schema of one document. Each operation has its own, because one element name has different content in
 * different answers. combined-xsd.ts has one for all, which is less strict.
 */
export function xsd(document: Document): string {
  return schemaOf([document])
}

/** One schema for documents with different roots. */
export function schemaOf(documents: readonly Document[]): string {
  const roots = documents.flatMap(({ root, node }) => nodeElement(root, node, ''))
  const used = ownTypes().filter(([name]) => roots.some((line) => line.includes(`type="${name}"`)))
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">',
    ...indented(roots),
    ...used.flatMap(([, type]) => type),
    '</xs:schema>',
  ]
  return `${lines.join('\n')}\n`
}

function nodeElement(name: string, node: Node, occurs: string, meaning?: string): Lines {
  const content = [...documentation(meaning), ...nodeType(node)]
  return [`<xs:element name="${name}"${occurs}>`, ...indented(content), '</xs:element>']
}

function documentation(meaning: string | undefined): Lines {
  if (meaning === undefined) return []
  const escaped = meaning.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return [`<xs:annotation><xs:documentation>${escaped}</xs:documentation></xs:annotation>`]
}

function nodeType(node: Node): Lines {
  if (node.is === 'record') return recordType(node)
  // At least one: an empty list is answered with 204 and has no document.
  const item = nodeElement(node.item, node.of, `${node.mayBeEmpty ? ' minOccurs="0"' : ''} maxOccurs="unbounded"`)
  return complexType([...orderedSequence(item)])
}

/** Attributes are unordered in XML, but XSD requires their declarations last. */
function recordType(node: RecordShape): Lines {
  const fields = Object.entries(node.fields)
  const contents = fields.flatMap(([name, field]) => contentElement(name, field))
  const attributes = fields.flatMap(([name, field]) => attributeDeclaration(name, field))
  return complexType([...orderedSequence(contents), ...attributes])
}

function contentElement(name: string, field: Field): Lines {
  if (field.place === 'attribute') return []
  const least = field.optional ? ' minOccurs="0"' : ''
  if (field.place === 'node') return nodeElement(name, field.node, least, field.meaning)
  if (field.place === 'nodes') {
    const atLeast = field.array ? ' minOccurs="0"' : least
    return nodeElement(name, field.node, `${atLeast} maxOccurs="unbounded"`, field.meaning)
  }
  return declaration('element', `name="${name}" type="${TYPE[field.scalar]}"${least}`, field.meaning)
}

function attributeDeclaration(name: string, field: Field): Lines {
  if (field.place !== 'attribute') return []
  const use = field.optional ? '' : ' use="required"'
  return declaration('attribute', `name="${name}" type="${TYPE[field.scalar]}"${use}`, field.meaning)
}

function declaration(what: 'element' | 'attribute', attributes: string, meaning: string | undefined): Lines {
  if (meaning === undefined) return [`<xs:${what} ${attributes}/>`]
  return [`<xs:${what} ${attributes}>`, ...indented(documentation(meaning)), `</xs:${what}>`]
}

function orderedSequence(elements: Lines): Lines {
  return elements.length === 0 ? [] : ['<xs:sequence>', ...indented(elements), '</xs:sequence>']
}

function complexType(content: Lines): Lines {
  return ['<xs:complexType>', ...indented(content), '</xs:complexType>']
}

function indented(lines: Lines): Lines {
  return lines.map((line) => `  ${line}`)
}
