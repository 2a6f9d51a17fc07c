import type { FastifyInstance } from 'fastify'
import type { Config } from '../../platform/config/config.ts'
import { isPrivateAddress } from '../../platform/runtime/addresses.ts'

/** Its page is the first that "Try it" of the console opens: the others are in its menu. */
const FIRST_OPERATION = 'getProfile'

/** Where the public API is tried. The browser keeps what is after "#", such as the key of an application. */
export function leadToPublicReference(app: FastifyInstance, config: Config, publicUrl: () => string): void {
  app.get('/try', (request, reply) => {
    request.record.operation = 'console'
    const url = new URL(`/docs/${FIRST_OPERATION}`, config.public.url ?? publicUrl())
    // Without PUBLIC_URL the service knows only the address that it listens on: the caller may see another machine.
    if (config.public.url === null && isOurHost(config, request.hostname)) url.hostname = request.hostname
    return reply.redirect(url.href)
  })
}

/** Any other name may be somebody else's, in a header that they wrote. */
function isOurHost({ operator }: Config, host: string): boolean {
  if (isPrivateAddress(host.replace(/^\[|\]$/g, ''))) return true
  return operator.url !== null && host === new URL(operator.url).hostname
}
