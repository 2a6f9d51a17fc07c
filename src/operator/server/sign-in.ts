// Signing in to the console through an OpenID provider. The browser goes to the provider and comes back with a code. The
// values that must come back with it are in a cookie of the attempt: a link from another person cannot sign
// anybody in (CSRF), and the service stores nothing for attempts that are never finished. One that is finished is stored, so
// that it cannot be finished again.

import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { clientAddress, clientNetwork } from '../../http/connection/proxies.ts'
import {
  beginConsoleSession,
  endConsoleSession,
  operatorOfPerson,
  useAttempt,
} from '../../identity/operators/console-sessions.ts'
import type { Attempt, openIdProvider, SignInRefused } from '../../identity/operators/openid.ts'
import type { OpenIdSettings } from '../../platform/config/config.ts'
import { type Throttle, throttle, WRONG_SECRETS } from '../../platform/runtime/throttle.ts'
import type { OperatorContext } from '../context.ts'
import {
  cookieOf,
  refuseForeignPages,
  removedSessionCookies,
  sessionCookie,
  sessionOfCookie,
  setCookie,
} from './console-cookie.ts'
import type { RequestAudit } from './request-audit.ts'

const ATTEMPT_COOKIE = '__Host-paddock-sign-in'
/** How long a person may take at the provider. */
const ATTEMPT_SECONDS = 600

type Provider = ReturnType<typeof openIdProvider>

export function serveSignIn(app: FastifyInstance, context: OperatorContext, audit: RequestAudit): void {
  const { openId } = context.config.operator
  app.get('/sign-in', async (request, reply) => {
    request.record.operation = 'signInOptions'
    const signedIn = (await sessionOfCookie(context, request.headers)) !== null
    return uncached(reply).send({ openId: openId !== null, signedIn })
  })
  app.delete('/sign-in', async (request, reply) => {
    request.record.operation = 'signOut'
    refuseForeignPages(request.headers)
    const session = await sessionOfCookie(context, request.headers)
    if (session !== null) {
      await endConsoleSession(audit.auditedDatabase(request, session.operator, 'signOut', {}), session.id)
    }
    return uncached(reply).header('set-cookie', removedSessionCookies()).code(204).send()
  })
  if (openId === null) return
  // Loaded only when configured: the library that checks signatures takes a tenth of the start-up time.
  const provider = import('../../identity/operators/openid.ts').then((module) =>
    module.openIdProvider(openId, context.now),
  )
  // Anybody can invent an attempt with a code, for which the provider is called.
  const codes = throttle(WRONG_SECRETS, context.now)
  const frame = { context, openId, audit, codes }
  app.get('/sign-in/openid', async (request, reply) => {
    request.record.operation = 'beginSignIn'
    return redirectRefusals(frame, { request, reply }, async () => begin(await provider, reply))
  })
  app.get('/sign-in/openid/callback', async (request, reply) => {
    request.record.operation = 'finishSignIn'
    reply.header('set-cookie', setCookie(ATTEMPT_COOKIE, '', { sameSite: 'Lax', maxAgeSeconds: 0 }))
    const exchange = { request, reply }
    return redirectRefusals(frame, exchange, () => finish(frame, provider, exchange))
  })
}

async function begin(provider: Provider, reply: FastifyReply): Promise<FastifyReply> {
  const attempt: Attempt = { state: secret(), nonce: secret(), verifier: secret() }
  const address = await provider.signInAddress(attempt)
  const value = [attempt.state, attempt.nonce, attempt.verifier].join('.')
  // Lax: the provider's redirect comes from another site, so the browser would not send a strict cookie.
  reply.header('set-cookie', setCookie(ATTEMPT_COOKIE, value, { sameSite: 'Lax', maxAgeSeconds: ATTEMPT_SECONDS }))
  return uncached(reply).redirect(address, 302)
}

type Frame = { context: OperatorContext; openId: OpenIdSettings; audit: RequestAudit; codes: Throttle }
type Exchange = { request: FastifyRequest; reply: FastifyReply }

async function finish(
  { context, openId, audit, codes }: Frame,
  provider: Promise<Provider>,
  { request, reply }: Exchange,
) {
  const { consoleUrl } = openId
  const { SignInRefused } = await import('../../identity/operators/openid.ts')
  const { state, code, error } = request.query as Record<string, unknown>
  const attempt = attemptOf(request)
  if (attempt === null || state !== attempt.state) {
    throw new SignInRefused('expired', 'The browser did not begin this attempt, or began it too long ago')
  }
  if (typeof code !== 'string') throw new SignInRefused('denied', `The provider answered ${String(error ?? 'no code')}`)
  const network = clientNetwork(request.raw, context.config.trustedProxies)
  if (codes.secondsToWait(network) > 0) throw new SignInRefused('unavailable', `Too many codes came from ${network}`)
  codes.fail(network)
  const person = await (await provider).personByAnswer(request.url.slice(request.url.indexOf('?')), attempt)
  // Stored only now: strangers must not be able to fill the table.
  if (!(await useAttempt(context.database, attempt.state, context.now()))) {
    throw new SignInRefused('expired', 'The attempt was completed before')
  }
  const database = audit.auditedDatabase(request, operatorOfPerson(person), 'signIn', { subject: person.subject })
  reply.header('set-cookie', sessionCookie(await beginConsoleSession(database, person, context.now())))
  return uncached(reply).redirect(`${consoleUrl}/`, 303)
}

function attemptOf(request: FastifyRequest): Attempt | null {
  const [state = '', nonce = '', verifier = ''] = (cookieOf(request.headers, ATTEMPT_COOKIE) ?? '').split('.')
  return state === '' || nonce === '' || verifier === '' ? null : { state, nonce, verifier }
}

/** Sends the browser back to the console, which explains the reason; the log has the details. */
async function redirectRefusals<T>(
  { context: { log, config }, openId: { consoleUrl }, audit }: Frame,
  { request, reply }: Exchange,
  work: () => Promise<T>,
): Promise<T | FastifyReply> {
  try {
    return await work()
  } catch (error) {
    const { reason } = error as Partial<SignInRefused>
    if (reason === undefined) throw error
    const { message, cause } = error as Error
    const details = {
      id: request.record.id,
      reason,
      address: clientAddress(request.raw, config.trustedProxies),
      err: cause,
    }
    log.warn(details, `sign-in to the console refused: ${message}`)
    await audit.recordStrangerRefusal(request, { action: 'signIn', subject: '', detail: { refused: 403, reason } })
    return uncached(reply).redirect(`${consoleUrl}/?refused=${reason}`, 303)
  }
}

export function uncached(reply: FastifyReply): FastifyReply {
  return reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
}

/** 256 bits in 43 characters, the least that a PKCE verifier may have. */
function secret(): string {
  return randomBytes(32).toString('base64url')
}
