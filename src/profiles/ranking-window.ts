// A *window* is the ranking by the follows of the last days. Counting one reads all its follows, so the result is cached
// for 20 times what counting cost: ranking takes at most a twentieth of the time, however many processes there are. The
// result is stored for all processes; when it is stale, one of them *claims* the window and counts again.

import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../platform/database/database.ts'
import { DAY_MS } from '../platform/runtime/durations.ts'
import { claimWindow, storedWindow, storeWindow } from './ranking-window-store.ts'
import { mostFollowedSince } from './store.ts'

/**
 * The cost of reading one follow of a window: 500 ms for 2 million. Estimated from the follows read, not measured, so that
 * a busy machine or a cold connection does not make a small service serve stale rankings.
 */
const MS_PER_FOLLOW = 0.00025
/** A cheaper window is counted for each request: always fresh. */
const CHEAP_MS = 5
const CACHE_FACTOR = 20
/** Longer than a statement may take. */
const CLAIM_MS = 15_000
const POLL_MS = 50

/** Profile ids, most followed first, and how long they may be cached. */
type Ranking = { ids: number[]; cacheMs: number }
type CachedRanking = { ids: Promise<number[]>; since: number; until: number }

export type FollowWindows = { idsOf(days: number): Promise<number[]> }

export function followWindows(database: Database, now: () => number): FollowWindows {
  const cached = new Map<number, CachedRanking>()
  /** Windows that were cheap when this process last counted them. The others may be in the table. */
  const cheap = new Set<number>()

  async function count(days: number, claimed: boolean): Promise<Ranking> {
    const rows = await database.query(mostFollowedSince, { since: now() - days * DAY_MS })
    const ids = rows.map((row) => row.id)
    const follows = rows[0]?.follows ?? 0
    const cacheMs = cachedMsOf(follows)
    if (cacheMs === 0) cheap.add(days)
    else cheap.delete(days)
    if (cacheMs > 0 || claimed)
      await database.run(storeWindow, { days, ids: JSON.stringify(ids), follows, freshUntil: now() + cacheMs })
    return { ids, cacheMs }
  }

  async function find(days: number): Promise<Ranking> {
    if (cheap.has(days)) return count(days, false)
    for (;;) {
      const stored = await database.one(storedWindow, { days })
      const cachedMs = cachedMsOf(stored?.follows ?? 0)
      if (stored === undefined || cachedMs === 0) return count(days, false)
      const time = now()
      const freshMs = stored.fresh_until - time
      const ids = JSON.parse(stored.ids) as number[]
      // Fresh for longer than it may be cached: a clock was set back.
      if (freshMs > 0 && freshMs <= cachedMs) return { ids, cacheMs: freshMs }
      const claimed = await database.run(claimWindow, {
        days,
        seen: stored.fresh_until,
        now: time,
        until: time + CLAIM_MS,
      })
      if (claimed > 0) return count(days, true)
      // Another process is counting. A ranking that was fresh a moment ago is served meanwhile; an older one is waited for.
      if (freshMs > -cachedMs && freshMs <= 0) return { ids, cacheMs: cachedMs / CACHE_FACTOR }
      await pause(POLL_MS)
    }
  }

  return {
    /** One count at a time for each window, shared by all requests that arrive meanwhile. */
    idsOf(days) {
      const found = cached.get(days)
      const time = now()
      if (found !== undefined && time >= found.since && time < found.until) return found.ids
      const finding = find(days)
      const entry: CachedRanking = { ids: finding.then(({ ids }) => ids), since: time, until: Number.POSITIVE_INFINITY }
      cached.set(days, entry)
      finding.then(
        ({ cacheMs }) => {
          entry.until = cacheMs === 0 ? 0 : now() + cacheMs
        },
        () => cached.delete(days),
      )
      return entry.ids
    },
  }
}

/** How long a window of so many follows is cached, in whole milliseconds; 0 for a cheap one. */
function cachedMsOf(follows: number): number {
  const cost = follows * MS_PER_FOLLOW
  return cost < CHEAP_MS ? 0 : Math.ceil(cost * CACHE_FACTOR)
}
