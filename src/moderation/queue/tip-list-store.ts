// The lists in which operators browse tips. Each statement reads a page along one index; what is left to filter is few.

import { REVIEWED_STATE } from '../../communities/store.ts'
import { reading } from '../../platform/database/database.ts'
import type { TipStatus } from '../../record/result-status.ts'
import type { ReviewedTipState } from '../../record/tip-state.ts'

export type TipRow = {
  id: number
  text: string
  state: ReviewedTipState
  status: TipStatus
  is_featured: number
  num_likes: number
  created_at: number
  sport_id: number
  profile_id: number
  profile_name: string
  outcome: string
  event: string
  starts_at: number
}

/** `before`: the id of the last tip of the page before. null: any. */
export type NewestPage = {
  before: number
  limit: number
  state: string | null
  sportId: number | null
  profileId: number | null
}

const CONTENT = `c.id, c.text, ${REVIEWED_STATE}, c.status, c.featured as is_featured, k.likes as num_likes, c.created_at, c.sport_id,
  c.author_id as profile_id, coalesce(p.name, '') as profile_name, o.name as outcome, e.name as event, e.start_time as starts_at`
const JOINS = `join comment_count k on k.comment_id = c.id join profile p on p.id = c.author_id
  join outcome o on o.id = c.outcome_id join market m on m.id = o.market_id join event e on e.id = m.event_id`

const ANY = {
  state: '(cast(:state as text) is null or state = cast(:state as text))',
  sport: '(cast(:sportId as bigint) is null or sport_id = cast(:sportId as bigint))',
  author: '(cast(:profileId as bigint) is null or author_id = cast(:profileId as bigint))',
}

/** The constant is the longest page and one more: PostgreSQL takes an unknown limit for a tenth of the table. */
const page = (conditions: string) => `select * from (
    select * from comment where ${conditions} and id < :before order by id desc limit :limit) some_of_them limit 101`

const newest = (name: string, conditions: string) =>
  reading<NewestPage, TipRow>(name)`select ${CONTENT} from (${page(conditions)}) c ${JOINS} order by c.id desc`

export const newestTips = newest('newestTips', `${ANY.state} and ${ANY.sport} and ${ANY.author}`)

export const newestFeaturedTips = newest(
  'newestFeaturedTips',
  `featured = 1 and ${ANY.state} and ${ANY.sport} and ${ANY.author}`,
)

/** Removed or deactivated ones. */
export const newestWithdrawnTips = newest(
  'newestWithdrawnTips',
  `state <> 'live' and state = cast(:state as text) and ${ANY.sport} and ${ANY.author}`,
)

export const newestTipsOfSport = newest(
  'newestTipsOfSport',
  `id > 0 and sport_id = cast(:sportId as bigint) and ${ANY.state} and ${ANY.author}`,
)

export const newestTipsOfAuthor = newest(
  'newestTipsOfAuthor',
  `author_id = cast(:profileId as bigint) and ${ANY.state} and ${ANY.sport}`,
)

// ---- Most liked: only tips that lists show, the open and the won ones.

export type LikedPage = {
  likes: number
  before: number
  limit: number
  sportId: number | null
  profileId: number | null
}

const likedIn = (listed: 'A' | 'W', conditions: string) => `select * from (
    select comment_id, likes from comment_count where listed = '${listed}' and comment_id > 0 ${conditions}
      and (likes, comment_id) < (cast(:likes as integer), cast(:before as bigint))
    order by likes desc, comment_id desc limit :limit) ${listed === 'A' ? 'open' : 'won'}`

const liked = (name: string, conditions: string) =>
  reading<LikedPage, TipRow>(name)`
    select ${CONTENT} from (
      select * from (${likedIn('A', conditions)} union all ${likedIn('W', conditions)}
        order by likes desc, comment_id desc limit :limit) both_of_them
      limit 101) l
    join comment c on c.id = l.comment_id ${JOINS}
    order by l.likes desc, l.comment_id desc`

export const likedTips = liked(
  'likedTips',
  `and cast(:sportId as bigint) is null and cast(:profileId as bigint) is null`,
)
export const likedTipsOfSport = liked(
  'likedTipsOfSport',
  `and sport_id = cast(:sportId as bigint) and (cast(:profileId as bigint) is null or author_id = cast(:profileId as bigint))`,
)
export const likedTipsOfAuthor = liked(
  'likedTipsOfAuthor',
  `and author_id = cast(:profileId as bigint) and (cast(:sportId as bigint) is null or sport_id = cast(:sportId as bigint))`,
)
