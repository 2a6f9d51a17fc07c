import type { Config } from '../config/config.ts'
import { type Database, idParameters } from '../database/database.ts'
import { toProfile, type View } from './profile-view.ts'
import { followWindows } from './ranking-window.ts'
import type { RankedProfile } from './shapes.ts'
import { MOST_RANKED, mostFollowedOfAllTime, type ProfileRow, profilesByIds } from './store.ts'

export type MostFollowed = {
  /** `days` 0: all time. null: nobody qualifies. The profiles are read from the caller's database handle. */
  read(database: Database, days: number, viewer: number, view: View): Promise<RankedProfile[] | null>
}

/** Windows are shared by all callers, so they are counted on the primary, which shows everybody's writes. */
export function mostFollowed(primary: Database, config: Config, now: () => number): MostFollowed {
  const windows = followWindows(primary, now)

  async function rowsOf(database: Database, days: number, viewer: number): Promise<ProfileRow[]> {
    if (days === 0) return database.query(mostFollowedOfAllTime, { viewer })
    const ids = await windows.idsOf(days)
    if (ids.length === 0) return []
    const found = await database.query(profilesByIds, { viewer, ...idParameters(MOST_RANKED, ids) })
    const rows = new Map(found.map((row) => [row.id, row]))
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
