// Posts one message to an endpoint. Whatever the endpoint does, this ends in time and reads no more than 64 KB.

import { performance } from 'node:perf_hooks'
import { Pool } from 'undici'
import { AddressRefused, type AddressRules, publicLookup, urlProblem, WHICH_SETTING } from './addresses.ts'

export type Answer = {
  readonly status: number | null
  readonly durationMs: number
  /** In words; null: delivered. */
  readonly error: string | null
}

export type Sender = {
  /** Never throws. `signal` ends it early. */
  post(url: string, headers: Record<string, string>, body: string, signal: AbortSignal): Promise<Answer>
  close(): Promise<void>
}

const MAX_ANSWER_BYTES = 64 * 1024

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
    await discard(response.body as AsyncIterable<Buffer>)
    return response.statusCode
  }

  return {
    async post(url, headers, body, signal) {
      const begin = performance.now()
      const answer = (status: number | null, error: string | null): Answer => {
        return { status, durationMs: Math.round(performance.now() - begin), error }
      }
      // Again, because the settings may be others than when it was created.
      const problem = urlProblem(url, rules)
      if (problem !== undefined) return answer(null, `Not sent: the address ${problem}.`)
      const timeout = AbortSignal.timeout(timeoutMs)
      try {
        const status = await post(url, headers, body, AbortSignal.any([timeout, signal]))
        return answer(status, problemOfStatus(status))
      } catch (error) {
        return answer(null, timeout.aborted ? `No answer within ${timeoutMs / 1000} s.` : inWords(error))
      }
    },
    close: async () => pool?.pool.destroy(),
  }
}

/** So that the connection can be used again; a longer answer closes it. The status says all that matters. */
async function discard(body: AsyncIterable<Buffer>): Promise<void> {
  let size = 0
  try {
    for await (const chunk of body) {
      size += chunk.length
      if (size > MAX_ANSWER_BYTES) return
    }
  } catch {
    // The answer broke off, or did not end in time.
  }
}

function problemOfStatus(status: number): string | null {
  if (status >= 200 && status < 300) return null
  if (status >= 300 && status < 400) return `Answered ${status}: redirects are not followed.`
  return `Answered ${status}.`
}

const WORDS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'The host name could not be resolved.',
  ENODATA: 'The host name could not be resolved.',
  EAI_AGAIN: 'The host name could not be resolved for now.',
  ETIMEOUT: 'The host name could not be resolved in time.',
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was closed without an answer.',
  EPIPE: 'The connection was closed without an answer.',
  UND_ERR_SOCKET: 'The connection was closed without an answer.',
  ETIMEDOUT: 'No connection could be made in time.',
  UND_ERR_CONNECT_TIMEOUT: 'No connection could be made in time.',
  EHOSTUNREACH: 'The host cannot be reached.',
  ENETUNREACH: 'The network cannot be reached.',
  UND_ERR_HEADERS_OVERFLOW: 'The headers of the answer are too large.',
}

/** Never the message of the error, which may hold what was sent. */
function inWords(error: unknown): string {
  if (error instanceof AddressRefused)
    return `Not sent: the host name resolves to ${error.message}, which is not public (${WHICH_SETTING}).`
  const { code, name } = error as { code?: unknown; name?: unknown }
  // The code of an aborted request is a number.
  const text = typeof code === 'string' ? code : `${name}`
  return WORDS[text] ?? (text.startsWith('HPE_') ? 'The answer is not HTTP.' : `The request failed (${text}).`)
}
