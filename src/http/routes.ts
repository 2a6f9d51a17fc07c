import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A route that only explains what is missing; it does not count as serving its method. */
    unlisted?: boolean
    /** It calls finishRequest by itself. */
    finishesItself?: boolean
  }
}

type Route = { pattern: RegExp; variables: number; methods: Set<string> }

/**
 * Remembers every route that is mounted from now on. The answer tells which methods a path serves, for 405 and its
 * Allow header; null: nothing is there. Of several routes that fit, the most literal one speaks.
 */
export function trackRoutes(app: FastifyInstance): (path: string) => string[] | null {
  const routes = new Map<string, Route>()
  app.addHook('onRoute', ({ url, method, config }) => {
    if (config?.unlisted) return
    const route = routes.get(url) ?? newRoute(url)
    routes.set(url, route)
    for (const one of [method].flat()) route.methods.add(one)
  })
  return (path) => {
    const fitting = [...routes.values()].filter(({ pattern }) => pattern.test(path))
    const [literal] = fitting.sort((one, other) => one.variables - other.variables)
    return literal === undefined ? null : [...literal.methods].sort()
  }
}

function newRoute(url: string): Route {
  const pattern = new RegExp(`^${url.replace(/[.]/g, '\\.').replace(/:\w+/g, '[^/]*')}$`)
  return { pattern, variables: url.split(':').length, methods: new Set() }
}
