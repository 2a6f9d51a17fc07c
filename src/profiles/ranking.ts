import type { Config } from '../config.ts'
import type { Database } from '../database/database.ts'
import { toProfile, type View } from './profile.ts'
import type { RankedProfile } from './shapes.ts'
import { mostFollowedOfAllTime, mostFollowedSince, type ProfileRow, profilesByIds } from './store.ts'

const ENTRIES = 20
const DAY_MS = 86_400_000

/** A window that is counted in less than this is counted anew for each request: always fresh. */
const CHEAP_MS = 5
/** A dearer one is kept for this many times what it cost, so that ranking takes at most a twentieth of the time. */
const KEEP_FACTOR = 20

type Kept = { ids: Promise<number[]>; until: number }

export type MostFollowed = {
  /** `days` 0: all time. null: nothing qualifies. */
  read(days: number, viewer: number, view: View): Promise<RankedProfile[] | null>
}

export function mostFollowed(database: Database, config: Config, now: () => number): MostFollowed {
  const kept = new Map<number, Kept>()

  /** Ids of the window, best first; one computation at a time for each window, shared by all who ask meanwhile. */
  function window(days: number): Promise<number[]> {
    const found = kept.get(days)
    if (found !== undefined && performance.now() < found.until) return found.ids
    const start = performance.now()
    const entry: Kept = { ids: compute(days), until: Number.POSITIVE_INFINITY }
    kept.set(days, entry)
    const settle = () => {
      const cost = performance.now() - start
      entry.until = cost < CHEAP_MS ? 0 : start + cost * (1 + KEEP_FACTOR)
    }
    entry.ids.then(settle, () => kept.delete(days))
    return entry.ids
  }

  async function compute(days: number): Promise<number[]> {
    const rows = await database.query(mostFollowedSince, [now() - days * DAY_MS, ENTRIES])
    return rows.map((row) => row.id)
  }

  async function rowsOf(days: number, viewer: number): Promise<ProfileRow[]> {
    if (days === 0) return database.query(mostFollowedOfAllTime, [viewer, ENTRIES])
    const ids = await window(days)
    if (ids.length === 0) return []
    const padded = [...ids, ...new Array<number>(ENTRIES - ids.length).fill(0)]
    const rows = new Map((await database.query(profilesByIds, [viewer, ...padded])).map((row) => [row.id, row]))
    return ids.flatMap((id) => rows.get(id) ?? [])
  }

  return {
    async read(days, viewer, view) {
      const rows = await rowsOf(days, viewer)
      if (rows.length === 0) return null
      return rows.map((row, index) => ({ ...toProfile(config, row, view), rank: index + 1 }))
    },
  }
}
