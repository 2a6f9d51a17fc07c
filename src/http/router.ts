// Finds the operation of a path, before Fastify sees the request: operations need none of its request, reply and hooks, which cost
// more than the routing. A literal part of a path takes precedence over a variable one.

import { compileRowFactory } from '../platform/runtime/compile-row-factory.ts'
import { wellFormedPath } from './connection/well-formed-path.ts'

type Found<T> = {
  readonly target: T
  /** The path that it was added with. */
  readonly route: string
  readonly variables: Readonly<Record<string, string>>
}

type Leaf<T> = {
  readonly target: T
  readonly route: string
  readonly toVariables: (values: readonly string[]) => Record<string, string>
}
type Node<T> = { readonly literals: Map<string, Node<T>>; variable: Node<T> | null; leaf: Leaf<T> | null }

export function newRouter<T>() {
  const methods = new Map<string, Node<T>>()
  let mostVariables = 0

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
      node.leaf = { target, route: path, toVariables: compileRowFactory(names) as Leaf<T>['toVariables'] }
      mostVariables = Math.max(mostVariables, names.length)
    },
    /** null: no operation has this path. */
    find(method: string, url: string): Found<T> | null {
      const root = methods.get(method)
      if (root === undefined) return null
      const written = pathOf(url)
      const isEncoded = written.includes('%')
      const values = new Array<string>(mostVariables)
      const leaf = descend(root, { path: isEncoded ? wellFormedPath(written) : written, isEncoded, values }, 1, 0)
      return leaf === null ? null : { target: leaf.target, route: leaf.route, variables: leaf.toVariables(values) }
    },
  }
}

function newNode<T>(): Node<T> {
  return { literals: new Map(), variable: null, leaf: null }
}

/** '' for a URL without a path. */
export function pathOf(url: string): string {
  const end = url.indexOf('?')
  const path = end === -1 ? url : url.slice(0, end)
  return path.startsWith('/') ? path : pathOfAbsolute(path)
}

/** A client may send an absolute URL, as it would to a proxy. */
function pathOfAbsolute(url: string): string {
  const scheme = /^https?:\/\//i.exec(url)?.[0]
  const start = scheme === undefined ? -1 : url.indexOf('/', scheme.length)
  return start === -1 ? '' : url.slice(start)
}

type Search = { readonly path: string; readonly isEncoded: boolean; readonly values: string[] }

/** Continues from `node` with the part of the path that begins at `from`, after `count` variable parts. */
function descend<T>(node: Node<T>, search: Search, from: number, count: number): Leaf<T> | null {
  const { path, isEncoded, values } = search
  if (from > path.length) return node.leaf
  const slash = path.indexOf('/', from)
  const end = slash === -1 ? path.length : slash
  const written = path.slice(from, end)
  const part = isEncoded ? decodeURIComponent(written) : written
  const literal = node.literals.get(part)
  const found = literal === undefined ? null : descend(literal, search, end + 1, count)
  if (found !== null) return found
  values[count] = part
  const variable = node.variable === null ? null : descend(node.variable, search, end + 1, count + 1)
  // A slash at the end is a missing id where one is expected, and is ignored elsewhere.
  return variable === null && from === path.length ? node.leaf : variable
}
