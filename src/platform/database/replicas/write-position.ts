// x-write-position: where in the history of the database a write is, for callers who read from another machine next. It is opaque to
// them, and not signed: a forged one costs no more than a read after a write.

import { hash } from 'node:crypto'
import type { CommitPosition, Heartbeat } from '../postgres/heartbeat-store.ts'
import { isContained } from '../postgres/primary-watch.ts'

/** `database`: a short hash of its identity. */
export type WritePosition = CommitPosition & { readonly database: string }

export const shortIdentity = (identity: string): string => hash('sha256', identity, 'base64url').slice(0, 8)

export function textOfPosition({ database, timeline, position, beat }: WritePosition): string {
  return [database, ...[timeline, position, beat].map((number) => number.toString(36))].join('.')
}

/** undefined: unreadable, which counts as absent. */
export function parsePosition(text: string): WritePosition | undefined {
  const found = /^([\w-]{8})\.([0-9a-z]{1,7})\.([0-9a-z]{1,11})\.([0-9a-z]{1,11})$/.exec(text)
  if (found === null) return undefined
  const [database, ...numbers] = found.slice(1) as [string, string, string, string]
  const [timeline, position, beat] = numbers.map((number) => Number.parseInt(number, 36)) as [number, number, number]
  return [timeline, position, beat].every(Number.isSafeInteger) ? { database, timeline, position, beat } : undefined
}

/**
 * What a history whose last heartbeat is `last` has of a write that was made before its timeline began. The write is later than
 * heartbeat `beat`, and earlier than the next one.
 */
export function fateOf({ timeline, beat }: WritePosition, last: Heartbeat): 'contained' | 'lost' | 'unknown' {
  if (isContained({ timeline, number: beat + 1 }, last)) return 'contained'
  return last.timeline_start < beat ? 'lost' : 'unknown'
}
