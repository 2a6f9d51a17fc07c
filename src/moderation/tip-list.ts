// Which index a list of tips is read along: the one whose condition leaves the fewest.

import type { Database } from '../platform/database/database.ts'
import * as store from './tip-list-store.ts'

export type TipFilter = {
  readonly featured: boolean
  readonly state: store.TipRow['state'] | null
  readonly sportId: number | null
  readonly profileId: number | null
}

export function readNewestTips(
  database: Database,
  { featured, ...filter }: TipFilter,
  page: Pick<store.NewestPage, 'before' | 'limit'>,
): Promise<store.TipRow[]> | store.TipRow[] {
  return database.query(newestStatement(featured, filter), { ...filter, ...page })
}

function newestStatement(featured: boolean, { state, sportId, profileId }: Omit<TipFilter, 'featured'>) {
  if (featured) return store.newestFeaturedTips
  if (profileId !== null) return store.newestTipsOfAuthor
  if (state !== null && state !== 'live') return store.newestWithdrawnTips
  return sportId === null ? store.newestTips : store.newestTipsOfSport
}

type LikedFilter = Pick<TipFilter, 'sportId' | 'profileId'>

export function readLikedTips(
  database: Database,
  { sportId, profileId }: LikedFilter,
  page: { likes: number; before: number; limit: number },
): Promise<store.TipRow[]> | store.TipRow[] {
  const statement =
    profileId !== null ? store.likedTipsOfAuthor : sportId !== null ? store.likedTipsOfSport : store.likedTips
  return database.query(statement, { sportId, profileId, ...page })
}
