// The log: JSON lines. Most lines are requests, and pino takes 8.5 µs for one; a template, written in batches, takes less
// than 0.5. So request lines are built here, everything else by pino, and both go through the same batches.

import pino, { type Logger } from 'pino'
import { turnTime } from '../runtime/clock.ts'
import { activeSpan, type Span } from '../tracing/span.ts'

type RequestLine = {
  readonly id: string
  readonly listener: string
  readonly operation: string
  readonly application: string
  readonly status: number
  readonly fault: string
  readonly ms: number
  /** Only in lines about security. */
  readonly client?: string
  readonly customer?: number | null
} & Partial<TraceIds>

/** Only in lines of what is traced. */
export type TraceIds = { readonly trace_id: string; readonly span_id: string }

export function traceIdsOf(span: Span | undefined): TraceIds | undefined {
  return span && { trace_id: span.trace.id, span_id: span.id }
}

export type Log = Logger & {
  /** One line for a request, at level info; with an error, at level error. */
  request(line: RequestLine, error?: unknown): void
  flush(): void
}

const INFO = 30
/** Lines are joined before they are encoded: encoding each costs twice as much, joining more makes garbage collections longer. */
const JOINED_BYTES = 4_096

/**
 * `write` gets batches of complete lines, up to `batchSize` bytes or one line, and must use them before it returns, because
 * the buffer is reused. `flush` writes what is buffered. With several workers, each line has the number of its worker.
 */
export function createLog(level: string, write: (lines: Buffer) => void, batchSize: number, worker?: number): Log {
  const buffer = Buffer.allocUnsafe(batchSize)
  let filled = 0
  let joined = ''
  let bytes = 0
  const add = (line: string, size: number): void => {
    if (filled + bytes + size > batchSize) flush()
    joined += line
    bytes += size
    if (filled + bytes >= batchSize) flush()
    else if (bytes >= JOINED_BYTES) fill()
  }
  const fill = (): void => {
    if (bytes > batchSize) write(Buffer.from(joined))
    else filled += buffer.write(joined, filled, bytes === joined.length ? 'latin1' : 'utf8')
    joined = ''
    bytes = 0
  }
  const flush = (): void => {
    if (bytes > 0) fill()
    if (filled === 0) return
    const lines = buffer.subarray(0, filled)
    filled = 0
    write(lines)
  }
  const base = worker === undefined ? null : { worker }
  const ending = `${worker === undefined ? '' : `,"worker":${worker}`},"msg":"request"}\n`
  const logger = pino(
    { level, base, serializers: { err: loggedError }, mixin: () => ({ ...traceIdsOf(activeSpan()) }) },
    { write: (line: string) => add(line, Buffer.byteLength(line)) },
  )
  const infoEnabled = logger.isLevelEnabled('info')
  const timeText = timeTexts()
  const middleOf = cachedMiddles()
  const request = (line: RequestLine, error?: unknown): void => {
    if (error !== undefined) logger.error({ ...line, ms: Number(twoPlaces(line.ms)), err: error }, 'request failed')
    else if (line.client !== undefined) logger.info({ ...line, ms: Number(twoPlaces(line.ms)) }, 'request')
    else if (infoEnabled) {
      const middle = middleOf(line)
      const text = `{"level":${INFO},"time":${timeText()},"id":"${line.id}${middle.text}${twoPlaces(line.ms)}${tracePart(line)}${ending}`
      add(text, text.length + middle.bytes - middle.text.length)
    }
  }
  return Object.assign(logger, { request, flush })
}

function tracePart({ trace_id, span_id }: RequestLine): string {
  return trace_id === undefined ? '' : `,"trace_id":"${trace_id}","span_id":"${span_id}"`
}

type Middle = Pick<RequestLine, 'listener' | 'application' | 'status' | 'fault'> & { text: string; bytes: number }

/** The text between the id and the milliseconds is cached for each operation: it is mostly the same as in the line before. */
function cachedMiddles(): (line: RequestLine) => Middle {
  const known = new Map<string, Middle>()
  return (line) => {
    const { listener, operation, application, status, fault } = line
    const last = known.get(operation)
    if (
      last !== undefined &&
      last.application === application &&
      last.status === status &&
      last.fault === fault &&
      last.listener === listener
    ) {
      return last
    }
    // Only the application's key comes from outside, and it was found in our table; it is escaped nevertheless.
    const key = JSON.stringify(application)
    const text =
      `","listener":"${listener}","operation":"${operation}","application":${key},` +
      `"status":${status},"fault":"${fault}","ms":`
    const middle = { listener, application, status, fault, text, bytes: Buffer.byteLength(text) }
    known.set(operation, middle)
    return middle
  }
}

/** The requests of a millisecond share its text. */
function timeTexts(): () => string {
  let time = 0
  let text = ''
  return () => {
    const now = turnTime()
    if (now !== time) text = `${now}`
    time = now
    return text
  }
}

/** A fraction costs several times as much to write as two whole numbers. */
function twoPlaces(value: number): string {
  const hundredths = Math.round(value * 100)
  const rest = hundredths % 100
  return `${Math.floor(hundredths / 100)}.${rest < 10 ? '0' : ''}${rest}`
}

/** Only these properties: others could contain what must not be logged. */
function loggedError(error: unknown): object {
  if (!(error instanceof Error)) return { message: 'not an Error' }
  const cause = error.cause === undefined ? {} : { cause: loggedError(error.cause) }
  const { code } = error as { code?: string }
  return { type: error.name, message: error.message, code, stack: error.stack, ...cause }
}
