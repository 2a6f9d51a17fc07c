// The open streams of this process, by whom they concern.

import type { ServerResponse } from 'node:http'
import { Fault } from '../../faults.ts'
import type { Metrics } from '../../platform/observability/metrics.ts'
import { budget } from '../../platform/runtime/slots.ts'

/** Who may have a stream. */
export type Caller = { readonly application: string; readonly customerId: number; readonly ticket: string }

export type Viewer = Caller & { readonly profileId: number }

/** What a stream reports besides the logged events of its customer. */
export type Watched = {
  /** Outcomes whose states are sent. */
  readonly outcomes: readonly number[]
  /** Whether the state of the customer's account is sent. */
  readonly account: boolean
}

export type Stream = Viewer &
  Watched & {
    readonly response: ServerResponse
    /** The client has everything up to this position; of a live stream, when it became live. */
    after: number
    /** Gets what the reader of the log reads. Before that it is sent what happened earlier. */
    live: boolean
  }

/** Nothing can be written any more. */
export function isOver({ response }: Stream): boolean {
  return response.writableEnded || response.destroyed
}

export type EndReason = 'client' | 'application' | 'ticket' | 'slow' | 'closing' | 'failed' | 'away'

/** Streams get their signs of life in turn: one slice at a time, all of them in the time of a heartbeat. */
export const SLICES = 15
const RETRY_AFTER_SECONDS = 5

/** The devices of one customer; more would be taken from the other customers of the application. */
const STREAMS_OF_CUSTOMER = 10

export type OpenStreams = ReturnType<typeof openStreams>

export function openStreams(metrics: Metrics, mostPerApplication: number) {
  const slices = Array.from({ length: SLICES }, () => new Set<Stream>())
  const byProfile = new Map<number, Set<Stream>>()
  const byCustomer = new Map<number, Set<Stream>>()
  const tooMany = () => new Fault('unavailable', undefined, { retryAfter: RETRY_AFTER_SECONDS })
  const open = budget(Number.POSITIVE_INFINITY, mostPerApplication, tooMany)
  let opened = 0
  const measure = () => metrics.gauge('paddock_streams', '', open.used())

  return {
    size: open.used,
    refuseMoreThanAllowed({ application, customerId }: Caller): void {
      if ((byCustomer.get(customerId)?.size ?? 0) >= STREAMS_OF_CUSTOMER) {
        throw new Fault('tooManyRequests', undefined, { retryAfter: RETRY_AFTER_SECONDS })
      }
      if (open.usedBy(application) >= mostPerApplication) throw tooMany()
    },
    add(stream: Stream): void {
      slices[opened++ % SLICES]?.add(stream)
      insert(byProfile, stream.profileId, stream)
      insert(byCustomer, stream.customerId, stream)
      open.take(stream.application, 1)
      measure()
    },
    /** Does nothing for one that is removed already. */
    remove(stream: Stream, reason: EndReason): void {
      if (!slices.some((slice) => slice.delete(stream))) return
      drop(byProfile, stream.profileId, stream)
      drop(byCustomer, stream.customerId, stream)
      open.release(stream.application, 1)
      measure()
      metrics.count('paddock_streams_ended_total', `reason="${reason}"`)
    },
    slice: (number: number): ReadonlySet<Stream> => slices[number % SLICES] as Set<Stream>,
    all: (): Stream[] => slices.flatMap((slice) => [...slice]),
    profiles: (): Iterable<number> => byProfile.keys(),
    ofProfile: (id: number): ReadonlySet<Stream> => byProfile.get(id) ?? NONE,
    ofCustomer: (id: number | null): ReadonlySet<Stream> => (id === null ? NONE : (byCustomer.get(id) ?? NONE)),
  }
}

const NONE: ReadonlySet<Stream> = new Set()

function insert(streams: Map<number, Set<Stream>>, id: number, stream: Stream): void {
  const known = streams.get(id)
  if (known === undefined) streams.set(id, new Set([stream]))
  else known.add(stream)
}

function drop(streams: Map<number, Set<Stream>>, id: number, stream: Stream): void {
  const known = streams.get(id)
  known?.delete(stream)
  if (known?.size === 0) streams.delete(id)
}
