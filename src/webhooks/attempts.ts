// What follows from attempts: another one later, the end of the delivery, or that the endpoint is disabled.

import { DAY_MS, HOUR_MS, MINUTE_MS } from '../platform/runtime/durations.ts'
import type { AttemptRow, ClaimedDelivery } from './delivery-store.ts'
import type { EndpointRow } from './endpoint-store.ts'
import { TEST } from './message.ts'
import type { Answer } from './sender.ts'

const SECOND_MS = 1_000
/** After the first attempt, after the second, … */
export const RETRY_AFTER_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  DAY_MS,
]
/** A pause is longer by up to this part of it, so that what failed together is not repeated together. */
const JITTER = 0.1
const DISABLE_AFTER_MS = 5 * DAY_MS
const GONE = 410

export type Outcome = 'delivered' | 'retry' | 'failed' | 'interrupted'

export type Attempt = {
  readonly delivery: ClaimedDelivery
  readonly answer: Answer
  /** `interrupted`: the service stopped meanwhile, so that it does not count. `impossible`: trying again is of no use. */
  readonly because?: 'interrupted' | 'impossible'
}

export function outcomeOf({ delivery: { kind, attempts }, answer, because }: Attempt): Outcome {
  if (because === 'interrupted') return 'interrupted'
  if (answer.error === null) return 'delivered'
  const isLast = because === 'impossible' || kind === TEST || attempts > RETRY_AFTER_MS.length
  return isLast ? 'failed' : 'retry'
}

export function attemptRow(attempt: Attempt, now: number): AttemptRow {
  const { delivery, answer } = attempt
  const { id, attempts } = delivery
  const outcome = outcomeOf(attempt)
  const hasEnded = outcome === 'delivered' || outcome === 'failed'
  return {
    delivery_id: id,
    attempts,
    counted: outcome === 'interrupted' ? attempts - 1 : attempts,
    state: hasEnded ? outcome : 'waiting',
    due_at: hasEnded ? null : outcome === 'retry' ? now + pauseAfter(attempts) : now,
    finished_at: hasEnded ? now : null,
    status: answer.status,
    duration_ms: answer.durationMs,
    error: answer.error,
    at: now,
    head: answer.head,
    body: answer.body,
  }
}

function pauseAfter(attempts: number): number {
  return Math.round((RETRY_AFTER_MS[attempts - 1] as number) * (1 + JITTER * Math.random()))
}

type Health = { enabled: number; disabledReason: string | null; failingSince: number | null }

/** undefined: nothing has changed. */
export function healthAfter(endpoint: EndpointRow, attempts: readonly Attempt[], now: number): Health | undefined {
  const sent = attempts.filter(({ because }) => because === undefined)
  if (sent.length === 0 || endpoint.enabled === 0) return undefined
  if (sent.some(({ answer }) => answer.status === GONE)) return disabled('The endpoint answered 410 Gone.', endpoint)
  if (sent.some(({ answer }) => answer.error === null)) {
    return endpoint.failing_since === null ? undefined : { enabled: 1, disabledReason: null, failingSince: null }
  }
  if (endpoint.failing_since === null) return { enabled: 1, disabledReason: null, failingSince: now }
  const hasFailedLong = now - endpoint.failing_since >= DISABLE_AFTER_MS
  return hasFailedLong ? disabled('No delivery has succeeded for five days.', endpoint) : undefined
}

function disabled(reason: string, { failing_since }: EndpointRow): Health {
  return { enabled: 0, disabledReason: reason, failingSince: failing_since }
}
