import type { FastifyInstance } from 'fastify'

type Route = { pattern: RegExp; variables: number; methods: Set<string> }

export type Routes = ReturnType<typeof trackRoutes>

/** Lists the routes that Fastify mounts from now on, and those added here because they are served before Fastify. */
export function trackRoutes(app: FastifyInstance) {
  const routes = new Map<string, Route>()
  const add = (url: string, method: string): void => {
    const route = routes.get(url) ?? newRoute(url)
    routes.set(url, route)
    route.methods.add(method)
  }
  app.addHook('onRoute', ({ url, method }) => {
    for (const one of [method].flat()) add(url, one)
  })
  return {
    add,
    /**
     * The methods of a path, for 405 and its Allow header; null: no route has this path. Of several routes that match, the
     * most literal one counts.
     */
    methodsAt(path: string): string[] | null {
      const matching = [...routes.values()].filter(({ pattern }) => pattern.test(path))
      const [literal] = matching.sort((one, other) => one.variables - other.variables)
      return literal === undefined ? null : [...literal.methods].sort()
    },
  }
}

function newRoute(url: string): Route {
  const pattern = new RegExp(`^${url.replace(/[.]/g, '\\.').replace(/:\w+/g, '[^/]*')}/?$`)
  return { pattern, variables: url.split(':').length, methods: new Set() }
}
