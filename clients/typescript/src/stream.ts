// Reads a stream of server-sent events (HTML Living Standard 9.2) by fetch, and comes back where it was when the connection ends.

import { lostConnection, PaddockError } from './errors.ts'
import { decodeEvent, decodeState, type StreamEvent, type WatchedState } from './events.ts'
import { pause, startTimer } from './time.ts'

export type StreamOptions = {
  /** Ends the stream quietly. */
  readonly signal?: AbortSignal | undefined
  /** Called whenever the connection is lost, before the stream comes back. */
  readonly onReconnect?: ((cause: unknown) => void) | undefined
}

type Frame = { id?: string; type: string; data: string; retryMs?: number }

/** Opens the stream after the event with this id. */
export type OpenStream = (lastEventId: unknown, signal: AbortSignal) => Promise<Response>

const FIRST_WAIT_MS = 1_000
const MAX_WAIT_MS = 30_000
/** The service writes at least once a minute. */
const SILENCE_MS = 90_000

/** Ends only with the signal, or throws what coming back would not change, such as a ticket that is over. */
export async function* readStream(
  open: OpenStream,
  lastEventId: unknown,
  { signal, onReconnect }: StreamOptions = {},
): AsyncGenerator<StreamEvent | WatchedState, void> {
  const position = { id: lastEventId, retryMs: FIRST_WAIT_MS }
  let failures = 0
  while (!signal?.aborted) {
    // A connection that has gone silent is ended: a cut line is not always noticed.
    const silence = startTimer(SILENCE_MS, signal)
    let cause: unknown
    try {
      const response = await open(position.id, silence.signal)
      failures = 0
      for await (const frame of framesOf(response, silence.restart)) {
        position.retryMs = frame.retryMs ?? position.retryMs
        position.id = frame.id ?? position.id
        const event = frame.data === '' ? undefined : eventOf(frame)
        if (event !== undefined) yield event
      }
    } catch (error) {
      if (!signal?.aborted && !isPassing(error)) throw error
      cause = error
      failures++
    } finally {
      silence.stop()
    }
    if (signal?.aborted) return
    onReconnect?.(cause)
    const backOff = Math.min(position.retryMs * 2 ** Math.max(failures - 1, 0), MAX_WAIT_MS)
    const asked = cause instanceof PaddockError ? (cause.retryAfterMs ?? 0) : 0
    await pause(Math.max(asked, backOff / 2 + (Math.random() * backOff) / 2), signal)
  }
}

function isPassing(error: unknown): boolean {
  if (!(error instanceof PaddockError)) return false
  const { reason, status = 0 } = error
  return reason === 'connection' || status === 429 || status >= 500
}

async function* framesOf(response: Response, heard: () => void): AsyncGenerator<Frame> {
  const reader = (response.body as ReadableStream<Uint8Array<ArrayBuffer>>)
    .pipeThrough(new TextDecoderStream())
    .getReader()
  let rest = ''
  for (;;) {
    const { value, done } = await reader.read().catch((cause) => {
      throw lostConnection(cause)
    })
    if (done) return
    heard()
    const blocks = (rest + value).split('\n\n')
    rest = blocks.pop() as string
    yield* blocks.map(frameOf)
  }
}

/** The service ends lines with LF. */
function frameOf(block: string): Frame {
  const frame: Frame = { type: 'message', data: '' }
  for (const line of block.split('\n')) {
    const [, field, value = ''] = /^(\w+): ?(.*)$/.exec(line) ?? []
    if (field === 'id') frame.id = value
    else if (field === 'event') frame.type = value
    else if (field === 'data') frame.data += value
    else if (field === 'retry') frame.retryMs = Number(value)
  }
  return frame
}

function eventOf({ type, data }: Frame): StreamEvent | WatchedState | undefined {
  const wire = JSON.parse(data)
  return (wire.subject === undefined ? decodeState(type, wire) : decodeEvent(wire)) as StreamEvent | undefined
}
