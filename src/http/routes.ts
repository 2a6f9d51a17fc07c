import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** All paths that a route with a variable part serves, where they are known. */
    paths?: readonly string[]
  }
}

/** A part of a path that begins with a colon is variable. */
type Route = { parts: string[]; variables: number; methods: Set<string> }

export type Routes = ReturnType<typeof trackRoutes>

/** Lists the routes that Fastify mounts from now on, and those added here because they are served before Fastify. */
export function trackRoutes(app: FastifyInstance) {
  const routes = new Map<string, Route>()
  const add = (url: string, method: string): void => {
    const route = routes.get(url) ?? newRoute(url)
    routes.set(url, route)
    route.methods.add(method)
  }
  app.addHook('onRoute', ({ url, method, config }) => {
    for (const one of [method].flat()) for (const path of config?.paths ?? [url]) add(path, one)
  })
  return {
    add,
    /**
     * The methods of a path, for 405 and its Allow header; null: no route has this path. Of several routes that match, the
     * most literal one counts.
     */
    methodsAt(path: string): string[] | null {
      const written = partsOf(path)
      const matching = [...routes.values()].filter(({ parts }) => areMatched(parts, written))
      const [literal] = matching.sort((one, other) => one.variables - other.variables)
      return literal === undefined ? null : [...literal.methods].sort()
    },
  }
}

function newRoute(url: string): Route {
  const parts = partsOf(url)
  return { parts, variables: parts.filter(isVariable).length, methods: new Set() }
}

/** A slash at the end adds no part. */
function partsOf(path: string): string[] {
  return (path.endsWith('/') ? path.slice(0, -1) : path).split('/')
}

function isVariable(part: string): boolean {
  return part.startsWith(':')
}

function areMatched(parts: readonly string[], written: readonly string[]): boolean {
  return parts.length === written.length && parts.every((part, index) => isVariable(part) || part === written[index])
}
