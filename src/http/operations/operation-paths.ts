import type { Operation } from './operation.ts'

type Located = Pick<Operation, 'method' | 'path' | 'alsoAt'>

/** `listed`: an Allow header names the method at this path. */
type ServedPath<O> = {
  readonly method: string
  readonly path: string
  readonly operation: O
  readonly listed: boolean
}

/**
 * Every method and path that reaches an operation: those of its row, HEAD for each GET, and the path without its last id, which
 * is refused for the missing id, unless another operation has that path.
 */
export function servedPaths<O extends Located>(operations: readonly O[]): ServedPath<O>[] {
  const own = operations.flatMap((operation) =>
    pathsOf(operation).map((path): ServedPath<O> => ({ method: operation.method, path, operation, listed: true })),
  )
  const heads = own.filter(({ method }) => method === 'GET').map((one): ServedPath<O> => ({ ...one, method: 'HEAD' }))
  const described = new Set(own.map(({ path }) => path))
  const withoutId = [...own, ...heads].map((one): ServedPath<O> => {
    const path = withoutLastId(one.path)
    return { ...one, path, listed: !described.has(path) }
  })
  const found = new Map<string, ServedPath<O>>()
  for (const one of [...own, ...heads, ...withoutId]) {
    const key = `${one.method} ${one.path}`
    if (!found.has(key)) found.set(key, one)
  }
  return [...found.values()]
}

export function pathsOf(operation: Located): string[] {
  return [operation.path, ...(operation.alsoAt ?? [])]
}

function withoutLastId(path: string): string {
  return path.replace(/\/\{\w+\}$/, '')
}
