// What an endpoint is sent.

import { eventId, type LoggedEvent } from '../event-log/event.ts'
import type { EventRow } from '../event-log/store.ts'
import { isoTime } from '../platform/runtime/iso-time.ts'
import type { PushedEvents } from './context.ts'
import type { ClaimedDelivery, DeliveryRow } from './delivery-store.ts'
import type { EndpointRow } from './endpoint-store.ts'

/** The type of events that an operator sends to try an endpoint. They are not in the log. */
export const TEST = 'test'

export type Message = { readonly id: string; readonly body: string }

/** undefined: the event was deleted. */
export function messageOf(
  delivery: ClaimedDelivery,
  endpoint: EndpointRow,
  events: readonly EventRow[],
  toEvent: PushedEvents['toEvent'],
): Message | undefined {
  if (delivery.position === null) return toMessage(testEvent(delivery, endpoint))
  const row = events.find(({ position }) => position === delivery.position)
  return row === undefined ? undefined : toMessage(toEvent(row))
}

type SentEvent = Omit<LoggedEvent, 'subject'> & { subject: { type: string; id: string } }

/** A test event has the form of all events, with a position that no event has. */
function testEvent(delivery: ClaimedDelivery, endpoint: EndpointRow): SentEvent {
  return {
    position: 0,
    id: eventIdOf(delivery),
    type: TEST,
    timestamp: isoTime(delivery.event_at),
    subject: { type: 'webhook', id: String(endpoint.id) },
    profileId: null,
    customerId: null,
    data: {},
  }
}

function toMessage(event: SentEvent): Message {
  return { id: event.id, body: JSON.stringify({ type: event.type, timestamp: event.timestamp, data: event }) }
}

/** The same in every attempt and every further delivery of an event. */
export function eventIdOf({ id, position, event_at }: Pick<DeliveryRow, 'id' | 'position' | 'event_at'>): string {
  return position === null ? `evt_test_${id}_${event_at.toString(36)}` : eventId({ position, at: event_at })
}

/** The newest first. */
export function validSecrets(endpoint: EndpointRow, now: number): string[] {
  const { secret, previous_secret, previous_secret_until } = endpoint
  const isPreviousValid = previous_secret !== null && (previous_secret_until ?? 0) > now
  return isPreviousValid ? [secret, previous_secret] : [secret]
}
