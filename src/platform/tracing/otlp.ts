// Spans as the JSON of OTLP: ids in hexadecimal, 64-bit numbers as text.

import { type Attributes, isFirst, SPAN_KINDS, type Span } from './span.ts'

const ERROR = 2
/** Sampled, and it is known whether the parent is in another process. */
const LOCAL_FLAGS = 0x101
const REMOTE_FLAGS = 0x301

/** The body of one request, for /v1/traces. `version`: of what makes the spans. */
export function exportRequest(spans: readonly Span[], resource: Attributes, version: string): string {
  return JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: attributesOf(resource) },
        scopeSpans: [{ scope: { name: 'paddock', version }, spans: spans.map(spanOf) }],
      },
    ],
  })
}

function spanOf(span: Span): object {
  const { trace, id, parentId, kind, name, begin, end, attributes, hasFailed } = span
  return {
    traceId: trace.id,
    spanId: id,
    ...(trace.state === '' ? {} : { traceState: trace.state }),
    ...(parentId === '' ? {} : { parentSpanId: parentId }),
    flags: parentId !== '' && isFirst(span) ? REMOTE_FLAGS : LOCAL_FLAGS,
    name,
    kind: SPAN_KINDS[kind],
    startTimeUnixNano: nanoseconds(trace.epoch + begin),
    endTimeUnixNano: nanoseconds(trace.epoch + end),
    attributes: attributesOf(attributes),
    status: hasFailed ? { code: ERROR } : {},
  }
}

function attributesOf(attributes: Attributes): object[] {
  return Object.entries(attributes).map(([key, value]) => ({
    key,
    value:
      typeof value === 'string'
        ? { stringValue: value }
        : Number.isInteger(value)
          ? { intValue: `${value}` }
          : { doubleValue: value },
  }))
}

/** Too many digits for a number. */
function nanoseconds(milliseconds: number): string {
  const microseconds = Math.round(milliseconds * 1000)
  return `${microseconds}000`
}
