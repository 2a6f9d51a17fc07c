// The link that `npm start` prints: it signs whoever opens it in to the console, once, so that nobody copies a token. Only in the
// sandbox, and only where the operator listener cannot be reached from other machines. Each start makes another one; it is in the
// memory of the process that serves the operator listener, and nowhere else.

import type { Config } from '../../platform/config/config.ts'
import { isLoopbackAddress } from '../../platform/runtime/addresses.ts'
import { MINUTE_MS } from '../../platform/runtime/durations.ts'
import { hashOf, matcherOf, randomSecret } from '../../platform/runtime/secrets.ts'

export const START_LINK_PATH = '/sign-in/link'
const VALID_MS = 30 * MINUTE_MS

export type StartLink = {
  /** null: it was used, or is too old. */
  address(consoleUrl: string): string | null
  /** Whether the code is right; it then counts as used. */
  use(code: unknown): boolean
}

/** null: there is none, as in production. */
export function startLink({ mode, operator }: Config, now: () => number): StartLink | null {
  if (mode === 'production' || !(operator.host === 'localhost' || isLoopbackAddress(operator.host))) return null
  const code = randomSecret()
  const isRight = matcherOf(hashOf(code))
  const until = now() + VALID_MS
  let isUsed = false
  const isOpen = () => !isUsed && now() < until
  return {
    address: (consoleUrl) => (isOpen() ? `${consoleUrl}${START_LINK_PATH}?code=${code}` : null),
    use(given) {
      if (!isOpen() || typeof given !== 'string' || !isRight(given)) return false
      isUsed = true
      return true
    },
  }
}
