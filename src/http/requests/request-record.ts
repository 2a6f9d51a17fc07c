// Records each request for its log line and the metrics, on both listeners.

import type { IncomingMessage } from 'node:http'
import { performance } from 'node:perf_hooks'
import { traceIdsOf } from '../../platform/observability/log.ts'
import { type RawRequest, rawBytes, type Shows } from '../../platform/observability/request-rings.ts'
import { turnBegin } from '../../platform/runtime/clock.ts'
import type { Span } from '../../platform/tracing/span.ts'
import { clientAddress } from '../connection/proxies.ts'
import type { ListenerContext } from './context.ts'
import { beginRequestSpan, endRequestSpan, listenerAttributes } from './request-span.ts'

export type Listener = 'public' | 'operator'

export type RequestSource = Pick<IncomingMessage, 'socket' | 'headers'> &
  Partial<Pick<IncomingMessage, 'method' | 'url'>>

export type RequestRecord = {
  readonly id: string
  readonly source: RequestSource
  operation: string
  application: string
  /** null: unknown, or none. */
  customer: number | null
  fault: string
  /** Shown among the last requests of its application; set for requests that reached an operation. */
  kind: string
  faultName: string
  /** The header x-hint. */
  hint: string
  representation: string
  shows: Shows | null
  /** The body, in the sandbox: the form, or the number of bytes of a picture. */
  form: string | number
  /** What was answered, in the sandbox; undefined: nothing that is a document. */
  value: unknown
  /** How long that is as text. */
  answerLength: number
  error?: unknown
  readonly since: number
  /** undefined: not sampled. */
  readonly span: Span | undefined
  finished: boolean
}

export type Recorder = ReturnType<typeof recorder>

/** Wrong credentials, a missing permission, a slow request, too many requests. */
const SECURITY_STATUSES = new Set([401, 403, 408, 429])

/** Refused for its credentials or its rate, or at a path that does not exist: probing looks like this. */
function isSecurityRelevant({ operation }: RequestRecord, status: number): boolean {
  return SECURITY_STATUSES.has(status) || (status >= 400 && operation === 'none')
}

type RecorderParts = Pick<ListenerContext, 'log' | 'now' | 'metrics' | 'tracing' | 'config' | 'recentRequests'>

export function recorder(parts: RecorderParts, listener: Listener) {
  const { log, now, metrics, tracing, config, recentRequests } = parts
  const attributes = listenerAttributes(config, listener)
  const prefix = `${Math.random().toString(36).slice(2, 8)}-`
  let requests = 0
  return {
    begin(source: RequestSource): RequestRecord {
      const id = prefix + ++requests
      const since = turnBegin()
      return {
        id,
        source,
        operation: 'none',
        application: '',
        customer: null,
        fault: '',
        kind: '',
        faultName: '',
        hint: '',
        representation: '',
        shows: null,
        form: '',
        value: undefined,
        answerLength: 0,
        since,
        span: tracing === null ? undefined : beginRequestSpan(tracing, source, attributes),
        finished: false,
      }
    },
    /** Writes the log line and the metrics, once. */
    finish(record: RequestRecord, status: number): void {
      if (record.finished) return
      record.finished = true
      const { id, operation, application, customer, fault, error, since } = record
      const milliseconds = performance.now() - since
      metrics.request(operation, status, fault, milliseconds / 1000)
      if (listener === 'public') metrics.answered(status, fault)
      if (record.shows !== null && application !== '') {
        recentRequests.add(application, rawRequest(record, record.shows, { at: now(), status, ms: milliseconds }))
      }
      const base = { id, listener, operation, application, status, fault, ms: milliseconds }
      const line = record.span === undefined ? base : { ...base, ...traceIdsOf(record.span) }
      if (record.span !== undefined) endRequestSpan(record.span, record, status)
      if (isSecurityRelevant(record, status)) {
        log.request({ ...line, client: clientAddress(record.source, config.trustedProxies), customer }, error)
      } else log.request(line, error)
    },
  }
}

function rawRequest(
  { id, source, operation, kind, faultName, hint, customer, representation, form, value, answerLength }: RequestRecord,
  shows: Shows,
  { at, status, ms }: Pick<RawRequest, 'at' | 'status' | 'ms'>,
): RawRequest {
  const url = source.url ?? ''
  return {
    id,
    at,
    method: source.method ?? '',
    url,
    operation,
    status,
    kind,
    faultName,
    hint,
    ms,
    customer,
    representation,
    form,
    value,
    bytes: rawBytes({ url, form }, answerLength),
    shows,
  }
}
