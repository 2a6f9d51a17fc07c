import type { Config } from '../platform/config/config.ts'
import { type Database, idParameters } from '../platform/database/database.ts'
import { toProfile, type View } from './profile-view.ts'
import { followWindows } from './ranking-window.ts'
import type { RankedProfile } from './shapes.ts'
import { MAX_RANKED, mostFollowedOfAllTime, type ProfileRow, profilesByIds } from './store.ts'

/** The first MAX_RANKED that the viewer sees: one statement, unless some of them are hidden or inactive. */
async function firstOf(database: Database, ids: readonly number[], viewer: number, now: number): Promise<ProfileRow[]> {
  const shown: ProfileRow[] = []
  for (let from = 0; from < ids.length && shown.length < MAX_RANKED; from += MAX_RANKED) {
    const some = ids.slice(from, from + MAX_RANKED)
    const found = await database.query(profilesByIds, { viewer, now, ...idParameters(MAX_RANKED, some) })
    const rows = new Map(found.map((row) => [row.id, row]))
    shown.push(...some.flatMap((id) => rows.get(id) ?? []))
  }
  return shown.slice(0, MAX_RANKED)
}

export type MostFollowed = {
  /** `days` 0: all time. null: nobody qualifies. The profiles are read from the caller's database handle. */
  read(database: Database, days: number, viewer: number, view: View): Promise<RankedProfile[] | null>
}

/** Windows are shared by all callers, so they are counted on the primary, which shows everybody's writes. */
export function mostFollowed(primary: Database, config: Config, now: () => number): MostFollowed {
  const windows = followWindows(primary, now)

  async function rowsOf(database: Database, days: number, viewer: number): Promise<ProfileRow[]> {
    if (days === 0) return database.query(mostFollowedOfAllTime, { viewer, now: now() })
    const ids = await windows.idsOf(days)
    if (ids.length === 0) return []
    return firstOf(database, ids, viewer, now())
  }

  return {
    async read(database, days, viewer, view) {
      const rows = await rowsOf(database, days, viewer)
      if (rows.length === 0) return null
      return rows.map((row, index) => ({ ...toProfile(config, row, view), rank: index + 1 }))
    },
  }
}
