// Sends what happened while a client was away, in blocks, before its stream becomes live.

import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setImmediate as yieldToRequests } from 'node:timers/promises'
import { newestPosition, oldestPosition } from '../../event-log/store.ts'
import type { Database } from '../../platform/database/database.ts'
import { type LogView, shownToOwner } from './batch.ts'
import { eventFrame } from './frames.ts'
import { isOver, type Stream } from './open-streams.ts'
import { HISTORY_BLOCK, historyOf } from './store.ts'

/** How many events one statement reads: less than 1 ms, for which all other requests wait in the embedded engine. */
const WINDOW = 2_000

/** A client that has missed more than this loads anew what it shows, which costs less than to read all of it. */
const MAX_MISSED = 100_000

/**
 * Whether everything after this position can be sent: it is still stored, and not too much. A later one than the newest is
 * from before a loss of data.
 */
export async function canResume(database: Database, position: number): Promise<boolean> {
  const newest = (await database.one(newestPosition, {}))?.position ?? 0
  const oldest = (await database.one(oldestPosition, {}))?.position ?? 0
  return position >= oldest - 1 && position <= newest && newest - position <= MAX_MISSED
}

/** Reads and writes the next block of what the stream has missed up to `upTo`. */
export async function sendBlock(view: LogView, stream: Stream, upTo: number): Promise<void> {
  const { profileId, customerId, response } = stream
  const end = Math.min(stream.after + WINDOW, upTo)
  const range = { after: stream.after, upTo: end }
  const rows = await view.database.query(historyOf, { profileId, customerId, ...range, now: view.now() })
  const shown = await shownToOwner(view, rows)
  if (shown.length > 0 && !isOver(stream)) response.write(shown.map(eventFrame).join(''))
  stream.after = rows.length === HISTORY_BLOCK ? (rows.at(-1)?.position ?? end) : end
  await yieldToRequests()
}

/**
 * To be called without a turn: a client that reads slowly must not delay the others. One that reads nothing is disconnected
 * (http/connection/connections.ts).
 */
export async function drained(response: ServerResponse): Promise<void> {
  if (!response.writableNeedDrain || response.destroyed) return
  const over = new AbortController()
  const { signal } = over
  try {
    await Promise.race([once(response, 'drain', { signal }), once(response, 'close', { signal })])
  } finally {
    over.abort()
  }
}
