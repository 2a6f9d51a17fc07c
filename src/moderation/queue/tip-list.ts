// Which index a list of tips is read along: the one whose condition leaves the fewest.

import type { Database } from '../../platform/database/database.ts'
import type { TipState } from '../../record/tip-state.ts'
import * as sql from './tip-list-store.ts'

export type TipFilter = {
  readonly featured: boolean
  readonly state: TipState | null
  readonly sportId: number | null
  readonly profileId: number | null
}

export function readNewestTips(
  database: Database,
  { featured, ...filter }: TipFilter,
  page: Pick<sql.NewestPage, 'before' | 'limit'>,
): Promise<sql.TipRow[]> | sql.TipRow[] {
  return database.query(newestStatement(featured, filter), { ...filter, ...page })
}

function newestStatement(featured: boolean, { state, sportId, profileId }: Omit<TipFilter, 'featured'>) {
  if (featured) return sql.newestFeaturedTips
  if (profileId !== null) return sql.newestTipsOfAuthor
  if (state !== null && state !== 'live') return sql.newestWithdrawnTips
  return sportId === null ? sql.newestTips : sql.newestTipsOfSport
}

type LikedFilter = Pick<TipFilter, 'sportId' | 'profileId'>

export function readLikedTips(
  database: Database,
  { sportId, profileId }: LikedFilter,
  page: { likes: number; before: number; limit: number },
): Promise<sql.TipRow[]> | sql.TipRow[] {
  const statement = profileId !== null ? sql.likedTipsOfAuthor : sportId !== null ? sql.likedTipsOfSport : sql.likedTips
  return database.query(statement, { sportId, profileId, ...page })
}
