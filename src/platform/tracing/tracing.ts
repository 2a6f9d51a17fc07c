// Which requests and jobs are traced (head sampling): those whose caller's traceparent says so, and a part of those without one.

import type { IncomingHttpHeaders } from 'node:http'
import { performance } from 'node:perf_hooks'
import packageFile from '../../../package.json' with { type: 'json' }
import { turnBegin, turnTime } from '../runtime/clock.ts'
import type { StartTask } from '../runtime/periodic-task.ts'
import type { ExporterReports } from './exporter.ts'
import {
  type Attributes,
  activeSpan,
  childSpan,
  firstSpan,
  type NewSpan,
  randomHex,
  type Span,
  type Trace,
  throughSpan,
} from './span.ts'
import { parseTraceparent, parseTracestate, type RemoteParent } from './trace-context.ts'

export type TracingSettings = {
  /** The address of the collector, without /v1/traces. */
  readonly endpoint: string
  readonly headers: Readonly<Record<string, string>>
  readonly serviceName: string
  /** The part of requests and jobs without a parent that is sampled. */
  readonly ratio: number
  readonly statementsOverMs: number
}

export type Tracing = {
  readonly statementsOverMs: number
  /** The first span of a request in this process; undefined: not sampled. */
  beginRequest(describe: () => NewSpan, headers: IncomingHttpHeaders): Span | undefined
  /** The first span of what no request causes; undefined: not sampled. */
  begin(describe: () => NewSpan): Span | undefined
  /** Sends what waits. */
  close(): Promise<void>
}

/** null: tracing is off. */
export async function openTracing(settings: TracingSettings | null, reports: ExporterReports): Promise<Tracing | null> {
  if (settings === null) return null
  // Loaded only when it is used: loading the HTTP client takes a fifth of the time of a start.
  const { Exporter } = await import('./exporter.ts')
  const { endpoint, headers, ratio, statementsOverMs } = settings
  const { version } = packageFile
  const exporter = new Exporter({ endpoint, headers, resource: resourceOf(settings, version), version }, reports)

  const finished = (span: Span) => exporter.add(span)

  function newTrace(id: string, state: string, remoteParentId: string): Trace {
    const epoch = turnTime() - turnBegin()
    return { id, state, remoteParentId, epoch, finished, isOver: false }
  }

  function begin(describe: () => NewSpan, at: number, remote: RemoteParent | null, state: string): Span | undefined {
    const chance = remote === null ? Math.random() : 0
    if (remote === null ? chance < 1 - ratio : !remote.isSampled) return undefined
    // Callers decide what is sampled. What cannot be sent costs no more than counting it.
    if (exporter.isFull()) {
      exporter.dropped()
      return undefined
    }
    const trace = remote === null ? newTrace(idOf(chance), '', '') : newTrace(remote.traceId, state, remote.spanId)
    return firstSpan(trace, describe(), at)
  }

  return {
    statementsOverMs,
    beginRequest(describe, { traceparent, tracestate }) {
      const remote = typeof traceparent === 'string' ? parseTraceparent(traceparent) : null
      const state = remote?.isSampled === true && typeof tracestate === 'string' ? parseTracestate(tracestate) : ''
      return begin(describe, turnBegin(), remote, state)
    },
    begin: (describe) => begin(describe, performance.now(), null, ''),
    close: () => exporter.close(),
  }
}

/** The last 56 bits decide, so that other services with the same ratio choose the same traces. A chance has only 52 of them. */
function idOf(chance: number): string {
  const random = randomHex(24)
  const decisive = Math.floor(chance * 2 ** 52).toString(16)
  return random.slice(0, 18) + decisive.padStart(13, '0') + random.slice(-1)
}

function resourceOf({ serviceName }: TracingSettings, version: string): Attributes {
  return {
    'service.name': serviceName,
    'service.version': version,
    'service.instance.id': randomHex(32),
  }
}

/** Runs a job with a span of its own; as a part of what runs now, if that is traced. */
export function tracedJob<T>(tracing: Tracing | null, name: string, work: () => Promise<T>): Promise<T> {
  if (tracing === null) return work()
  const parent = activeSpan()
  const span: NewSpan = { kind: 'internal', name, attributes: {} }
  return throughSpan(parent === undefined ? tracing.begin(() => span) : childSpan(parent, span), work)
}

/** A periodic task each of whose runs is a job. */
export function tracedTask(tracing: Tracing | null, name: string, start: StartTask): StartTask {
  return (work, schedule) => start((closing) => tracedJob(tracing, name, () => work(closing)), schedule)
}
