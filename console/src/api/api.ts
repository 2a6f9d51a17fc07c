// The operator API: the only server interface that the console uses, apart from signing in.

import type { DecisionConflict, FieldError, ProblemDetails, Subject } from '../../../src/operator/api-types.ts'
import { checkConnection } from '../../../web/connection.ts'
import { type AnswerOf, type Arguments, type BodyOf, type OperationName, requestOf, type Sent } from './operations.ts'

/** A queue is counted up to this length. */
export const MAX_COUNTED = 1000
/** The server reports this many of the newest subjects of a queue. */
export const MAX_NEWEST = 20

/** The status of a server that did not respond. */
export const NO_RESPONSE = 0

/** An error response (RFC 9457), or a server that did not respond. */
export class Refusal extends Error {
  readonly status: number
  readonly title: string
  readonly errors: readonly FieldError[]
  /** The current subject, when a decision was refused because the subject had changed. */
  current: Subject | undefined
  constructor(status: number, title: string, detail: string, errors: readonly FieldError[] = []) {
    super(detail)
    this.status = status
    this.title = title
    this.errors = errors
  }
}

type CallOptions = { keepalive?: boolean; signal?: AbortSignal }

/** Calls an operation by its name. */
export type Api = <Name extends OperationName>(
  name: Name,
  ...given: [...Arguments<Name>, options?: CallOptions]
) => Promise<AnswerOf<Name>>

/** Relative, so that the console also works under a proxy's path. */
const BASE = 'operator/v1'

const pendingCalls = new Set<Promise<unknown>>()

export function pendingCallsSettled(): Promise<unknown> {
  return Promise.allSettled(pendingCalls)
}

function tracked(call: Promise<Response>): Promise<Response> {
  pendingCalls.add(call)
  return call.finally(() => pendingCalls.delete(call))
}

function credentialsOf(token: string | null): Record<string, string> {
  return token === null ? { 'x-requested-by': 'console' } : { authorization: `Bearer ${token}` }
}

export type LiveApi = ReturnType<typeof createLiveApi>

/**
 * What an open page sends on its own. It is not pending when the page closes, and its refusal signs nobody out: nothing more
 * is sent then, because an address that sends wrong tokens has to wait.
 */
export function createLiveApi(token: string | null) {
  const headers = credentialsOf(token)
  let hasEnded = false

  async function send(address: string, options: RequestInit): Promise<Response> {
    const response = await fetch(BASE + address, { headers, ...options })
    if (response.status === 401) hasEnded = true
    return response
  }

  return {
    openStream: (signal: AbortSignal): Promise<Response> =>
      send(requestOf('openConsoleStream').address, { signal, cache: 'no-store' }),
    reportPresence(presence: BodyOf<'setPresence'>): void {
      if (hasEnded) return
      const { method, address } = requestOf('setPresence')
      const sent = { ...headers, 'content-type': 'application/json' }
      send(address, { method, headers: sent, body: JSON.stringify(presence), keepalive: true }).catch(() => {})
    },
  }
}

/** `token` null: the cookie of a person who signed in. `onSignedOut` is called when token or cookie is refused. */
export function createApi(token: string | null, onSignedOut: (why: Refusal) => void): Api {
  async function call(name: OperationName, given: Sent = {}, { keepalive = false, signal }: CallOptions = {}) {
    const { method, address } = requestOf(name, given)
    const headers = credentialsOf(token)
    if (given.body !== undefined) headers['content-type'] = 'application/json'
    const sent = { ...(given.body !== undefined && { body: JSON.stringify(given.body) }), ...(signal && { signal }) }
    const sending = fetch(BASE + address, { method, headers, keepalive, cache: 'no-store', ...sent })
    const response = await tracked(sending).catch(() => {
      if (!signal?.aborted) void checkConnection()
      throw new Refusal(NO_RESPONSE, 'No response', 'The server could not be reached. Check your connection.')
    })
    const answer = await readAnswer(response)
    if (response.ok) return answer
    const refusal = toRefusal(response, answer)
    if (response.status === 401) onSignedOut(refusal)
    throw refusal
  }
  // The service's tests compare every answer with the schema that its type comes from.
  return call as Api
}

/** A file is not read into memory: the browser may store a large one on disk. */
async function readAnswer(response: Response): Promise<unknown> {
  if (/csv/.test(response.headers.get('content-type') ?? '')) return response.blob()
  const text = await response.text()
  if (!/json/.test(response.headers.get('content-type') ?? '')) return undefined
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch {
    throw new Refusal(response.status, 'Unreadable response', 'The server’s response was incomplete. Try again.')
  }
}

function toRefusal(response: Response, answer: unknown): Refusal {
  const { title, detail, errors, current } = (answer ?? {}) as Partial<
    ProblemDetails & Pick<DecisionConflict, 'current'>
  >
  const refusal = new Refusal(
    response.status,
    title ?? `The server responded with ${response.status}`,
    detail ??
      'Something between this page and the server refused the request. Try again, or contact whoever runs the server.',
    errors,
  )
  refusal.current = current
  return refusal
}

export function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  return new Refusal(0, 'Unexpected error', `Reload the page and try again. (${String(error)})`)
}
