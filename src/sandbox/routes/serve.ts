// What the application at /app needs besides the API: the addresses under /sandbox play the sportsbook and the moderator. Only
// for the sandbox with its data: they show credentials and need none.

import type { FastifyReply, FastifyRequest } from 'fastify'
import { Fault } from '../../faults.ts'
import { PAGE_HEADERS, serveDocuments } from '../../http/answers/documents.ts'
import { clientNetwork } from '../../http/connection/proxies.ts'
import { isFromOwnPage, isFromThisMachine } from '../../http/connection/this-machine.ts'
import { memoryOf } from '../../http/limits/limits.ts'
import type { PublicListener } from '../../http/operations/public-listener.ts'
import type { MoreRoutes } from '../../http/public-server.ts'
import { EMPTY_BODY, readBody } from '../../http/requests/body.ts'
import { identifyCustomer } from '../../http/requests/credentials.ts'
import { Refused } from '../../platform/runtime/refused.ts'
import { pictureAddress } from '../../profiles/profile-view.ts'
import type { MatchDay } from '../afternoon/match-day.ts'
import { sandboxProfile } from '../afternoon/store.ts'
import type { SandboxContext } from '../context.ts'
import { readOpenBets } from '../world/bets.ts'
import { SANDBOX_CUSTOMERS, SANDBOX_KEY, SANDBOX_SECRET } from '../world/customers.ts'
import { decideOnFlagged } from './decisions.ts'
import { issuerPage, issuerStyle } from './issuer.ts'
import { sendProblem } from './problem.ts'
import { serveShowcase } from './showcase.ts'

const MAX_BODY = 4 * 1024
const HTML = 'text/html; charset=utf-8'

/** What the root of the sandbox leads to: the page that introduces Paddock. */
export const SANDBOX_HOME = '/app/#/welcome'

/** Whether the addresses are there at all. */
export function hasSandboxAddresses({ config }: Pick<SandboxContext, 'config'>): boolean {
  return config.mode === 'sandbox' && config.sandboxSeed && config.extensions
}

type Parts = { readonly matchDay: MatchDay; readonly consoleUrl: () => string }

export function serveSandbox(
  context: SandboxContext,
  { app, listener }: MoreRoutes,
  { matchDay, consoleUrl }: Parts,
): void {
  const serving = (handle: Handle) => limited(listener, handle)
  app.get(
    '/sandbox',
    serving(async ({ raw }) => {
      const link = isFromThisMachine(raw) && isFromOwnPage(raw) ? context.startLink?.address(consoleUrl()) : null
      return { status: 200, body: { ...(await readSandbox(context)), consoleUrl: link ?? consoleUrl() } }
    }),
  )
  app.get(
    '/sandbox/bets',
    serving(async (request) => {
      const customerId = await identifyCustomer(context.tickets, request.headers, 'required')
      return { status: 200, body: { bets: await readOpenBets(context.database, customerId as number) } }
    }),
  )
  app.get(
    '/sandbox/match-day',
    serving(async ({ headers }) => {
      return { status: 200, body: await matchDay.read(await identifyCustomer(context.tickets, headers, 'optional')) }
    }),
  )
  app.post(
    '/sandbox/match-day',
    serving(async ({ headers }) => {
      return { status: 202, body: await matchDay.start(await identifyCustomer(context.tickets, headers, 'optional')) }
    }),
  )
  app.post(
    '/sandbox/decisions',
    serving(async (request, address) => {
      const body = await readJson(listener, request, address)
      return { status: 200, body: await decideOnFlagged(context, body) }
    }),
  )
  app.get(
    '/sandbox/issuer/:paymentId',
    serving((request) => issuerPage(context.database, (request.params as { paymentId: string }).paymentId)),
  )
  serveDocuments(app, 'sandbox', [{ path: '/sandbox/issuer.css', type: 'text/css; charset=utf-8', body: issuerStyle }])
  serveShowcase(app)
}

async function readSandbox({ database, config }: SandboxContext) {
  const customers = await Promise.all(
    SANDBOX_CUSTOMERS.map(async ({ username, ticket }, index) => {
      const profile = await database.one(sandboxProfile, { customerId: index + 1 })
      return {
        username,
        ticket,
        profileId: profile?.id ?? null,
        name: profile?.name ?? username,
        picture: pictureAddress(config, profile?.picture ?? null),
      }
    }),
  )
  return { apiKey: SANDBOX_KEY, secret: SANDBOX_SECRET, customers }
}

type Handle = (request: FastifyRequest, address: string) => Promise<{ status: number; body: object | string }>

/** With the limits of operations that need no credentials (http/operations/serve-operation.ts). */
function limited({ context, slots, openSlots, openCalls, limiter }: PublicListener, handle: Handle) {
  const { config } = context
  async function withinLimits(request: FastifyRequest, address: string) {
    openCalls.take(address)
    await limiter.take('', config.rateLimit)
    return handle(request, address)
  }
  return async (request: FastifyRequest, reply: FastifyReply) => {
    request.record.operation = 'sandbox'
    reply.header('cache-control', 'no-store')
    const address = clientNetwork(request.raw, config.trustedProxies)
    const taken: (() => void)[] = []
    try {
      slots.take(null, 1)
      taken.push(() => slots.release(null, 1))
      openSlots.take(address, 1)
      taken.push(() => openSlots.release(address, 1))
      const { status, body } = await withinLimits(request, address)
      reply.code(status)
      // A text is a page.
      if (typeof body === 'string') return reply.headers({ ...PAGE_HEADERS, 'content-type': HTML }).send(body)
      return reply.header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(body))
    } catch (error) {
      return sendProblem(request, reply, error)
    } finally {
      for (const release of taken) release()
    }
  }
}

async function readJson({ context, bodyMemory }: PublicListener, request: FastifyRequest, address: string) {
  // Pages of other sites cannot send this type without a preflight request.
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? ''))
    throw new Refused('invalid', 'Send JSON with content-type: application/json.')
  const { bodyMs } = context.config.deadlines
  const rules = { largest: MAX_BODY, deadlineMs: bodyMs, ...memoryOf(bodyMemory, address) }
  let body: Buffer = EMPTY_BODY
  try {
    body = await readBody(request.raw, rules)
    return JSON.parse(body.toString()) as unknown
  } catch (error) {
    if (error instanceof Fault) throw error
    throw new Refused('invalid', 'The body is not JSON.')
  } finally {
    bodyMemory.release(address, body.length)
  }
}
