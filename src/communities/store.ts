// The SQL of single comments and their counts. All transactions lock in this order: comment and its author's profile,
// comment_count, profile_count, then grades and sums of the record, outcome_count. The author's profile is locked while counts
// change, so that it cannot be deactivated in between (profiles/status.ts). Triggers count new comments, likes and unlikes
// (migrations/schema.*.txt).

import { MAX_OUTCOMES, OUTCOME_COLUMNS, type OutcomeColumns } from '../catalogue/event-store.ts'
import { locking, type NoParameters, reading, writing } from '../platform/database/database.ts'
import { inList } from '../platform/database/row-list-store.ts'
import type { ProfileStatus } from '../profiles/store.ts'
import { isVisible, isVisibleInList } from '../profiles/visibility-store.ts'
import type { Grade } from '../record/figures.ts'
import type { TipStatus } from '../record/result-status.ts'
import type { FractionColumns } from '../record/terms.ts'
import type { TipState } from '../record/tip-state.ts'

export type CommentRow = OutcomeColumns &
  StoredColumns & { likes: number; is_liked: number | boolean; is_flagged: number | boolean }

/** What its author wrote. */
export type StoredColumns = FractionColumns<'given'> & {
  id: number
  bet_id: number
  created_at: number
  text: string
  featured: number
  linked_id: number | null
  given_starting_price: number
}

/** The state of comment `c` as operators see it. */
export const REVIEWED_STATE = `case when c.held = 1 then 'held' else c.state end as state`

/** The columns of a CommentRow, for the viewer in the given parameter (0: none). */
export function commentColumns(viewer: string): string {
  return `c.id, c.bet_id, c.created_at, c.text, c.featured, c.linked_id, c.price_num as given_num, c.price_den as given_den,
    c.starting_price as given_starting_price, k.likes, ${OUTCOME_COLUMNS},
    (select 1 from comment_like where comment_id = c.id and profile_id = ${viewer}) is not null as is_liked,
    (select 1 from flag where kind = 'comment' and subject_id = c.id and profile_id = ${viewer}) is not null as is_flagged`
}

export const shownCommentById = reading<{ id: number; viewer: number }, CommentRow>('shownCommentById')`
  select ${commentColumns(':viewer')}
  from comment c join profile p on p.id = c.author_id join comment_count k on k.comment_id = c.id
  join outcome o on o.id = c.outcome_id join market m on m.id = o.market_id join event e on e.id = m.event_id
  where c.id = :id and c.state = 'live' and p.status = 'A' and ${isVisible(':viewer', 'c.author_id')}`

/** What `details=Y` adds: the author, and the terms of record (`sp_num`: the starting price, once it is reported). */
export type DetailColumns = FractionColumns<'record' | 'sp' | 'each_way'> & {
  record_sp: number
  author_id: number
  author_name: string | null
  author_picture: string | null
}

/** `grade` null: the tip has no result, or does not count. */
export type GradeColumns = FractionColumns<'dead_heat' | 'place_dead_heat'> & {
  rule4: number
  grade: Grade | null
  stake: number | null
  profit: number | null
}

export const detailsOfComments = reading<{ ids: string }, DetailColumns & GradeColumns & { id: number }>(
  'detailsOfComments',
)`
  select c.id, c.author_id, p.name as author_name, p.picture as author_picture, c.record_num, c.record_den, c.record_sp,
    c.each_way_num, c.each_way_den, o.sp_num, o.sp_den, o.dead_heat_num, o.dead_heat_den, o.place_dead_heat_num,
    o.place_dead_heat_den, o.rule4, g.grade, g.stake, g.profit
  from comment c join profile p on p.id = c.author_id join outcome o on o.id = c.outcome_id
  left join tip_grade g on g.profile_id = c.author_id and g.comment_id = c.id
  where c.id ${inList('ids')}`

// ---- Changing a comment

export type LockedComment = {
  author_id: number
  outcome_id: number
  status: TipStatus
  state: TipState
  /** 1: a rule holds it back. */
  held: number
  listed: string | null
  author_status: ProfileStatus
}

const LOCKED = `select c.author_id, c.outcome_id, c.status, c.state, c.held, c.listed, p.status as author_status
  from comment c join profile p on p.id = c.author_id where c.id = :id`

