// Spans as plain objects, and the one that the running code belongs to. Only what is sampled has a span and runs in a context of
// AsyncLocalStorage; for everything else, and with tracing off, `activeSpan` is one look at an empty context.

import { AsyncLocalStorage } from 'node:async_hooks'
import { performance } from 'node:perf_hooks'
import { traceparentOf } from './trace-context.ts'

export type Attributes = Record<string, string | number>

/** With the numbers of OTLP. */
export const SPAN_KINDS = { internal: 1, server: 2, client: 3 } as const
type SpanKind = keyof typeof SPAN_KINDS

/** What the spans of one trace in this process share. */
export type Trace = {
  readonly id: string
  /** The header tracestate of the caller, passed on as it came; '': none. */
  readonly state: string
  /** The span of the caller in another process; '': none. */
  readonly remoteParentId: string
  /** performance.now() plus this is the time since 1970. Read once, so that a clock that is set meanwhile moves no span. */
  readonly epoch: number
  readonly finished: (span: Span) => void
  /** Its first span has ended. */
  isOver: boolean
}

export type Span = {
  readonly trace: Trace
  readonly id: string
  /** '': the first one of its trace. */
  readonly parentId: string
  readonly kind: SpanKind
  name: string
  /** performance.now() */
  readonly begin: number
  end: number
  readonly attributes: Attributes
  hasFailed: boolean
}

const active = new AsyncLocalStorage<Span | undefined>()

/** undefined: not sampled. What runs on after its request has ended, such as a stream, belongs to no span. */
export function activeSpan(): Span | undefined {
  const span = active.getStore()
  return span === undefined || span.trace.isOver ? undefined : span
}

/** undefined: leaves the span that this code belongs to. */
export function runInSpan<T>(span: Span | undefined, work: () => T): T {
  return span === undefined && active.getStore() === undefined ? work() : active.run(span, work)
}

/** What a span begins with. */
export type NewSpan = Pick<Span, 'kind' | 'name' | 'attributes'>

export function firstSpan(trace: Trace, { kind, name, attributes }: NewSpan, begin: number): Span {
  const { remoteParentId: parentId } = trace
  return { trace, id: randomHex(16), parentId, kind, name, begin, end: begin, attributes, hasFailed: false }
}

export function childSpan(parent: Span, { kind, name, attributes }: NewSpan, begin = performance.now()): Span {
  const { trace, id: parentId } = parent
  return { trace, id: randomHex(16), parentId, kind, name, begin, end: begin, attributes, hasFailed: false }
}

export function isFirst({ trace, parentId }: Span): boolean {
  return parentId === trace.remoteParentId
}

/** `errorType`: it failed, with this as `error.type`. */
export function endSpan(span: Span, errorType?: string): void {
  span.end = performance.now()
  if (errorType !== undefined) {
    span.attributes['error.type'] = errorType
    span.hasFailed = true
  }
  if (isFirst(span)) span.trace.isOver = true
  span.trace.finished(span)
}

/** Runs `work` in `span`, which ends with it. */
export async function throughSpan<T>(span: Span | undefined, work: () => Promise<T>): Promise<T> {
  if (span === undefined) return runInSpan(undefined, work)
  try {
    const result = await runInSpan(span, work)
    endSpan(span)
    return result
  } catch (error) {
    endSpan(span, errorTypeOf(error))
    throw error
  }
}

/** `work` as a part of what runs now. */
export function traced<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T> {
  const parent = activeSpan()
  return parent === undefined ? work() : throughSpan(childSpan(parent, { kind: 'internal', name, attributes }), work)
}

/** What has just ended after this time, as a part of what runs now. */
export function recordPart(describe: () => NewSpan, seconds: number): void {
  const parent = activeSpan()
  if (parent !== undefined) endSpan(childSpan(parent, describe(), performance.now() - seconds * 1000))
}

/** Never the message, which may repeat what was sent. */
export function errorTypeOf(error: unknown): string {
  if (!(error instanceof Error)) return '_OTHER'
  const { code } = error as { code?: unknown }
  return typeof code === 'string' ? code : error.name
}

/** What goes with a call of another service; without a span nothing. */
export function propagationHeaders(span: Span | undefined): Record<string, string> {
  if (span === undefined) return {}
  const { id, state } = span.trace
  return { traceparent: traceparentOf(id, span.id), ...(state === '' ? {} : { tracestate: state }) }
}

/** Ids must differ, and need not be secret: Math.random takes a twentieth of the time of node:crypto. `digits`: a multiple of 8. */
export function randomHex(digits: number): string {
  let text = ''
  while (text.length < digits) text += eightDigits()
  return ALL_ZEROS.test(text) ? randomHex(digits) : text
}

const ALL_ZEROS = /^0+$/

function eightDigits(): string {
  return Math.floor(Math.random() * 2 ** 32)
    .toString(16)
    .padStart(8, '0')
}
