// One request to the collector (OTLP/HTTP with JSON), and what its answer means. It is never compressed: collectors are near.

import { Pool } from 'undici'
import { turnTime } from '../runtime/clock.ts'
import { HOUR_MS } from '../runtime/durations.ts'
import { withoutTrailingSlashes } from '../runtime/trailing-slashes.ts'
import { exportRequest } from './otlp.ts'
import type { Attributes, Span } from './span.ts'

const TIMEOUT_MS = 10_000
const MOST_ANSWER_BYTES = 65_536
/** The statuses that OTLP says to repeat. */
const REPEATED = new Set([429, 502, 503, 504])

export type CollectorSettings = {
  readonly endpoint: string
  readonly headers: Readonly<Record<string, string>>
  /** What all spans have in common. */
  readonly resource: Attributes
  readonly version: string
}

/** `again`: the collector may take the spans later, after the time that it names; null: it names none. */
export type Reply =
  | { readonly accepted: number; readonly problem: string | null }
  | { readonly again: number | null; readonly problem: string }

export type Collector = ReturnType<typeof collectorAt>

export function collectorAt({ endpoint, headers: own, resource, version }: CollectorSettings) {
  const { origin, pathname } = new URL(endpoint)
  const path = `${withoutTrailingSlashes(pathname)}/v1/traces`
  const headers = { ...own, 'content-type': 'application/json', accept: 'application/json' }
  const pool = new Pool(origin, { connections: 1, pipelining: 1, connect: { timeout: TIMEOUT_MS } })
  return {
    /** Never throws. */
    async send(spans: readonly Span[], tooLate: AbortSignal): Promise<Reply> {
      const signal = AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), tooLate])
      const body = exportRequest(spans, resource, version)
      try {
        const response = await pool.request({ method: 'POST', path, headers, body, signal })
        const text = await beginningOf(response.body)
        return replyOf(response.statusCode, `${response.headers['retry-after'] ?? ''}`, { text, spans: spans.length })
      } catch (error) {
        const { code, name } = error as { code?: unknown; name?: string }
        return { again: null, problem: `no answer (${typeof code === 'string' ? code : name})` }
      }
    },
    close: () => pool.destroy(),
  }
}

function replyOf(status: number, retryAfter: string, { text, spans }: { text: string; spans: number }): Reply {
  if (REPEATED.has(status)) return { again: waitOf(retryAfter), problem: `it answered ${status}` }
  if (status >= 200 && status < 300) return partialSuccess(text, spans)
  const advice = 'write the address of OTLP over HTTP, usually with port 4318'
  return { accepted: 0, problem: `it answered ${status} (${advice}); these spans are dropped` }
}

/** Seconds or a date; null: neither. */
function waitOf(retryAfter: string): number | null {
  const milliseconds = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - turnTime()
  return Number.isNaN(milliseconds) ? null : Math.min(Math.max(milliseconds, 0), HOUR_MS)
}

/** The collector may refuse some of a batch. An answer that cannot be read counts as a success, as the status says. */
function partialSuccess(text: string, spans: number): Reply {
  const refused = refusedIn(text)
  if (!(refused >= 1 && refused <= spans)) return { accepted: spans, problem: null }
  return { accepted: spans - refused, problem: `it refused ${refused} spans` }
}

function refusedIn(text: string): number {
  try {
    return Number(JSON.parse(text).partialSuccess?.rejectedSpans ?? 0)
  } catch {
    return 0
  }
}

async function beginningOf(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > MOST_ANSWER_BYTES) break
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
