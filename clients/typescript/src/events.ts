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

/** The service’s database is away since then: nothing is sent until it is back. What happened meanwhile follows. */
export type StreamBehind = { readonly type: 'behind'; readonly since: Date }

export type StreamEvent = PaddockEvent | StreamState | StreamBehind

/** The state of an outcome that is watched. The newest one replaces all before. */
export type OutcomeState = {
  readonly type: 'outcome'
  readonly outcomeId: number
  readonly eventId: number
  /** null: there is none for now. */
  readonly livePrice: Readonly<{
    priceNum: number
    priceDen: number
    priceFrac: string
    priceDec: string
    priceUS: number
  }> | null
  /** `A`: tips can be made. */
  readonly displayStatus: 'A' | 'I'
  /** As reported; null: none yet. */
  readonly result: string | null
  /** The part of the stake that counts, after a dead heat to win and for a place; null: none. */
  readonly deadHeat: string | null
  readonly placeDeadHeat: string | null
  /** The deduction from winnings, as a fraction of 1; null: none. */
  readonly rule4: string | null
}

/** The state of an event whose outcomes are watched. */
export type EventState = {
  readonly type: 'event'
  readonly eventId: number
  readonly status: 'upcoming' | 'live' | 'settled' | 'unsettled'
  readonly startTime: Date
  readonly isSuspended: boolean
  readonly score: string | null
  readonly clock: string | null
}

/** The newest tip on an outcome that is watched. */
export type NewTip = {
  readonly type: 'tip'
  readonly commentId: number
  readonly outcomeId: number
  readonly profileId: number
}

/** The state of the customer's account. */
export type AccountState = {
  readonly type: 'account'
  readonly balance: string
  readonly currency: string
  /** The id of the newest notification that was not read; null: all were read. */
  readonly newestUnreadId: number | null
}

export type WatchedState = OutcomeState | EventState | NewTip | AccountState

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

/** A state of the stream; undefined: of a type that this version does not know. */
export function decodeState(type: string, wire: Wire): Wire | undefined {
  if (!STATES.has(type)) return undefined
  const given = ['startTime', 'since'].filter((name) => name in wire)
  const times = Object.fromEntries(given.map((name) => [name, new Date(wire[name] as string)]))
  return { type, ...withNumbers(wire), ...times }
}

const STATES = new Set(['ready', 'reset', 'behind', 'outcome', 'event', 'tip', 'account'])

function numberedSubject(subject: Wire): Wire {
  return subject.type === 'deposit' ? subject : { ...subject, id: Number(subject.id) }
}

function withNumbers(wire: Wire): Wire {
  return Object.fromEntries(
    Object.entries(wire).map(([name, value]) => [name, name.endsWith('Id') && value !== null ? Number(value) : value]),
  )
}
