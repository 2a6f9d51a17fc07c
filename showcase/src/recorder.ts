// A fetch that records what is sent and answered, for the drawer. It keeps the last exchanges only.

import { checkConnection } from '../../web/connection.ts'
import { takeBegun } from './early.ts'

export type Exchange = {
  readonly id: number
  readonly method: string
  /** Path and query. */
  readonly address: string
  readonly requestHeaders: readonly (readonly [string, string])[]
  readonly requestBody: string | undefined
  readonly isStream: boolean
  /** Absent until it is answered. */
  readonly status?: number
  readonly milliseconds?: number
  readonly responseHeaders?: readonly (readonly [string, string])[]
  readonly body?: string
  /** Why there is no answer. */
  readonly failure?: string
}

const MAX_EXCHANGES = 50
const MAX_BODY_LENGTH = 60_000
const MAX_STREAM_LENGTH = 6_000

let exchanges: readonly Exchange[] = []
let lastId = 0
const listeners = new Set<() => void>()

export const recorder = {
  snapshot: () => exchanges,
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  clear(): void {
    show([])
  },
}

function show(next: readonly Exchange[]): void {
  exchanges = next
  for (const listener of listeners) listener()
}

function change(id: number, changes: Partial<Exchange>): void {
  if (!exchanges.some((one) => one.id === id)) return
  show(exchanges.map((one) => (one.id === id ? { ...one, ...changes } : one)))
}

export const recordedFetch: typeof fetch = async (input, init) => {
  const exchange = begin(input, init)
  show([exchange, ...exchanges].slice(0, MAX_EXCHANGES))
  const start = performance.now()
  const took = () => Math.round(performance.now() - start)
  try {
    const begun = exchange.method === 'GET' ? takeBegun(exchange.address, new Headers(init?.headers)) : undefined
    if (begun !== undefined) {
      const { response, milliseconds } = await begun
      return await recordAnswer(exchange.id, response, Math.round(milliseconds))
    }
    const response = await fetch(input, init)
    return await recordAnswer(exchange.id, response, took())
  } catch (error) {
    const isEnded = init?.signal?.aborted === true
    if (!isEnded) checkConnection()
    change(exchange.id, { failure: isEnded ? 'ended by the application' : String(error), milliseconds: took() })
    throw error
  }
}

function begin(input: RequestInfo | URL, init: RequestInit | undefined): Exchange {
  const request = input instanceof Request ? input : undefined
  const url = new URL(request?.url ?? String(input), location.href)
  const headers = new Headers(init?.headers ?? request?.headers)
  return {
    id: ++lastId,
    method: (init?.method ?? request?.method ?? 'GET').toUpperCase(),
    address: url.pathname + url.search,
    requestHeaders: [...headers],
    requestBody: bodyText(init?.body),
    isStream: headers.get('accept')?.includes('text/event-stream') === true,
  }
}

function bodyText(body: BodyInit | null | undefined): string | undefined {
  if (body === null || body === undefined) return undefined
  if (typeof body === 'string' || body instanceof URLSearchParams) return String(body)
  const size = body instanceof Blob ? body.size : body instanceof ArrayBuffer ? body.byteLength : undefined
  return size === undefined ? '(binary)' : `(${size.toLocaleString('en-GB')} bytes)`
}

async function recordAnswer(id: number, response: Response, milliseconds: number): Promise<Response> {
  const answered = { status: response.status, milliseconds, responseHeaders: [...response.headers] }
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
  change(id, { ...answered, isStream })
  if (isStream && response.body !== null) {
    const { status, statusText, headers } = response
    return new Response(response.body.pipeThrough(streamTap(id)), { status, statusText, headers })
  }
  // Read before the client gets it, which aborts the request when it has read its own copy.
  change(id, { body: (await response.clone().text()).slice(0, MAX_BODY_LENGTH) })
  return response
}

/** Shows the end of a stream that never ends. */
function streamTap(id: number): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder()
  let text = ''
  return new TransformStream({
    transform(chunk, controller) {
      controller.enqueue(chunk)
      text = (text + decoder.decode(chunk, { stream: true })).slice(-MAX_STREAM_LENGTH)
      change(id, { body: text })
    },
  })
}
