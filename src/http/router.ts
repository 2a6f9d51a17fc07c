// Finds what serves a path. Operations are found here, before Fastify sees the request: they have no need of its request,
// reply and hooks, which cost more than finding. A literal part of a path goes before a variable one.

import { objectMaker } from '../objects.ts'
import { mendedPath } from './paths.ts'

export type Found<T> = { readonly target: T; readonly variables: Readonly<Record<string, string>> }

type Leaf<T> = { readonly target: T; readonly named: (values: readonly string[]) => Record<string, string> }
type Node<T> = { readonly literals: Map<string, Node<T>>; variable: Node<T> | null; leaf: Leaf<T> | null }

export function newRouter<T>() {
  const methods = new Map<string, Node<T>>()

  return {
    /** A path such as /v1/profiles/{id}. */
    add(method: string, path: string, target: T): void {
      let node = methods.get(method) ?? newNode<T>()
      methods.set(method, node)
      const names: string[] = []
      for (const part of path.slice(1).split('/')) {
        const name = /^\{(\w+)\}$/.exec(part)?.[1]
        const next: Node<T> = (name === undefined ? node.literals.get(part) : node.variable) ?? newNode()
        if (name === undefined) node.literals.set(part, next)
        else {
          node.variable = next
          names.push(name)
        }
        node = next
      }
      if (node.leaf !== null) throw new Error(`${method} ${path} is served twice`)
      node.leaf = { target, named: objectMaker(names) as Leaf<T>['named'] }
    },
    /** null: nothing is there. */
    find: (method: string, url: string): Found<T> | null => find(methods, method, url),
  }
}

function newNode<T>(): Node<T> {
  return { literals: new Map(), variable: null, leaf: null }
}

function find<T>(methods: ReadonlyMap<string, Node<T>>, method: string, url: string): Found<T> | null {
  const root = methods.get(method)
  if (root === undefined) return null
  const values: string[] = []
  const leaf = descend(root, partsOf(url), 1, values)
  if (leaf === null) return null
  return { target: leaf.target, variables: leaf.named(values) }
}

function descend<T>(node: Node<T>, parts: readonly string[], index: number, values: string[]): Leaf<T> | null {
  if (index === parts.length) return node.leaf
  const part = parts[index] as string
  const literal = node.literals.get(part)
  const found = literal === undefined ? null : descend(literal, parts, index + 1, values)
  if (found !== null || node.variable === null) return found
  values.push(part)
  const variable = descend(node.variable, parts, index + 1, values)
  if (variable === null) values.pop()
  return variable
}

/** The parts of a path, decoded; the first is what stands before the first slash. */
function partsOf(url: string): string[] {
  const end = url.indexOf('?')
  const asked = end === -1 ? url : url.slice(0, end)
  // A client may name us in full, as it would a proxy.
  const path = asked.startsWith('/') ? asked : asked.replace(/^https?:\/\/[^/]*/i, '')
  if (!path.includes('%')) return splitAtSlashes(path)
  return mendedPath(path).split('/').map(decodeURIComponent)
}

/** As `split` does, which calls out of compiled code and takes twice as long. */
function splitAtSlashes(path: string): string[] {
  const parts: string[] = []
  let from = 0
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', from)) {
    parts.push(path.slice(from, at))
    from = at + 1
  }
  parts.push(path.slice(from))
  return parts
}
