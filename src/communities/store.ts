// The SQL of single comments, their likes and counts. All transactions lock in this order: comment and its author's profile,
// comment_count, profile_count, outcome_count. The author's profile is locked while counts change, so that it cannot be
// deactivated in between (profiles/status.ts).

import { locking, type NoParameters, reading, writing } from '../database/database.ts'
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

const OUTCOME_COLUMNS = `o.id as outcome_id, o.name as outcome_name, o.status as outcome_status, o.starting_price,
  o.price_num, o.price_den, o.result, m.id as market_id, m.name as market_name, m.status as market_status, m.settled_at,
  e.id as event_id, e.name as event_name, e.status as event_status, e.sport_id`

/** The columns of a CommentRow, for the viewer in the given parameter (0: none). */
export function commentColumns(viewer: string): string {
  return `c.id, c.bet_id, c.created_at, c.text, c.featured, c.linked_id, c.price_num as given_num,
    c.price_den as given_den, c.starting_price as given_starting_price, k.likes, ${OUTCOME_COLUMNS},
    (select 1 from comment_like where comment_id = c.id and profile_id = ${viewer}) is not null as is_liked,
    (select 1 from flag where kind = 'comment' and subject_id = c.id and profile_id = ${viewer}) is not null as is_flagged`
}

export const shownCommentById = reading<{ id: number; viewer: number }, CommentRow>(
  'shownCommentById',
  `select ${commentColumns(':viewer')}
   from comment c join profile p on p.id = c.author_id join comment_count k on k.comment_id = c.id
   join outcome o on o.id = c.outcome_id join market m on m.id = o.market_id join event e on e.id = m.event_id
   where c.id = :id and c.state = 'live' and p.status = 'A'`,
)

// ---- Creating a comment

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
 * Blocks new results and event times until the comment is committed, so that they reach it too. `has_bet`: the bet is
 * the customer's and contains the outcome.
 */
export const outcomeForTip = locking<{ outcomeId: number; betId: number; customerId: number }, TipOutcomeRow>(
  'outcomeForTip',
  `select o.name as outcome_name, o.status as outcome_status, o.result, m.status as market_status, m.settled_at,
     e.name as event_name, e.status as event_status, e.start_time, e.sport_id, s.communities,
     case when exists (select 1 from bet b join bet_outcome x on x.bet_id = b.id
       where b.id = :betId and b.customer_id = :customerId and x.outcome_id = o.id) then 1 else 0 end as has_bet
   from outcome o join market m on m.id = o.market_id join event e on e.id = m.event_id join sport s on s.id = e.sport_id
   where o.id = :outcomeId for share of o, e`,
)

export const lockAuthor = locking<{ profileId: number }, { status: string }>(
  'lockAuthor',
  `select status from profile where id = :profileId and ${OWNER_NOT_ERASED} for share`,
)

export const insertComment = writing<
  {
    authorId: number
    outcomeId: number
    sportId: number
    betId: number
    linkedId: number | null
    priceNum: number | null
    priceDen: number | null
    startingPrice: number
    text: string
    now: number
    sooner: number
  },
  { id: number }
>(
  'insertComment',
  `insert into comment (author_id, outcome_id, sport_id, bet_id, linked_id, price_num, price_den, starting_price, text,
     created_at, sooner)
   values (:authorId, :outcomeId, :sportId, :betId, :linkedId, :priceNum, :priceDen, :startingPrice, :text, :now, :sooner) on conflict do nothing returning id`,
)

export const insertCommentCount = writing<{ commentId: number; authorId: number; outcomeId: number; sportId: number }>(
  'insertCommentCount',
  `insert into comment_count (comment_id, author_id, outcome_id, sport_id, listed) values (:commentId, :authorId, :outcomeId, :sportId, 'A')`,
)

export const countLiveComment = writing<{ outcomeId: number }>(
  'countLiveComment',
  `insert into outcome_count (outcome_id, num_live) values (:outcomeId, 1)
   on conflict (outcome_id) do update set num_live = outcome_count.num_live + 1`,
)

// ---- Changing a comment

export type LockedComment = {
  author_id: number
  outcome_id: number
  status: string
  state: string
  listed: string | null
  author_status: string
}

const LOCKED = `select c.author_id, c.outcome_id, c.status, c.state, c.listed, p.status as author_status
  from comment c join profile p on p.id = c.author_id where c.id = :id`

/** Shared: reactions may run at the same time, but not with a change of the comment itself. */
export const lockCommentForReaction = locking<{ id: number }, LockedComment>(
  'lockCommentForReaction',
  `${LOCKED} for share of c, p`,
)

export const lockComment = locking<{ id: number }, LockedComment>(
  'lockComment',
  `${LOCKED} for no key update of c for share of p`,
)

/** Deactivated or removed: no list shows it. */
export const setCommentState = writing<{ id: number; state: string }>(
  'setCommentState',
  'update comment set state = :state, listed = null where id = :id',
)

export const unlistLikes = writing<{ id: number }, { likes: number }>(
  'unlistLikes',
  'update comment_count set listed = null where comment_id = :id returning likes',
)

export const addToProfileTips = writing<{ profileId: number; live: number; winning: number }>(
  'addToProfileTips',
  'update profile_count set num_live = num_live + :live, num_winning = num_winning + :winning where profile_id = :profileId',
)

/** A settled outcome is no longer counted. */
export const addToOutcomeCount = writing<{ outcomeId: number; live: number; likes: number }>(
  'addToOutcomeCount',
  'update outcome_count set num_live = num_live + :live, likes = likes + :likes where outcome_id = :outcomeId and settled = 0',
)

// ---- Likes

export const insertLike = writing<{ commentId: number; profileId: number; now: number }>(
  'insertLike',
  `insert into comment_like (comment_id, profile_id, created_at) values (:commentId, :profileId, :now)
   on conflict (comment_id, profile_id) do nothing`,
)

export const deleteLike = writing<{ commentId: number; profileId: number }>(
  'deleteLike',
  'delete from comment_like where comment_id = :commentId and profile_id = :profileId',
)

export const addLikes = writing<{ commentId: number; change: number }>(
  'addLikes',
  'update comment_count set likes = likes + :change where comment_id = :commentId',
)

// ---- Top outcomes

export type TopOutcomeRow = OutcomeColumns & { num_live: number; likes: number }

/** The limit is part of the text: PostgreSQL's generic plan assumes that an unknown limit is a tenth of the table. */
export const mostTippedOutcomes = reading<NoParameters, TopOutcomeRow>(
  'mostTippedOutcomes',
  `select top.num_live, top.likes, ${OUTCOME_COLUMNS}
   from (select outcome_id, num_live, likes from outcome_count where num_live > 0
         order by num_live desc, outcome_id limit 20) top
   join outcome o on o.id = top.outcome_id join market m on m.id = o.market_id join event e on e.id = m.event_id
   order by top.num_live desc, top.outcome_id`,
)
