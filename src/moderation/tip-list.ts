// Which index a list of tips is read along: the one whose condition leaves the fewest.

import type { Database } from '../platform/database/database.ts'
import {
  likedTips,
  likedTipsOfAuthor,
  likedTipsOfSport,
  type NewestPage,
  newestFeaturedTips,
  newestTips,
  newestTipsOfAuthor,
  newestTipsOfSport,
  newestWithdrawnTips,
  type TipRow,
} from './tip-list-store.ts'

export type TipFilter = {
  readonly featured: boolean
  readonly state: TipRow['state'] | null
  readonly sportId: number | null
  readonly profileId: number | null
}

export function readNewestTips(
  database: Database,
  { featured, ...filter }: TipFilter,
  page: Pick<NewestPage, 'before' | 'limit'>,
): Promise<TipRow[]> | TipRow[] {
  return database.query(newestStatement(featured, filter), { ...filter, ...page })
}

function newestStatement(featured: boolean, { state, sportId, profileId }: Omit<TipFilter, 'featured'>) {
  if (featured) return newestFeaturedTips
  if (profileId !== null) return newestTipsOfAuthor
  if (state !== null && state !== 'live') return newestWithdrawnTips
  return sportId === null ? newestTips : newestTipsOfSport
}

type LikedFilter = Pick<TipFilter, 'sportId' | 'profileId'>

export function readLikedTips(
  database: Database,
  { sportId, profileId }: LikedFilter,
  page: { likes: number; before: number; limit: number },
): Promise<TipRow[]> | TipRow[] {
  const statement = profileId !== null ? likedTipsOfAuthor : sportId !== null ? likedTipsOfSport : likedTips
  return database.query(statement, { sportId, profileId, ...page })
}
