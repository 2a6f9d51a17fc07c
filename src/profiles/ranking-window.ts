// A *window* is the ranking by the follows of the last days. Counting one reads all its follows, so it is kept for 20
// times what counting cost: ranking takes at most a twentieth of the time, however many processes there are. What one
// process counted is stored for all; when it is no longer fresh, one of them *claims* the window and counts anew.

import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../database/database.ts'
import { claimWindow, storedWindow, storeWindow } from './ranking-window-store.ts'
import { mostFollowedSince } from './store.ts'

const DAY_MS = 86_400_000

/**
 * What reading one follow of a window costs: 500 ms for 2 million. Estimated from the follows read and not taken from
 * the clock, so that a busy machine or a cold connection does not make a small service stale.
 */
const MS_PER_FOLLOW = 0.00025
/** A window that costs less than this is counted anew for each request: always fresh. */
const CHEAP_MS = 5
const KEEP_FACTOR = 20
/** Longer than a statement may take. */
const CLAIM_MS = 15_000
const LOOK_AGAIN_MS = 50

/** Profile ids, best first; for how long they are good. */
type Found = { ids: number[]; forMs: number }
type Held = { ids: Promise<number[]>; since: number; until: number }

export type FollowWindows = { idsOf(days: number): Promise<number[]> }

export function followWindows(database: Database, now: () => number): FollowWindows {
  const held = new Map<number, Held>()
  /** Windows that were cheap when this process counted them last; of the others the table may know. */
  const cheap = new Set<number>()

  async function count(days: number, claimed: boolean): Promise<Found> {
    const rows = await database.query(mostFollowedSince, { since: now() - days * DAY_MS })
    const ids = rows.map((row) => row.id)
    const follows = rows[0]?.follows ?? 0
    const forMs = keptFor(follows)
    if (forMs === 0) cheap.add(days)
    else cheap.delete(days)
    if (forMs > 0 || claimed)
      await database.run(storeWindow, { days, ids: JSON.stringify(ids), follows, freshUntil: now() + forMs })
    return { ids, forMs }
  }

  async function find(days: number): Promise<Found> {
    if (cheap.has(days)) return count(days, false)
    for (;;) {
      const stored = await database.one(storedWindow, { days })
      const keptMs = keptFor(stored?.follows ?? 0)
      if (stored === undefined || keptMs === 0) return count(days, false)
      const time = now()
      const freshMs = stored.fresh_until - time
      const ids = JSON.parse(stored.ids) as number[]
      // More than it was kept for is a clock that was set back.
      if (freshMs > 0 && freshMs <= keptMs) return { ids, forMs: freshMs }
      const claimed = await database.run(claimWindow, {
        days,
        seen: stored.fresh_until,
        now: time,
        until: time + CLAIM_MS,
      })
      if (claimed > 0) return count(days, true)
      // Another process counts. What was fresh just now serves meanwhile; what is older is waited for.
      if (freshMs > -keptMs && freshMs <= 0) return { ids, forMs: keptMs / KEEP_FACTOR }
      await pause(LOOK_AGAIN_MS)
    }
  }

  return {
    /** One at a time for each window, shared by all who ask meanwhile. */
    idsOf(days) {
      const found = held.get(days)
      const time = now()
      if (found !== undefined && time >= found.since && time < found.until) return found.ids
      const finding = find(days)
      const entry: Held = { ids: finding.then(({ ids }) => ids), since: time, until: Number.POSITIVE_INFINITY }
      held.set(days, entry)
      finding.then(
        ({ forMs }) => {
          entry.until = forMs === 0 ? 0 : now() + forMs
        },
        () => held.delete(days),
      )
      return entry.ids
    },
  }
}

/** Whole milliseconds; 0 for a cheap one. */
function keptFor(follows: number): number {
  const cost = follows * MS_PER_FOLLOW
  return cost < CHEAP_MS ? 0 : Math.ceil(cost * KEEP_FACTOR)
}
