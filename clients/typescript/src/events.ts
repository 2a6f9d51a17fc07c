// Events, as the stream and webhooks carry them.

import type { EventData, EventKind, EventSubjects, StreamedKind } from './generated/events.ts'

type Subject<Type> = Type extends 'deposit' ? { type: Type; id: string } : { type: Type; id: number }

/** An event of the stream. Compare `type`, and TypeScript knows `data`. */
export type PaddockEvent<Kind extends EventKind = StreamedKind> = {
  [K in Kind]: {
    /** Dense and in the order of what happened. */
    readonly position: number
    /** The same in every delivery: recognises an event that was seen before. */
    readonly id: string
    readonly type: K
    readonly timestamp: Date
    readonly subject: Readonly<Subject<EventSubjects[K]>>
    /** The profile that it concerns. */
    readonly profileId: number | null
    readonly data: Readonly<Omit<EventData[K], 'review'>>
  }
}[Kind]

/** `ready`: everything before it was sent. `reset`: some events are lost; load anew what you show. */
export type StreamState = { readonly type: 'ready' | 'reset'; readonly position: number }

export type StreamEvent = PaddockEvent | StreamState

/** An event of a webhook. */
export type WebhookEvent<Kind extends EventKind = EventKind> =
  | {
      [K in Kind]: Omit<PaddockEvent<K>, 'data'> & {
        readonly customerId: number | null
        readonly data: Readonly<EventData[K]>
      }
    }[Kind]
  | TestEvent

/** What an operator sends to try an endpoint. */
export type TestEvent = {
  readonly position: 0
  readonly id: string
  readonly type: 'test'
  readonly timestamp: Date
  readonly subject: { readonly type: 'webhook'; readonly id: number }
  readonly profileId: null
  readonly customerId: null
  readonly data: Record<never, never>
}

type Wire = { [name: string]: unknown }

/** Ids become numbers, but for those of deposits; times become dates. */
export function decodeEvent({ timestamp, subject, data, ...wire }: Wire): Wire {
  return {
    ...withNumbers(wire),
    timestamp: new Date(timestamp as string),
    subject: numberedSubject(subject as Wire),
    data: withNumbers(data as Wire),
  }
}

function numberedSubject(subject: Wire): Wire {
  return subject.type === 'deposit' ? subject : { ...subject, id: Number(subject.id) }
}

function withNumbers(wire: Wire): Wire {
  return Object.fromEntries(
    Object.entries(wire).map(([name, value]) => [name, name.endsWith('Id') && value !== null ? Number(value) : value]),
  )
}
