// The text of a stream: server-sent events (HTML Living Standard 9.2).

import { dataOf, eventId } from '../../event-log/event.ts'
import { isoTime } from '../../platform/runtime/iso-time.ts'
import type { ReadEvent } from './kinds.ts'

/** A comment line: something to pass on for a proxy that waits for the first bytes, and a sign of life later. */
const COMMENT = ':\n'

/** When a client comes back after its connection was lost. */
const RETRY_MS = 2_000

export const FIRST_LINES = `retry: ${RETRY_MS}\n${COMMENT}\n`

/** The last line of a process that stops. Clients come back at different times, so that they do not arrive all at once. */
export function lastLine(): string {
  return `retry: ${1_000 + Math.floor(Math.random() * 4_000)}\n\n`
}

/** The id alone is no event; clients that follow the standard resume from it. */
export function signOfLife(position: number | null): string {
  return position === null ? `${COMMENT}\n` : `${COMMENT}id: ${position}\n\n`
}

/** Nothing more comes until the next sign of life with an id. */
export function behindFrame(since: number): string {
  return stateFrame('behind', { since: isoTime(since) })
}

/** So that a client can resume before anything has happened. */
export function greeting(type: 'ready' | 'reset', position: number): string {
  return frame(position, type, `{"position":${position}}`)
}

type WithoutCustomer<Row> = Row extends unknown ? Omit<Row, 'customer_id'> : never
export type StreamedRow = WithoutCustomer<ReadEvent>

export function eventFrame(row: StreamedRow): string {
  const { position, kind, subject_type, subject_id, profile_id, at } = row
  const event = {
    position,
    id: eventId(row),
    type: kind,
    timestamp: isoTime(at),
    subject: { type: subject_type, id: subject_id },
    profileId: profile_id === null ? null : String(profile_id),
    data: publicData(dataOf(row)),
  }
  return frame(position, kind, JSON.stringify(event))
}

/** Why a deposit needs manual review is for operators. */
function publicData({ review: _, ...data }: { [name: string]: unknown }): object {
  return data
}

/** An event of a stream that sends a state instead of a log: there is nothing to resume from. */
export function stateFrame(type: string, data: unknown): string {
  return `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`
}

function frame(position: number, type: string, data: string): string {
  return `id: ${position}\nevent: ${type}\ndata: ${data}\n\n`
}