/** Shared: reactions may run at the same time, but not with a change of the comment itself. */
export const lockCommentForReaction = locking<{ id: number; viewer: number }, LockedComment>('lockCommentForReaction')`
  ${LOCKED} and ${isVisible(':viewer', 'c.author_id')} for share of c, p`

export const lockComment = locking<{ id: number }, LockedComment>('lockComment')`
  ${LOCKED} for no key update of c for share of p`

/** Deactivated or removed: no list shows it. */
export const setCommentState = writing<{ id: number; state: TipState }>('setCommentState')`
  update comment set state = :state, listed = null, held = 0 where id = :id`

export const holdComment = writing<{ id: number }>('holdComment')`
  update comment set state = 'removed', listed = null, held = 1 where id = :id`

export const unlistLikes = writing<{ id: number }, { likes: number }>('unlistLikes')`
  update comment_count set listed = null where comment_id = :id returning likes`

/**
 * Adds a comment (1) to the counts of its author or subtracts it (-1), under the status that it is counted with now. A
 * statement of its own: lockComment would see counted_status as it was before it waited for a batch of a settlement.
 */
export const countForAuthor = writing<{ id: number; times: 1 | -1 }>('countForAuthor')`
  update profile_count set
    num_live = num_live + :times * case when counted.status = 'A' then 1 else 0 end,
    num_winning = num_winning + :times * case when counted.status = 'W' then 1 else 0 end
  from (select c.author_id, coalesce(k.status, c.status) as status
        from comment c left join counted_status k on k.comment_id = c.id where c.id = :id) as counted
  where profile_count.profile_id = counted.author_id`

/** A settled outcome is no longer counted. */
export const addToOutcomeCount = writing<{ outcomeId: number; live: number; likes: number }>('addToOutcomeCount')`
  update outcome_count set num_live = num_live + :live, likes = likes + :likes where outcome_id = :outcomeId and settled = 0`

// ---- Top outcomes

export type TopOutcomeRow = OutcomeColumns & { num_live: number; likes: number }

/** The limit is part of the text: PostgreSQL's generic plan assumes that an unknown limit is a tenth of the table. */
export const mostTippedOutcomes = reading<NoParameters, TopOutcomeRow>('mostTippedOutcomes')`
  select top.num_live, top.likes, ${OUTCOME_COLUMNS}
  from (select outcome_id, num_live, likes from outcome_count where num_live > 0
        order by num_live desc, outcome_id limit 20) top
  join outcome o on o.id = top.outcome_id join market m on m.id = o.market_id join event e on e.id = m.event_id
  order by top.num_live desc, top.outcome_id`

// ---- Tips on an event

const SHOWN_TIP = `x.state = 'live' and (select p.status from profile p where p.id = x.author_id) = 'A'
  and ${isVisibleInList(':viewer', 'x.author_id')}`

/**
 * The newest tips on an event, whatever their results:
 *
 * 1. of_event: its outcomes.
 * 2. oldest: of each outcome, its tip number `reach`; older ones cannot be in the block.
 * 3. page: the block of the tips from there on.
 */
export const tipsOfEvent = reading<
  { eventId: number; viewer: number; reach: number; limit: number; offset: number },
  CommentRow
>('tipsOfEvent')`
  with of_event as materialized (
    select o.id as outcome_id from market m join outcome o on o.market_id = m.id where m.event_id = :eventId
    order by m.id, o.id limit ${MAX_OUTCOMES}),
  oldest as materialized (
    select of_event.outcome_id, coalesce((select x.id from comment x
      where x.outcome_id = of_event.outcome_id and ${SHOWN_TIP} order by x.id desc limit 1 offset :reach - 1), 0) as id
    from of_event),
  page as materialized (
    select x.id from oldest cross join comment x
    where x.outcome_id = oldest.outcome_id and x.id >= oldest.id and ${SHOWN_TIP}
    order by x.id desc limit :limit offset :offset)
  select ${commentColumns(':viewer')}
  from page join comment c on c.id = page.id join comment_count k on k.comment_id = c.id
  join outcome o on o.id = c.outcome_id join market m on m.id = o.market_id join event e on e.id = m.event_id
  order by c.id desc`
