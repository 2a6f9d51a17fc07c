// One schema for all documents, from which a generator makes one set of classes. A schema without a namespace can declare a root
// only once, so documents of one root are merged: what not all of them have is optional.

import type { Document, Field, Node, RecordShape } from './shape.ts'
import { schemaOf } from './xsd.ts'

/** Accepts every document that the schema of one of them accepts. The schema of each is stricter (xsd.ts). */
export function combinedXsd(documents: readonly Document[]): string {
  const roots = Map.groupBy(documents, ({ root }) => root)
  return schemaOf([...roots].map(([root, same]) => ({ root, node: mergeNodes(same.map(({ node }) => node)) })))
}

function mergeNodes(nodes: readonly Node[]): RecordShape {
  const records = nodes.map(asRecord)
  const names = inOrder(records.map(({ fields }) => Object.keys(fields)))
  const fields = names.map((name) => {
    const found = records.flatMap(({ fields }) => fields[name] ?? [])
    return [name, mergeFields(name, found, found.length < records.length)] as const
  })
  return { is: 'record', fields: Object.fromEntries(fields) }
}

/** Maps a sequence to a record of one repeated field, as XML writes it. */
function asRecord(node: Node): RecordShape {
  if (node.is === 'record') return node
  return {
    is: 'record',
    fields: { [node.item]: { place: 'nodes', node: node.of, optional: node.mayBeEmpty ?? false } },
  }
}

function mergeFields(name: string, fields: readonly Field[], isMissing: boolean): Field {
  const [first] = fields as [Field]
  const meaning = fields.find((field) => field.meaning !== undefined)?.meaning
  const presence = {
    optional: isMissing || fields.some((field) => field.optional || ('array' in field && field.array)),
    ...(meaning === undefined ? {} : { meaning }),
  }
  const nodes = fields.flatMap((field) => ('node' in field ? [field.node] : []))
  if (nodes.length === fields.length) {
    const place = fields.some((field) => field.place === 'nodes') ? 'nodes' : 'node'
    return { place, node: mergeNodes(nodes), ...presence }
  }
  if (!('scalar' in first) || fields.some(({ place }) => place !== first.place)) {
    throw new Error(`${name} is an attribute, a text and a node in different documents: name it differently`)
  }
  const isSame = fields.every((field) => 'scalar' in field && field.scalar === first.scalar)
  return { place: first.place, scalar: isSame ? first.scalar : 'text', ...presence }
}

/** All names, each after those that come before it in one of the lists. */
function inOrder(lists: readonly (readonly string[])[]): string[] {
  const before = new Map<string, Set<string>>()
  for (const list of lists) {
    for (const [index, name] of list.entries()) {
      const known = before.get(name) ?? new Set()
      for (const one of list.slice(0, index)) known.add(one)
      before.set(name, known)
    }
  }
  const ordered: string[] = []
  while (before.size > 0) {
    const [next] = [...before].find(([, earlier]) => [...earlier].every((name) => ordered.includes(name))) ?? []
    if (next === undefined) throw new Error(`${[...before.keys()].join(', ')} have no common order`)
    ordered.push(next)
    before.delete(next)
  }
  return ordered
}
