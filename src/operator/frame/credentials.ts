import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { Config } from '../../config/config.ts'
import type { Context } from '../../context.ts'
import { clientAddress, isOverTls, isPrivateAddress } from '../../http/proxies.ts'
import { liveTokenByHash, touchToken } from '../../review/store.ts'
import { hashOf } from '../../runtime/secrets.ts'
import type { Throttle } from '../../runtime/throttle.ts'
import { mayCall, type OperatorOperation, rolesOf, type TokenRole } from './operation.ts'
import { Problem, TooManyRequests } from './problem.ts'

export type Operator = { readonly name: string; readonly role: TokenRole }

/** What the audit trail calls the token of the settings. */
export const BOOTSTRAP = 'bootstrap'

/** Who runs `paddock` beside the service, in the audit trail. */
export const COMMAND_LINE = { name: 'command line', role: 'admin' } as const

/** Who has no valid token, in the audit trail. */
export const NOBODY = { name: 'nobody', role: 'none' } as const

/** Names that no token may have, since they mean somebody else in the audit trail. */
export const RESERVED_NAMES: readonly string[] = [BOOTSTRAP, COMMAND_LINE.name, NOBODY.name]

/** How exactly the last use of a token is known: one in use costs one small write in this time, not one per request. */
const TOUCH_EVERY_MS = 60_000

/** Production takes tokens over TLS, or straight from a machine of a private network; what a proxy took from farther away does not count as such. */
export function refusePlainHttp({ mode, trustedProxies }: Config, request: IncomingMessage): void {
  if (mode !== 'production' || isOverTls(request, trustedProxies)) return
  const isDirect = request.headers['x-forwarded-proto'] === undefined
  if (isDirect && isPrivateAddress(request.socket.remoteAddress ?? '')) return
  throw new Problem(403, 'Forbidden', 'Operator tokens must not be sent over plain HTTP: use HTTPS.')
}

/** As `identifyOperator`; an address from which wrong tokens came has to wait. */
export async function identifyUnlessThrottled(
  context: Context,
  request: FastifyRequest,
  isBootstrap: (token: string) => boolean,
  wrongTokens: Throttle,
): Promise<Operator> {
  const { authorization } = request.headers
  const address = clientAddress(request.raw, context.config.trustedProxies)
  const seconds = wrongTokens.secondsToWait(address)
  if (seconds > 0 && authorization !== undefined) {
    throw new TooManyRequests(`Too many wrong tokens came from ${address}: try again in ${seconds} s.`, seconds)
  }
  try {
    return await identifyOperator(context, authorization, isBootstrap)
  } catch (error) {
    if (error instanceof Problem && error.status === 401 && authorization !== undefined) {
      wrongTokens.fail(address)
      context.log.warn({ address }, 'wrong operator token')
    }
    throw error
  }
}

/** Who calls, by `Authorization: Bearer`; tokens are compared by their hashes, in constant time. */
export async function identifyOperator(
  context: Context,
  authorization: string | undefined,
  isBootstrap: (token: string) => boolean,
): Promise<Operator> {
  const token = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
  if (token === undefined) {
    throw new Problem(401, 'Unauthorized', 'Send an operator token: Authorization: Bearer TOKEN.')
  }
  if (isBootstrap(token)) return { name: BOOTSTRAP, role: 'admin' }
  const { database, now } = context
  const time = now()
  const row = await database.one(liveTokenByHash, { tokenHash: hashOf(token), now: time })
  if (row === undefined) {
    throw new Problem(
      401,
      'Unauthorized',
      'This operator token is unknown, expired or revoked: ask an admin for a new one.',
    )
  }
  const usedBefore = time - TOUCH_EVERY_MS
  if ((row.last_used_at ?? 0) <= usedBefore) await database.run(touchToken, { id: row.id, now: time, usedBefore })
  return { name: row.name, role: row.role as TokenRole }
}

export function refuseWrongRole(operator: Operator, operation: OperatorOperation): void {
  if (mayCall(operator.role, operation)) return
  throw new Problem(
    403,
    'Forbidden',
    `This call needs the role ${rolesOf(operation).join(' or ')}; the token "${operator.name}" has ${operator.role}.`,
  )
}
