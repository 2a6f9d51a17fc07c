// The log: JSON lines. Requests are by far the most lines, and each costs as much as its writing: pino with its own
// destination takes 8.5 µs a line, as a template into a batch of bytes less than one. So request lines are made here,
// everything else by pino, and both go through the same batches.

import pino, { type Logger } from 'pino'

export type RequestLine = {
  readonly id: string
  readonly listener: string
  readonly operation: string
  readonly application: string
  readonly status: number
  readonly fault: string
  readonly ms: number
}

export type Log = Logger & {
  /** One line for a request, at level info; with an error, at level error with the error in words. */
  request(line: RequestLine, error?: unknown): void
  flush(): void
}

const INFO = 30

/**
 * `write` gets batches of whole lines, up to `batchSize` bytes or one line, to be used before it returns; `flush` hands
 * over what is there. Lines name the worker that wrote them, if there are several.
 */
export function createLog(level: string, write: (lines: Buffer) => void, batchSize: number, worker?: number): Log {
  const batch = Buffer.allocUnsafe(batchSize)
  let used = 0
  const add = (line: string, bytes: number): void => {
    if (used + bytes > batchSize) flush()
    if (bytes > batchSize) write(Buffer.from(line))
    else used += batch.write(line, used, bytes === line.length ? 'latin1' : 'utf8')
  }
  const flush = (): void => {
    if (used === 0) return
    const lines = batch.subarray(0, used)
    used = 0
    write(lines)
  }
  const base = worker === undefined ? null : { worker }
  const ending = worker === undefined ? '' : `,"worker":${worker}`
  const logger = pino(
    { level, base, serializers: { err: errorInWords } },
    { write: (line: string) => add(line, Buffer.byteLength(line)) },
  )
  const wanted = logger.isLevelEnabled('info')
  const timeText = timeTexts()
  const request = (line: RequestLine, error?: unknown): void => {
    if (error !== undefined) logger.error({ ...line, ms: Number(twoPlaces(line.ms)), err: error }, 'request failed')
    else if (wanted) {
      const plain = PLAIN.test(line.application)
      const key = plain ? `"${line.application}"` : JSON.stringify(line.application)
      const text = requestText(timeText(), line, key, ending)
      add(text, plain ? text.length : Buffer.byteLength(text))
    }
  }
  return Object.assign(logger, { request, flush })
}

/** Only the application's key comes from outside, and it was found in our own table; escaped all the same. */
function requestText(time: string, line: RequestLine, key: string, ending: string): string {
  const { id, listener, operation, status, fault, ms } = line
  return (
    `{"level":${INFO},"time":${time},"id":"${id}","listener":"${listener}","operation":"${operation}",` +
    `"application":${key},"status":${status},"fault":"${fault}","ms":${twoPlaces(ms)}${ending},"msg":"request"}\n`
  )
}

/** The requests of a millisecond share its text. */
function timeTexts(): () => string {
  let time = 0
  let text = ''
  return () => {
    const now = Date.now()
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

const PLAIN = /^[\w.-]*$/

/** Only what tells what went wrong: other properties of an error could hold what must not be logged. */
function errorInWords(error: unknown): object {
  if (!(error instanceof Error)) return { message: 'not an Error' }
  const cause = error.cause === undefined ? {} : { cause: errorInWords(error.cause) }
  const { code } = error as { code?: string }
  return { type: error.name, message: error.message, code, stack: error.stack, ...cause }
}
