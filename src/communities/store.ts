// The SQL of single comments and what is done with them. Order of locks, for all: comment and its author's profile,
// comment_count, profile_count, outcome_count. The author's profile is held while counts change, so that it cannot go
// out of sight between (see profiles/status.ts).

import { statement } from '../database/database.ts'
import { OWNER_NOT_ERASED } from '../profiles/store.ts'

export type CommentRow = OutcomeColumns & {
  id: number
  bet_id: number
  created_at: number
  text: string
  featured: number
  linked_id: number | null
  given_num: number | null
  given_den: number | null
  given_starting_price: number
  likes: number
  is_liked: number | boolean
  is_flagged: number | boolean
}

export type OutcomeColumns = {
  outcome_id: number
  outcome_name: string
  outcome_status: string
  starting_price: number
  price_num: number | null
  price_den: number | null
  result: string | null
  market_id: number
  market_name: string
  market_status: string
  settled_at: number | null
  event_id: number
  event_name: string
  event_status: string
  sport_id: number
}

export const OUTCOME_COLUMNS = `o.id as outcome_id, o.name as outcome_name, o.status as outcome_status, o.starting_price,
  o.price_num, o.price_den, o.result, m.id as market_id, m.name as market_name, m.status as market_status, m.settled_at,
  e.id as event_id, e.name as event_name, e.status as event_status, e.sport_id`

/** The columns of a CommentRow, seen by the profile in the given parameter (0: nobody). */
export function commentColumns(viewer: string): string {
  return `c.id, c.bet_id, c.created_at, c.text, c.featured, c.linked_id, c.price_num as given_num,
    c.price_den as given_den, c.starting_price as given_starting_price, k.likes, ${OUTCOME_COLUMNS},
    (select 1 from comment_like where comment_id = c.id and profile_id = ${viewer}) is not null as is_liked,
    (select 1 from flag where kind = 'comment' and subject_id = c.id and profile_id = ${viewer}) is not null as is_flagged`
}

export const shownCommentById = statement<[id: number, viewer: number], CommentRow>(
  'shownCommentById',
  `select ${commentColumns('$2')}
   from comment c join profile p on p.id = c.author_id join comment_count k on k.comment_id = c.id
   join outcome o on o.id = c.outcome_id join market m on m.id = o.market_id join event e on e.id = m.event_id
   where c.id = $1 and c.state = 'live' and p.status = 'A'`,
)

// ---- Making one

export type TipOutcomeRow = {
  outcome_name: string
  outcome_status: string
  result: string | null
  market_status: string
  settled_at: number | null
  event_name: string
  event_status: string
  start_time: number
  sport_id: number
  communities: number
  has_bet: number
}

/**
 * Holds off results and a new event time until the comment is written, so that they find it. `has_bet`: the bet is the
 * customer's and on this outcome.
 */
export const outcomeForTip = statement<[outcomeId: number, betId: number, customerId: number], TipOutcomeRow>(
  'outcomeForTip',
  `select o.name as outcome_name, o.status as outcome_status, o.result, m.status as market_status, m.settled_at,
     e.name as event_name, e.status as event_status, e.start_time, e.sport_id, s.communities,
     case when exists (select 1 from bet b join bet_outcome x on x.bet_id = b.id
       where b.id = $2 and b.customer_id = $3 and x.outcome_id = o.id) then 1 else 0 end as has_bet
   from outcome o join market m on m.id = o.market_id join event e on e.id = m.event_id join sport s on s.id = e.sport_id
   where o.id = $1 for share of o, e`,
)

export const lockAuthor = statement<[profileId: number], { status: string }>(
  'lockAuthor',
  `select status from profile where id = $1 and ${OWNER_NOT_ERASED} for share`,
)

export const insertComment = statement<
  [
    authorId: number,
    outcomeId: number,
    sportId: number,
    betId: number,
    linkedId: number | null,
    priceNum: number | null,
    priceDen: number | null,
    startingPrice: number,
    text: string,
    now: number,
    sooner: number,
  ],
  { id: number }
