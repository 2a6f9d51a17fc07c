import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { clientAddress, clientNetwork, isOverTls } from '../../http/connection/proxies.ts'
import { BOOTSTRAP, type Operator } from '../../identity/operators/operator.ts'
import { whyTokenCannotDecide } from '../../identity/operators/person.ts'
import { operatorByToken } from '../../identity/operators/tokens.ts'
import type { Config } from '../../platform/config/config.ts'
import { isListed, isPrivateAddress } from '../../platform/runtime/addresses.ts'
import type { Throttle } from '../../platform/runtime/throttle.ts'
import type { OperatorContext } from '../context.ts'
import { mayCall, rolesOf } from './call-roles.ts'
import type { OperatorOperation } from './operation.ts'
import { Problem, TooManyRequests } from './problem.ts'

/**
 * Production takes tokens over TLS, or directly from a private network. A request that a proxy passed on is refused unless the
 * proxy reports that it came over TLS.
 */
export function refusePlainHttp({ mode, trustedProxies }: Config, request: IncomingMessage): void {
  if (mode !== 'production' || isOverTls(request, trustedProxies)) return
  const { remoteAddress = '' } = request.socket
  const isDirect = request.headers['x-forwarded-proto'] === undefined && !isListed(remoteAddress, trustedProxies)
  if (isDirect && isPrivateAddress(remoteAddress)) return
  throw new Problem(403, 'Forbidden', 'Operator tokens must not be sent over plain HTTP: use HTTPS.')
}

/** As `identifyOperator`; an address that sent wrong tokens has to wait. */
export async function identifyUnlessThrottled(
  context: OperatorContext,
  request: FastifyRequest,
  isBootstrap: (token: string) => boolean,
  wrongTokens: Throttle,
): Promise<Operator> {
  const { authorization } = request.headers
  const { trustedProxies } = context.config
  const address = clientAddress(request.raw, trustedProxies)
  const network = clientNetwork(request.raw, trustedProxies)
  const seconds = wrongTokens.secondsToWait(network)
  if (seconds > 0 && authorization !== undefined) {
    throw new TooManyRequests(`Too many wrong tokens came from ${address}: try again in ${seconds} s.`, seconds)
  }
  try {
    return await identifyOperator(context, authorization, isBootstrap)
  } catch (error) {
    if (error instanceof Problem && error.status === 401 && authorization !== undefined) {
      wrongTokens.fail(network)
      context.log.warn({ address }, 'wrong operator token')
    }
    throw error
  }
}

/** By `Authorization: Bearer`. Tokens are compared by their hashes, in constant time. */
async function identifyOperator(
  context: OperatorContext,
  authorization: string | undefined,
  isBootstrap: (token: string) => boolean,
): Promise<Operator> {
  const token = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
  if (token === undefined) {
    throw new Problem(401, 'Unauthorized', 'Send an operator token: Authorization: Bearer TOKEN.')
  }
  const { config } = context
  if (isBootstrap(token)) {
    return { name: BOOTSTRAP, role: 'admin', cannotDecide: whyTokenCannotDecide(config, true) }
  }
  const operator = await operatorByToken(context, token)
  if (operator === null) {
    throw new Problem(
      401,
      'Unauthorized',
      'This operator token is unknown, expired or revoked: request a new one from an admin.',
    )
  }
  return { ...operator, cannotDecide: whyTokenCannotDecide(config, false) }
}

export function refuseWrongRole(operator: Operator, operation: OperatorOperation): void {
  if (mayCall(operator, operation)) return
  if (operation.decides && operator.cannotDecide) throw new Problem(403, 'Forbidden', operator.cannotDecide)
  throw new Problem(
    403,
    'Forbidden',
    `This call needs the role ${rolesOf(operation).join(' or ')}; the token "${operator.name}" has ${operator.role}.`,
  )
}
