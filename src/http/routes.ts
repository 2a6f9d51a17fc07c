import type { FastifyInstance } from 'fastify'

type Route = { pattern: RegExp; variables: number; methods: Set<string> }

export type Routes = ReturnType<typeof trackRoutes>

/** Remembers every route that is mounted from now on, and those that are found before Fastify. */
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
     * Which methods a path serves, for 405 and its Allow header; null: nothing is there. Of several routes that fit, the
     * most literal one speaks.
     */
    methodsAt(path: string): string[] | null {
      const fitting = [...routes.values()].filter(({ pattern }) => pattern.test(path))
      const [literal] = fitting.sort((one, other) => one.variables - other.variables)
      return literal === undefined ? null : [...literal.methods].sort()
    },
  }
}

function newRoute(url: string): Route {
  const pattern = new RegExp(`^${url.replace(/[.]/g, '\\.').replace(/:\w+/g, '[^/]*')}/?$`)
  return { pattern, variables: url.split(':').length, methods: new Set() }
}
