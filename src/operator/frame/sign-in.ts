// Signing in to the console through an OpenID provider. The browser goes to the provider and comes back with a code;
// what the attempt must come back with is in a cookie of its own until then, so that nobody can be signed in by a link
// that another person made (CSRF), and the service keeps nothing for attempts that are never finished.

import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { OpenIdSettings } from '../../config/config.ts'
import type { Context } from '../../context.ts'
import { clientAddress } from '../../http/proxies.ts'
import { beginConsoleSession, endConsoleSession, operatorOfPerson } from '../../operator-access/console-sessions.ts'
import type { Attempt, openIdProvider, SignInRefused } from '../../operator-access/openid.ts'
import {
  cookieOf,
  refuseForeignPages,
  removedSessionCookie,
  sessionCookie,
  sessionOfCookie,
  setCookie,
} from './console-cookie.ts'
import type { RequestAudit } from './request-audit.ts'

const ATTEMPT_COOKIE = '__Host-paddock-sign-in'
/** How long a person may take at the provider. */
const ATTEMPT_SECONDS = 600

type Provider = ReturnType<typeof openIdProvider>

export function serveSignIn(app: FastifyInstance, context: Context, audit: RequestAudit): void {
  const { openId } = context.config.operator
  app.get('/sign-in', async (request, reply) => {
    request.served.operation = 'signInOptions'
    const signedIn = openId !== null && (await sessionOfCookie(context, request.headers)) !== null
    return unstored(reply).send({ openId: openId !== null, signedIn })
  })
  if (openId === null) return
  // Loaded when it is chosen: what checks signatures takes a tenth of a start to load.
  const provider = import('../../operator-access/openid.ts').then((module) =>
    module.openIdProvider(openId, context.now),
  )
  app.get('/sign-in/openid', async (request, reply) => {
    request.served.operation = 'beginSignIn'
    return refusedInConsole({ context, openId, audit }, { request, reply }, async () => begin(await provider, reply))
  })
  app.get('/sign-in/openid/callback', async (request, reply) => {
    request.served.operation = 'finishSignIn'
    reply.header('set-cookie', setCookie(ATTEMPT_COOKIE, '', { sameSite: 'Lax', maxAgeSeconds: 0 }))
    const asked = { request, reply }
    return refusedInConsole({ context, openId, audit }, asked, () =>
      finish({ context, openId, audit }, provider, asked),
    )
  })
  app.delete('/sign-in', async (request, reply) => {
    request.served.operation = 'signOut'
    refuseForeignPages(request.headers)
    const session = await sessionOfCookie(context, request.headers)
    if (session !== null) {
      await endConsoleSession(audit.auditedFor(request, session.operator, 'signOut', {}), session.id)
    }
    return unstored(reply).header('set-cookie', removedSessionCookie()).code(204).send()
  })
}

async function begin(provider: Provider, reply: FastifyReply): Promise<FastifyReply> {
  const attempt: Attempt = { state: secret(), nonce: secret(), verifier: secret() }
  const address = await provider.addressToSignIn(attempt)
  const value = [attempt.state, attempt.nonce, attempt.verifier].join('.')
  // Lax: the provider's redirect comes from another site, and a strict cookie would not come with it.
  reply.header('set-cookie', setCookie(ATTEMPT_COOKIE, value, { sameSite: 'Lax', maxAgeSeconds: ATTEMPT_SECONDS }))
  return unstored(reply).redirect(address, 302)
}

type Frame = { context: Context; openId: OpenIdSettings; audit: RequestAudit }
type Asked = { request: FastifyRequest; reply: FastifyReply }

async function finish({ context, openId, audit }: Frame, provider: Promise<Provider>, { request, reply }: Asked) {
  const { issuer, consoleUrl } = openId
  const { SignInRefused } = await import('../../operator-access/openid.ts')
  const { state, code, error, iss } = request.query as Record<string, unknown>
  const attempt = attemptOf(request)
  if (attempt === null || state !== attempt.state) {
    throw new SignInRefused('expired', 'The browser did not begin this attempt, or too long ago')
  }
  if (iss !== undefined && iss !== issuer) throw new SignInRefused('not-valid', 'Another issuer sent the browser back')
  if (typeof code !== 'string') throw new SignInRefused('denied', `The provider answered ${String(error ?? 'no code')}`)
  const person = await (await provider).personOf(code, attempt)
  const database = audit.auditedFor(request, operatorOfPerson(person), 'signIn', { subject: person.subject })
  reply.header('set-cookie', sessionCookie(await beginConsoleSession(database, person, context.now())))
  return unstored(reply).redirect(`${consoleUrl}/`, 303)
}

function attemptOf(request: FastifyRequest): Attempt | null {
  const [state = '', nonce = '', verifier = ''] = (cookieOf(request.headers, ATTEMPT_COOKIE) ?? '').split('.')
  return state === '' || nonce === '' || verifier === '' ? null : { state, nonce, verifier }
}

/** The console says in words what went wrong; the log has the details. */
async function refusedInConsole<T>(
  { context: { log, config }, openId: { consoleUrl }, audit }: Frame,
  { request, reply }: Asked,
  work: () => Promise<T>,
): Promise<T | FastifyReply> {
  try {
    return await work()
  } catch (error) {
    const { reason } = error as Partial<SignInRefused>
    if (reason === undefined) throw error
    const { message, cause } = error as Error
    const details = {
      id: request.served.id,
      reason,
      address: clientAddress(request.raw, config.trustedProxies),
      err: cause,
    }
    log.warn(details, `a sign-in to the console was refused: ${message}`)
    await audit.strangerRefused(request, { action: 'signIn', subject: '', detail: { refused: 403, reason } })
    return unstored(reply).redirect(`${consoleUrl}/?refused=${reason}`, 303)
  }
}

function unstored(reply: FastifyReply): FastifyReply {
  return reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
}

/** 256 bits, in as many characters as a PKCE verifier needs at least (43). */
function secret(): string {
  return randomBytes(32).toString('base64url')
}
