import type { Config } from '../config.ts'
import type { Database } from '../database/database.ts'
import { toProfile, type View } from './profile.ts'
import type { RankedProfile } from './shapes.ts'
import { mostFollowedOfAllTime, mostFollowedSince, type ProfileRow, profilesByIds } from './store.ts'

const ENTRIES = 20
const DAY_MS = 86_400_000

/**
 * What reading one follow of a window costs: 500 ms for 2 million. Estimated from the follows read and not taken from
 * the clock, so that a busy machine or a cold connection does not make a small service stale.
 */
const MS_PER_FOLLOW = 0.00025
/** A window that costs less than this is counted anew for each request: always fresh. */
const CHEAP_MS = 5
/** A dearer one is kept for this many times what it cost, so that ranking takes at most a twentieth of the time. */
const KEEP_FACTOR = 20

type Window = { ids: number[]; follows: number }
type Kept = { window: Promise<Window>; until: number }

export type MostFollowed = {
  /** `days` 0: all time. null: nothing qualifies. The profiles are read as the caller's database shows them. */
  read(database: Database, days: number, viewer: number, view: View): Promise<RankedProfile[] | null>
}

/** Windows are shared by all callers, so they are counted where nobody misses what they wrote: on the primary. */
export function mostFollowed(primary: Database, config: Config, now: () => number): MostFollowed {
  const kept = new Map<number, Kept>()

  /** One computation at a time for each window, shared by all who ask meanwhile. */
  function windowOf(days: number): Promise<Window> {
    const found = kept.get(days)
    if (found !== undefined && performance.now() < found.until) return found.window
    const entry: Kept = { window: compute(days), until: Number.POSITIVE_INFINITY }
    kept.set(days, entry)
    const settle = ({ follows }: Window) => {
      const cost = follows * MS_PER_FOLLOW
      entry.until = cost < CHEAP_MS ? 0 : performance.now() + cost * KEEP_FACTOR
    }
    entry.window.then(settle, () => kept.delete(days))
    return entry.window
  }

  async function compute(days: number): Promise<Window> {
    const rows = await primary.query(mostFollowedSince, [now() - days * DAY_MS])
    return { ids: rows.map((row) => row.id), follows: rows[0]?.follows ?? 0 }
  }

  async function rowsOf(database: Database, days: number, viewer: number): Promise<ProfileRow[]> {
    if (days === 0) return database.query(mostFollowedOfAllTime, [viewer])
    const { ids } = await windowOf(days)
    if (ids.length === 0) return []
    const padded = [...ids, ...new Array<number>(ENTRIES - ids.length).fill(0)]
    const rows = new Map((await database.query(profilesByIds, [viewer, ...padded])).map((row) => [row.id, row]))
    return ids.flatMap((id) => rows.get(id) ?? [])
  }

  return {
    async read(database, days, viewer, view) {
      const rows = await rowsOf(database, days, viewer)
      if (rows.length === 0) return null
      return rows.map((row, index) => ({ ...toProfile(config, row, view), rank: index + 1 }))
    },
  }
}
