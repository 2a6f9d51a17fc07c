// Posts one message to an endpoint. Whatever the endpoint does, this ends in time, reads no more than 64 KB and returns the
// beginning of the answer, without secrets.

import { performance } from 'node:perf_hooks'
import { Pool } from 'undici'
import { maskedText } from '../platform/masking/masked-text.ts'
import { readAsset } from '../platform/runtime/assets.ts'
import { AddressRefused, type AddressRules, publicLookup, urlProblem, WHICH_SETTING } from './addresses.ts'

export type Answer = {
  readonly status: number | null
  readonly durationMs: number
  /** The failure in words; null: delivered. */
  readonly error: string | null
  /** The beginning of what the endpoint answered, as it may be stored; null: it did not answer. */
  readonly head: string | null
  readonly body: string | null
}

export type Sender = {
  /** Never throws. `signal` ends it early. */
  post(url: string, headers: Record<string, string>, body: string, signal: AbortSignal): Promise<Answer>
  close(): Promise<void>
}

const MAX_ANSWER_BYTES = 64 * 1024
const MAX_HEAD_LENGTH = 2_000
const MAX_BODY_LENGTH = 4_000

/** With connections of its own: an endpoint that holds all of its connections delays no other one at the same host. */
export function createSender(
  rules: AddressRules,
  timeoutMs: number,
  connections: number,
  lookup = publicLookup(rules.privateAddresses),
): Sender {
  let pool: { readonly origin: string; readonly pool: Pool } | undefined

  function poolOf(origin: string): Pool {
    if (pool?.origin === origin) return pool.pool
    void pool?.pool.close()
    const connect = { lookup, timeout: timeoutMs }
    pool = { origin, pool: new Pool(origin, { connections, pipelining: 1, allowH2: false, connect }) }
    return pool.pool
  }

  async function post(url: string, headers: Record<string, string>, body: string, signal: AbortSignal) {
    const { origin, pathname, search } = new URL(url)
    const response = await poolOf(origin).request({
      method: 'POST',
      path: pathname + search,
      headers: { 'content-type': 'application/json', 'user-agent': 'paddock-webhooks', ...headers },
      body,
      signal,
    })
    const begun = await readBeginning(response.body as AsyncIterable<Buffer>, 2 * MAX_BODY_LENGTH)
    const isCompressed = response.headers['content-encoding'] !== undefined
    return {
      status: response.statusCode,
      head: shownHead(response.headers),
      body: isCompressed ? '(compressed)' : maskedText(begun, MAX_BODY_LENGTH),
    }
  }

  return {
    async post(url, headers, body, signal) {
      const begin = performance.now()
      const unanswered = (error: string): Answer => {
        return { status: null, durationMs: Math.round(performance.now() - begin), error, head: null, body: null }
      }
      // Again, because the settings may be others than when it was created.
      const problem = urlProblem(url, rules)
      if (problem !== undefined) return unanswered(`Not sent: the address ${problem}.`)
      const timeout = AbortSignal.timeout(timeoutMs)
      try {
        const answered = await post(url, headers, body, AbortSignal.any([timeout, signal]))
        const durationMs = Math.round(performance.now() - begin)
        return { ...answered, durationMs, error: problemOfStatus(answered.status) }
      } catch (error) {
        return unanswered(timeout.aborted ? `No answer within ${timeoutMs / 1000} s.` : inWords(error))
      }
    },
    close: async () => pool?.pool.destroy(),
  }
}

/** Reads on, so that the connection can be used again; a longer answer closes it. Only the status matters. */
async function readBeginning(body: AsyncIterable<Buffer>, length: number): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of body) {
      if (size < length) chunks.push(chunk.subarray(0, length - size))
      size += chunk.length
      if (size > MAX_ANSWER_BYTES) break
    }
  } catch {
    // The answer broke off, or did not end in time.
  }
  return Buffer.concat(chunks).toString()
}

type Words = {
  /** Headers whose values help to find a fault and hold no secret; of others only the name is shown. */
  readonly shownHeaders: readonly string[]
  /** Failures in words, by their code. */
  readonly failures: { readonly [code: string]: string }
}
const { shownHeaders, failures } = readAsset<Words>('webhook-answers.json')

function shownHead(headers: Record<string, string | string[] | undefined>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${shownHeaders.includes(name) ? value : '…'}`)
  return maskedText(lines.join('\n'), MAX_HEAD_LENGTH)
}

function problemOfStatus(status: number): string | null {
  if (status >= 200 && status < 300) return null
  if (status >= 300 && status < 400) return `Answered ${status}: redirects are not followed.`
  return `Answered ${status}.`
}

/** Never the message of the error, which may hold what was sent. */
function inWords(error: unknown): string {
  if (error instanceof AddressRefused)
    return `Not sent: the host name resolves to ${error.message}, which is not public (${WHICH_SETTING}).`
  const { code, name } = error as { code?: unknown; name?: unknown }
  // The code of an aborted request is a number.
  const text = typeof code === 'string' ? code : `${name}`
  return failures[text] ?? (text.startsWith('HPE_') ? 'The answer is not HTTP.' : `The request failed (${text}).`)
}
