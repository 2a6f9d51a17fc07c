// Counts wrong application secrets by key and client address, so that callers who use the key elsewhere need not wait.

import type { IncomingMessage } from 'node:http'
import { Fault } from '../../faults.ts'
import type { Context } from '../../platform/context.ts'
import { throttle, WRONG_SECRETS } from '../../platform/runtime/throttle.ts'
import { clientAddress, clientNetwork } from '../connection/proxies.ts'

export type WrongSecrets = ReturnType<typeof wrongSecrets>

export function wrongSecrets({ config, log, now }: Pick<Context, 'config' | 'log' | 'now'>) {
  const failures = throttle(WRONG_SECRETS, now)
  const keyOf = (apiKey: string, request: IncomingMessage) =>
    `${apiKey} ${clientNetwork(request, config.trustedProxies)}`
  return {
    /** Throws 429 while the caller has to wait. */
    refuseWhileThrottled(apiKey: string, request: IncomingMessage): void {
      if (failures.isQuiet()) return
      const seconds = failures.secondsToWait(keyOf(apiKey, request))
      if (seconds > 0) throw new Fault('tooManyRequests', undefined, { retryAfter: seconds })
    },
    count(apiKey: string, request: IncomingMessage): void {
      failures.fail(keyOf(apiKey, request))
      log.warn(
        { address: clientAddress(request, config.trustedProxies), application: apiKey },
        'wrong application secret',
      )
    },
  }
}
