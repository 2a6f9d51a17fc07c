// A *register of exclusions* lists who may not play anywhere, whatever the operator (EXCLUSIONS). It is queried when a customer
// logs in and when a deposit begins. Its answers are cached for 60 seconds, its failures are not.

import type { Config } from '../../platform/config/config.ts'
import type { Metrics } from '../../platform/observability/metrics.ts'
import { boundedText } from '../../platform/runtime/bounded-answer.ts'
import { boundedCache } from '../../platform/runtime/cache.ts'
import { tracedFetch } from '../../platform/tracing/calls.ts'

/** `unknown`: the register did not answer, or not as described. */
export type RegisterAnswer = 'clear' | 'excluded' | 'unknown'

export type ExclusionRegister = { query(customerId: number): Promise<RegisterAnswer> }

const callRegister = tracedFetch('exclusions')

const TIMEOUT_MS = 2_000
const ANSWER_BYTES = 4_096
const CACHED_MS = 60_000
const CACHED_CUSTOMERS = 50_000

/** `sandboxPerson`: with EXCLUSIONS=none the sandbox has a register of its own, with this customer on it. */
export function exclusionRegister(
  { exclusions, sandboxSeed }: Config,
  sandboxPerson: number,
  { now, metrics }: { now: () => number; metrics: Metrics },
): ExclusionRegister {
  if (exclusions.url !== null) return httpRegister(exclusions.url, now, metrics)
  const onIt = sandboxSeed ? sandboxPerson : null
  return { query: async (customerId) => (customerId === onIt ? 'excluded' : 'clear') }
}

function httpRegister(url: string, now: () => number, metrics: Metrics): ExclusionRegister {
  const cache = boundedCache<number, RegisterAnswer>(CACHED_CUSTOMERS, CACHED_MS, now)
  const underWay = new Map<number, Promise<RegisterAnswer>>()
  metrics.gauge('paddock_exclusion_register_down', '', 0)

  async function call(customerId: number): Promise<RegisterAnswer> {
    const answer = await queryRegister(url, customerId)
    metrics.count('paddock_exclusion_register_total', `answer="${answer}"`)
    metrics.gauge('paddock_exclusion_register_down', '', answer === 'unknown' ? 1 : 0)
    if (answer !== 'unknown') cache.set(customerId, answer)
    return answer
  }

  return {
    async query(customerId) {
      const cached = cache.get(customerId)
      if (cached !== undefined) return cached
      // Several requests of one customer share one call.
      const calling = underWay.get(customerId) ?? call(customerId).finally(() => underWay.delete(customerId))
      underWay.set(customerId, calling)
      return calling
    },
  }
}

async function queryRegister(url: string, customerId: number): Promise<RegisterAnswer> {
  const address = new URL(url)
  address.searchParams.set('customerId', String(customerId))
  try {
    const response = await callRegister(address, {
      headers: { accept: 'application/json' },
      // A redirect would carry the customer's id to an address that nobody configured.
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    if (response.status === 200) return answerOf(JSON.parse(await boundedText(response, ANSWER_BYTES)))
    await response.body?.cancel()
    return 'unknown'
  } catch {
    return 'unknown'
  }
}

/** `{"excluded": true, "until": "2027-01-01T00:00:00Z"}`, or `{"excluded": false}`. */
function answerOf(answer: unknown): RegisterAnswer {
  if (typeof answer !== 'object' || answer === null) return 'unknown'
  const { excluded, until } = answer as { excluded?: unknown; until?: unknown }
  const isTime = until == null || (typeof until === 'string' && !Number.isNaN(Date.parse(until)))
  if (typeof excluded !== 'boolean' || !isTime) return 'unknown'
  return excluded ? 'excluded' : 'clear'
}