>(
  'insertComment',
  `insert into comment (author_id, outcome_id, sport_id, bet_id, linked_id, price_num, price_den, starting_price, text,
     created_at, sooner)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) on conflict do nothing returning id`,
)

export const insertCommentCount = statement<[commentId: number, authorId: number, outcomeId: number, sportId: number]>(
  'insertCommentCount',
  `insert into comment_count (comment_id, author_id, outcome_id, sport_id, listed) values ($1, $2, $3, $4, 'A')`,
)

export const countLiveComment = statement<[outcomeId: number]>(
  'countLiveComment',
  `insert into outcome_count (outcome_id, num_live) values ($1, 1)
   on conflict (outcome_id) do update set num_live = outcome_count.num_live + 1`,
)

// ---- Changing one

export type LockedComment = {
  author_id: number
  outcome_id: number
  status: string
  state: string
  listed: string | null
  author_status: string
}

const LOCKED = `select c.author_id, c.outcome_id, c.status, c.state, c.listed, p.status as author_status
  from comment c join profile p on p.id = c.author_id where c.id = $1`

/** For reactions: many at once, but not beside a change of the comment's own. */
export const holdComment = statement<[id: number], LockedComment>('holdComment', `${LOCKED} for share of c, p`)

export const lockComment = statement<[id: number], LockedComment>(
  'lockComment',
  `${LOCKED} for no key update of c for share of p`,
)

/** Deactivated or removed: no list shows it. */
export const setCommentState = statement<[id: number, state: string]>(
  'setCommentState',
  'update comment set state = $2, listed = null where id = $1',
)

export const setFeatured = statement<[id: number, featured: number]>(
  'setFeatured',
  'update comment set featured = $2 where id = $1',
)

export const unlistLikes = statement<[id: number], { likes: number }>(
  'unlistLikes',
  'update comment_count set listed = null where comment_id = $1 returning likes',
)

/** Its status followed the catalogue while it was removed. */
export const relistComment = statement<[id: number]>(
  'relistComment',
  `update comment set state = 'live', listed = case when status in ('A', 'W') then status end where id = $1`,
)

export const relistLikes = statement<[id: number], { likes: number }>(
  'relistLikes',
  `update comment_count set listed = (select listed from comment where id = $1) where comment_id = $1 returning likes`,
)

export const addToProfileTips = statement<[profileId: number, live: number, winning: number]>(
  'addToProfileTips',
  'update profile_count set num_live = num_live + $2, num_winning = num_winning + $3 where profile_id = $1',
)

/** Nothing is counted for an outcome once it is settled. */
export const addToOutcomeCount = statement<[outcomeId: number, live: number, likes: number]>(
  'addToOutcomeCount',
  'update outcome_count set num_live = num_live + $2, likes = likes + $3 where outcome_id = $1 and settled = 0',
)

// ---- Likes

export const insertLike = statement<[commentId: number, profileId: number, now: number]>(
  'insertLike',
  `insert into comment_like (comment_id, profile_id, created_at) values ($1, $2, $3)
   on conflict (comment_id, profile_id) do nothing`,
)

export const deleteLike = statement<[commentId: number, profileId: number]>(
  'deleteLike',
  'delete from comment_like where comment_id = $1 and profile_id = $2',
)

export const addLikes = statement<[commentId: number, change: number]>(
  'addLikes',
  'update comment_count set likes = likes + $2 where comment_id = $1',
)

// ---- Top outcomes

export type TopOutcomeRow = OutcomeColumns & { num_live: number; likes: number }

/** The limit is part of the text: PostgreSQL's generic plan would take an unknown one for a tenth of the table. */
export const mostTippedOutcomes = statement<[], TopOutcomeRow>(
  'mostTippedOutcomes',
  `select top.num_live, top.likes, ${OUTCOME_COLUMNS}
   from (select outcome_id, num_live, likes from outcome_count where num_live > 0
         order by num_live desc, outcome_id limit 20) top
   join outcome o on o.id = top.outcome_id join market m on m.id = o.market_id join event e on e.id = m.event_id
   order by top.num_live desc, top.outcome_id`,
)
