// Makes a call: sends the request, reads the answer, and repeats what may be repeated.

import { faultOf, PaddockError, PaddockFault } from './errors.ts'
import { faultCodes } from './generated/faults.ts'
import type { Operation, Values } from './operation.ts'
import { type Request, requestFor, type Target } from './request.ts'
import { pause, startTimer } from './time.ts'

export type Fetch = (url: string, init: RequestInit) => Promise<Response>

export type Settings = Target & {
  readonly timeoutMs: number
  readonly retries: number
  readonly fetch: Fetch
}

export type CallOptions = {
  /** Ends the call; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** The most time for this call, with all repetitions. */
  readonly timeoutMs?: number | undefined
}

export async function call(
  settings: Settings,
  operation: Operation,
  parameters: Values,
  options: CallOptions = {},
): Promise<unknown> {
  const { signal, timeoutMs = settings.timeoutMs } = options
  const values = withKey(operation, parameters)
  const request = requestFor(operation, values, settings)
  const timer = startTimer(timeoutMs, signal)
  try {
    for (let attempt = 0; ; attempt++) {
      if (signal?.aborted) throw signal.reason
      try {
        return answerOf(operation, await send(settings.fetch, request, timer.signal))
      } catch (error) {
        if (signal?.aborted) throw signal.reason
        if (timer.isOver()) throw new PaddockError('timeout', `No answer within ${timeoutMs} ms`, { cause: error })
        const waitMs = attempt < settings.retries ? waitBefore(operation, error, attempt) : undefined
        if (waitMs === undefined || waitMs > timer.leftMs()) throw error
        await pause(waitMs, timer.signal)
      }
    }
  } catch (error) {
    if (error instanceof PaddockError) error.idempotencyKey = values.idempotencyKey as string | undefined
    throw error
  } finally {
    timer.stop()
  }
}

/** A deposit gets a key, so that repeating it cannot charge twice. */
function withKey({ headers }: Operation, values: Values): Values {
  if (headers?.idempotencyKey === undefined || values.idempotencyKey !== undefined) return values
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return { ...values, idempotencyKey: Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('') }
}

const BACK_OFF_MS = 250

/** How long to wait before the next attempt; undefined: it must not be repeated, or that would not help. */
function waitBefore(operation: Operation, error: unknown, attempt: number): number | undefined {
  if (!(error instanceof PaddockError) || !isTemporary(operation, error, attempt)) return undefined
  const backOff = BACK_OFF_MS * 2 ** attempt
  // Clients that were refused together must not come back together.
  return Math.max(error.retryAfterMs ?? 0, backOff / 2) + (Math.random() * backOff) / 2
}

function isTemporary({ once, headers }: Operation, error: PaddockError, attempt: number): boolean {
  // Refused before anything was done.
  if (error.status === 429) return true
  if (once) return false
  if (error.status === 503 || error.reason === 'connection') return true
  // The deposit whose answer was lost is still under way; with the same key the next attempt gets its result.
  const isOwnDeposit = attempt > 0 && headers?.idempotencyKey !== undefined
  return isOwnDeposit && error instanceof PaddockFault && error.code === faultCodes.stillProcessing
}

type Answer = { readonly response: Response; readonly text: string }

async function send(fetch: Fetch, request: Request, signal: AbortSignal): Promise<Answer> {
  const response = await open(fetch, request, signal)
  try {
    return { response, text: await response.text() }
  } catch (cause) {
    throw new PaddockError('connection', 'The connection was lost before the answer was complete', { cause })
  }
}

/** Returns as soon as the service has accepted. */
export async function openStream(
  settings: Settings,
  operation: Operation,
  values: Values,
  signal: AbortSignal,
): Promise<Response> {
  const request = requestFor(operation, values, settings)
  request.headers.accept = 'text/event-stream, application/json;q=0.9'
  const response = await open(settings.fetch, request, signal)
  const isStream = response.ok && response.headers.get('content-type')?.startsWith('text/event-stream')
  if (!isStream) refuseFaults(response, await response.text())
  return response
}

/** Returns as soon as the headers arrived. */
async function open(fetch: Fetch, request: Request, signal: AbortSignal): Promise<Response> {
  const { url, method, headers, body } = request
  try {
    // A redirect would send the secret to wherever it points.
    return await fetch(url, { method, headers, body, signal, redirect: 'manual' })
  } catch (cause) {
    const service = /^http/.test(url) ? new URL(url).origin : 'the service'
    throw new PaddockError('connection', `No connection to ${service}`, { cause })
  }
}

function answerOf(operation: Operation, { response, text }: Answer): unknown {
  if (operation.method === 'HEAD' && (response.ok || response.status === 404)) return response.ok
  if (response.ok && text === '') return operation.answer?.(operation.empty)
  const body = refuseFaults(response, text)
  return operation.answer?.(Object.values(body)[0])
}

/** The JSON object of the answer; throws if it is none, or faults, which may come with any status. */
function refuseFaults(response: Response, text: string): object {
  const { status } = response
  const details = {
    status,
    requestId: response.headers.get('x-request-id') ?? undefined,
    retryAfterMs: retryAfterMs(response.headers.get('retry-after')),
  }
  const body = objectOf(text)
  const fault = body?.whoFaults === undefined ? undefined : faultOf(body.whoFaults, details)
  if (fault !== undefined) throw fault
  if (body !== undefined && response.ok) return body
  const what = response.ok ? 'a body that is not Paddock’s JSON' : `HTTP ${status || 'redirect'} and no fault`
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
