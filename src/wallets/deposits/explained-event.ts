import type { LoggedEvent } from '../../event-log/event.ts'
import { type Failure, whyOf } from './why.ts'

/**
 * With the words of why a deposit failed, for operators and their systems. They are not in the log, so that they can be
 * improved, and not in customers' streams: what to do next is none of their business.
 */
export function explainEvent(event: LoggedEvent): LoggedEvent {
  if (event.subject.type !== 'deposit' || !event.type.startsWith('deposit.')) return event
  const why = whyOf(event.data as Failure)
  return why === null ? event : { ...event, data: { ...event.data, why } }
}
