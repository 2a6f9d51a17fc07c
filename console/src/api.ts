// The operator API, which is all that the console talks to.

import type { Subject } from './subject.ts'

export type Me = { name: string; role: string; calls: string[] }
/** `waiting`: how many there are in a queue, counted up to MOST_COUNTED. */
export type Page<Item> = { items: Item[]; cursor: string | null; waiting?: number }
export const MAX_COUNTED = 1000
export type FieldError = { pointer: string; detail: string }

/** A refusal (RFC 9457), or a server that did not answer. */
export class Refusal extends Error {
  readonly status: number
  readonly title: string
  readonly errors: readonly FieldError[]
  /** What a decision was refused for: the subject as it is now. */
  current: Subject | undefined
  constructor(status: number, title: string, detail: string, errors: readonly FieldError[] = []) {
    super(detail)
    this.status = status
    this.title = title
    this.errors = errors
  }
}

export type Api = <Answer>(
  method: Method,
  path: string,
  body?: unknown,
  options?: { keepalive?: boolean },
) => Promise<Answer>
type Method = 'GET' | 'PUT' | 'POST' | 'DELETE'

/** Relative, so that the console also works below a path of a proxy. */
const BASE = 'operator/v1'

/** Calls that are not answered yet. */
const pendingCalls = new Set<Promise<unknown>>()

export function pendingCallsSettled(): Promise<unknown> {
  return Promise.allSettled(pendingCalls)
}

function tracked(call: Promise<Response>): Promise<Response> {
  pendingCalls.add(call)
  return call.finally(() => pendingCalls.delete(call))
}

/** `token` null: the cookie of a person who signed in. `onSignedOut` hears of either when it is no longer accepted. */
export function createApi(token: string | null, onSignedOut: (why: Refusal) => void): Api {
  return async <Answer>(method: Method, path: string, body?: unknown, { keepalive = false } = {}) => {
    const headers: Record<string, string> =
      token === null ? { 'x-requested-by': 'console' } : { authorization: `Bearer ${token}` }
    if (body !== undefined) headers['content-type'] = 'application/json'
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const call = fetch(BASE + path, { method, headers, keepalive, cache: 'no-store', ...sent })
    const response = await tracked(call).catch(() => {
      throw new Refusal(0, 'No answer', 'The server could not be reached. Check your connection, then try again.')
    })
    const answer = await readAnswer(response)
    if (response.ok) return answer as Answer
    const refusal = toRefusal(response, answer)
    if (response.status === 401) onSignedOut(refusal)
    throw refusal
  }
}

async function readAnswer(response: Response): Promise<unknown> {
  const text = await response.text()
  if (!/json/.test(response.headers.get('content-type') ?? '')) return undefined
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch {
    throw new Refusal(response.status, 'Unreadable answer', 'The server’s answer was cut short: try again.')
  }
}

function toRefusal(response: Response, answer: unknown): Refusal {
  const { title, detail, errors, current } = (answer ?? {}) as Partial<ProblemDetails>
  const refusal = new Refusal(
    response.status,
    title ?? `The server answered ${response.status}`,
    detail ?? 'Something between this page and the server refused the call: try again, then ask who runs the server.',
    errors,
  )
  refusal.current = current
  return refusal
}

type ProblemDetails = { title: string; detail: string; errors: FieldError[]; current: Subject }

export function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  return new Refusal(0, 'The page made a mistake', `Reload it and try again. (${String(error)})`)
}
