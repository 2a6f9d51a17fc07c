// A *lane* sends the deliveries of one endpoint: up to eight at once, whatever other endpoints do.

import type { Context } from '../platform/context.ts'
import { callSpan, throughCall } from '../platform/tracing/calls.ts'
import type { NewSpan } from '../platform/tracing/span.ts'
import { type Attempt, outcomeOf } from './attempts.ts'
import type { WebhooksContext } from './context.ts'
import { type Claimed, nextAttempts } from './deliveries.ts'
import { MAX_AT_ONCE } from './delivery-store.ts'
import type { EndpointRow } from './endpoint-store.ts'
import { addressRules } from './endpoints.ts'
import { validSecrets } from './message.ts'
import { createSender } from './sender.ts'
import { signatureHeaders } from './signature.ts'

/** Attempts that end within this time are recorded together: a quick endpoint needs an eighth of the commits. */
const COLLECT_MS = 5
/** How long attempts in progress may take when the service stops. */
const MAX_CLOSING_MS = 3_000

export type Lane = {
  /** Records what has ended and sends what is due. */
  wake(): void
  /** Recording may have failed before. */
  hasToRecord(): boolean
  isIdle(): boolean
  /** Attempts in progress that do not end soon are interrupted; the next start repeats them. */
  close(): Promise<void>
}

export function createLane(context: WebhooksContext, endpointId: number): Lane {
  const { now, log, config } = context
  // Longer than an attempt can take, so that no other process tries it meanwhile, unless this one dies.
  const leaseMs = 2 * config.events.webhookTimeoutMs
  const attempts = attemptsOf(context)
  const sending = new Set<Promise<void>>()
  let ended: Attempt[] = []
  let isClosing = false
  let collecting: NodeJS.Timeout | undefined
  const turns = runWhenWoken(recordAndSend)

  async function recordAndSend(): Promise<void> {
    clearTimeout(collecting)
    collecting = undefined
    const claimUntil = isClosing || sending.size >= MAX_AT_ONCE ? undefined : now() + leaseMs
    if (claimUntil === undefined && ended.length === 0) return
    const recorded = ended
    ended = []
    try {
      const { endpoint, claimed } = await nextAttempts({ ...context, endpointId, claimUntil }, recorded)
      for (const attempt of recorded) countAttempt(context, attempt)
      if (endpoint !== undefined) for (const one of claimed) begin(endpoint, one)
    } catch (error) {
      ended = [...recorded, ...ended]
      log.warn({ err: error, webhook: endpointId }, 'recording webhook deliveries failed; it will be retried')
    }
  }

  function begin(endpoint: EndpointRow, claimed: Claimed): void {
    const attempt = attempts.make(endpoint, claimed).then((result) => {
      sending.delete(attempt)
      ended.push(result)
      collecting ??= setTimeout(turns.wake, COLLECT_MS)
    })
    sending.add(attempt)
  }

  return {
    wake: turns.wake,
    hasToRecord: () => ended.length > 0,
    isIdle: () => sending.size === 0 && ended.length === 0 && !turns.isRunning(),
    async close() {
      isClosing = true
      const late = setTimeout(() => attempts.interrupt(), MAX_CLOSING_MS)
      await turns.untilIdle()
      await Promise.all(sending)
      clearTimeout(late)
      if (ended.length > 0) turns.wake()
      await turns.untilIdle()
      clearTimeout(collecting)
      await attempts.close()
    },
  }
}

/** Runs `work`, which never fails, once for all wakes before it begins; a wake during a run causes another run. */
function runWhenWoken(work: () => Promise<void>) {
  let isWoken = false
  let running: Promise<void> | undefined

  function wake(): void {
    isWoken = true
    running ??= run().finally(() => {
      running = undefined
      if (isWoken) wake()
    })
  }

  function run(): Promise<void> {
    isWoken = false
    return work()
  }

  return {
    wake,
    isRunning: () => running !== undefined,
    async untilIdle(): Promise<void> {
      while (running !== undefined) await running
    },
  }
}

function countAttempt({ metrics }: Context, attempt: Attempt): void {
  metrics.count('paddock_webhook_deliveries_total', `outcome="${outcomeOf(attempt)}"`)
}

/** Begins a trace of its own: the event may have waited for days. */
function deliverySpan({ id, url }: EndpointRow, { kind, attempts }: Claimed['delivery']): NewSpan {
  const span = callSpan({ method: 'POST', url: new URL(url), target: 'webhook' })
  Object.assign(span.attributes, {
    'paddock.webhook': id,
    'paddock.event.kind': kind,
    'paddock.webhook.attempt': attempts,
  })
  return span
}

/** Attempts to send deliveries of one endpoint, which share its connections. */
function attemptsOf({ config, now, tracing }: Context) {
  const sender = createSender(addressRules(config), config.events.webhookTimeoutMs, MAX_AT_ONCE)
  const interruption = new AbortController()
  return {
    async make(endpoint: EndpointRow, { delivery, message }: Claimed): Promise<Attempt> {
      if (message === undefined) {
        const error = `Not sent: the event was deleted, because events are kept for ${config.events.days} days.`
        return {
          delivery,
          answer: { status: null, durationMs: 0, error, head: null, body: null },
          because: 'impossible',
        }
      }
      const at = now()
      const headers = signatureHeaders({ ...message, at }, validSecrets(endpoint, at))
      const span = tracing?.begin(() => deliverySpan(endpoint, delivery))
      const answer = await throughCall(span, (more) =>
        sender.post(endpoint.url, { ...headers, ...more }, message.body, interruption.signal),
      )
      const wasInterrupted = interruption.signal.aborted && answer.error !== null && answer.status === null
      return wasInterrupted ? { delivery, answer, because: 'interrupted' } : { delivery, answer }
    },
    interrupt: () => interruption.abort(),
    close: () => sender.close(),
  }
}
