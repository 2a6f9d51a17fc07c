// Makes a call: sends the request, reads the answer, and repeats what may be repeated.

import { faultOf, lostConnection, PaddockError, PaddockFault } from './errors.ts'
import { faultCodes } from './generated/faults.ts'
import type { Hooks, Metadata, SentRequest } from './hooks.ts'
import type { Operation, Values } from './operation.ts'
import { type Positions, WRITE_POSITION } from './positions.ts'
import { type Body, type HeaderValues, requestFor, type Target } from './request.ts'
import { pause, startTimer } from './time.ts'

export type Fetch = (url: string, init: RequestInit) => Promise<Response>

export type Settings = Target &
  Hooks & {
    readonly timeoutMs: number
    readonly retries: number
    readonly fetch: Fetch
    readonly positions: Positions
  }

export type CallOptions = {
  /** Ends the call; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** The most time for this call, with all repetitions. */
  readonly timeoutMs?: number | undefined
  /** How often this call is repeated at most. */
  readonly retries?: number | undefined
  /** The session of another customer than the client's. */
  readonly ticket?: string | undefined
  /** Sent with this call, in place of those of the same name. */
  readonly headers?: HeaderValues | undefined
}

export type KeyedCallOptions = CallOptions & {
  /** As the parameter: a call that is repeated with the same key is made once. */
  readonly idempotencyKey?: string | undefined
}

/** What a call answered, with what is known about the answer. */
export type Answer<T> = Metadata & {
  readonly value: T
  /** How often the request was sent. */
  readonly attempts: number
}

/** Await it for the value, or `answer()` for the value and its metadata. */
export interface Call<T> extends Promise<T> {
  answer(): Promise<Answer<T>>
}

export function call(
  settings: Settings,
  operation: Operation,
  parameters: Values,
  options: KeyedCallOptions = {},
): Call<unknown> {
  const answered = answerTo(settings, operation, parameters, options)
  const value = answered.then((answer) => answer.value)
  return Object.assign(value, {
    answer() {
      // A failure is reported once: to whoever awaits the answer.
      value.catch(() => {})
      return answered
    },
  })
}

async function answerTo(
  settings: Settings,
  operation: Operation,
  parameters: Values,
  options: KeyedCallOptions,
): Promise<Answer<unknown>> {
  const { signal, timeoutMs = settings.timeoutMs, retries = settings.retries, ticket = settings.ticket } = options
  const { idempotencyKey, ...values } = parameters
  const key = operation.keyed ? (options.idempotencyKey ?? idempotencyKey ?? randomKey()) : undefined
  const position = operation.noTicket ? undefined : settings.positions.of(ticket)
  const headers = { 'idempotency-key': key, [WRITE_POSITION]: position, ...settings.headers, ...options.headers }
  const { body, ...request } = requestFor(operation, values, { ...settings, ticket, headers })
  const timer = startTimer(timeoutMs, signal)
  try {
    for (let attempt = 1; ; attempt++) {
      if (signal?.aborted) throw signal.reason
      const sent = { operation: operation.name, attempt, ...request, headers: { ...request.headers } }
      try {
        const response = await open(settings, sent, body, timer.signal)
        const value = decoded(operation, response, await textOf(response))
        return { value, attempts: attempt, ...metadataOf(response) }
      } catch (error) {
        if (signal?.aborted) throw signal.reason
        if (timer.isOver()) throw new PaddockError('timeout', `No answer within ${timeoutMs} ms`, { cause: error })
        const waitMs = attempt <= retries ? waitBefore(operation, error, attempt) : undefined
        if (waitMs === undefined || waitMs > timer.leftMs()) throw error
        settings.onRetry?.({ ...sent, error, waitMs })
        await pause(waitMs, timer.signal)
      }
    }
  } catch (error) {
    if (error instanceof PaddockError) error.idempotencyKey = key as string | undefined
    throw error
  } finally {
    timer.stop()
  }
}

function randomKey(): string {
  // `randomUUID` is absent in pages of plain HTTP.
  return crypto.getRandomValues(new Uint32Array(4)).join('-')
}

const BACK_OFF_MS = 250

/** How long to wait before the next attempt; undefined: it must not be repeated, or that would not help. */
function waitBefore(operation: Operation, error: unknown, attempt: number): number | undefined {
  if (!(error instanceof PaddockError) || !isTemporary(operation, error, attempt)) return undefined
  const backOff = BACK_OFF_MS * 2 ** (attempt - 1)
  // Clients that were refused together must not come back together.
  return Math.max(error.retryAfterMs ?? 0, backOff / 2) + (Math.random() * backOff) / 2
}

function isTemporary({ once, keyed }: Operation, error: PaddockError, attempt: number): boolean | undefined {
  // Refused before anything was done.
  if (error.status === 429) return true
  if (once) return false
  if (error.status === 503 || error.reason === 'connection') return true
  // The deposit whose answer was lost is still under way; with the same key the next attempt gets its result.
  return keyed && attempt > 1 && error instanceof PaddockFault && error.code === faultCodes.stillProcessing
}

async function textOf(response: Response): Promise<string> {
  try {
    return await response.text()
  } catch (cause) {
    throw lostConnection(cause)
  }
}

/** Returns as soon as the service has accepted. */
export async function openStream(
  settings: Settings,
  { operation, watched }: { readonly operation: Operation; readonly watched: Values },
  lastEventId: unknown,
  signal: AbortSignal,
): Promise<Response> {
  const accept = 'text/event-stream, application/json;q=0.9'
  const headers = { ...settings.headers, accept, 'last-event-id': lastEventId }
  const { body, ...request } = requestFor(operation, watched, { ...settings, headers })
  const response = await open(settings, { operation: operation.name, attempt: 1, ...request }, body, signal)
  const isStream = response.ok && response.headers.get('content-type')?.startsWith('text/event-stream')
  if (!isStream) refuseFaults(response, await textOf(response))
  return response
}

/** Returns as soon as the headers arrived. */
async function open(settings: Settings, request: SentRequest, body: Body, signal: AbortSignal): Promise<Response> {
  settings.onRequest?.(request)
  const { url, method, headers } = request
  const started = Date.now()
  let response: Response
  try {
    // A redirect would send the secret to wherever it points.
    response = await settings.fetch(url, { method, headers, body, signal, redirect: 'manual' })
  } catch (cause) {
    throw new PaddockError('connection', `No connection to ${settings.baseUrl || 'the service'}`, { cause })
  }
  settings.positions.note(headers['who-ticket'], response.headers)
  settings.onResponse?.({ ...request, ...metadataOf(response), durationMs: Date.now() - started })
  return response
}

function metadataOf({ status, headers }: Response): Metadata {
  return {
    status,
    requestId: headers.get('x-request-id') ?? undefined,
    replayed: headers.get('idempotent-replayed') === 'true',
    responseHeaders: headers,
  }
}

function decoded({ method, answer, empty }: Operation, response: Response, text: string): unknown {
  if (method === 'HEAD' && (response.ok || response.status === 404)) return response.ok
  const isEmpty = response.ok && text === ''
  const document = isEmpty ? undefined : refuseFaults(response, text)
  if (answer === 'raw') return document
  return answer?.(document === undefined ? empty : Object.values(document)[0])
}

/** The JSON object of the answer; throws if it is none, or faults, which may come with any status. */
function refuseFaults(response: Response, text: string): object {
  const { ok, status, headers } = response
  const details = { ...metadataOf(response), retryAfterMs: retryAfterMs(headers.get('retry-after')) }
  const body = objectOf(text)
  const fault = body?.whoFaults === undefined ? undefined : faultOf(body.whoFaults, details)
  if (fault !== undefined) throw fault
  if (body !== undefined && ok) return body
  const what = ok ? 'a body that is not Paddock’s JSON' : `HTTP ${status || 'redirect'} and no fault`
  throw new PaddockError('answer', `Answered with ${what}: is baseUrl the address of a Paddock service?`, details)
}

/** undefined: the text is no JSON object. */
function objectOf(text: string): Values | undefined {
  try {
    const value = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

/** Seconds or a date. */
function retryAfterMs(header: string | null): number | undefined {
  if (header === null) return undefined
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now()
  return Number.isNaN(ms) ? undefined : Math.max(ms, 0)
}
