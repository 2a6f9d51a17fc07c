import { REVIEWED_STATE } from '../../communities/store.ts'
import {
  type IdParameters,
  idList,
  locking,
  reading,
  type Statement,
  writing,
} from '../../platform/database/database.ts'
import type { ProfileStatus } from '../../profiles/store.ts'
import type { ReviewedTipState } from '../../record/tip-state.ts'
import { hasLabel } from '../assignments/assignment-store.ts'

export const MAX_SUBJECTS = 100

/** A subject that is read by itself, with all flags that it ever had. */
type ReviewedAlone<Row> = Row & { flags_ever: number }

/**
 * The columns that all subjects have. `reasons`: of the latest open flags, separated by commas, as are `labels`. `assignee`: null
 * if it is not assigned, as are the next three.
 */
export type ReviewRow = {
  subject_id: number
  flags: number
  flagged_at: number | null
  weight: number
  trusted: number
  reasons: string | null
  labels: string | null
  assignee: string | null
  assignment_note: string | null
  assigned_by: string | null
  assigned_at: number | null
}

const MAX_REASONS = 100

/** SQL for the reasons of the latest MAX_REASONS open flags, so that a subject that thousands flagged is read like any other. */
function reasonsOf(kind: string, subject: string): string {
  return `(select string_agg(x.reason, ',' order by x.reason) from (select f.reason from flag f
    where f.kind = '${kind}' and f.subject_id = ${subject} and f.decided = 0
    order by f.created_at desc limit ${MAX_REASONS}) x) as reasons`
}

const marksOf = (kind: string, subject: string) => `(select string_agg(x.label, ',' order by x.label) from (
    select label from subject_label where kind = '${kind}' and subject_id = ${subject}) x) as labels,
  a.assignee, a.note as assignment_note, a.actor as assigned_by, a.at as assigned_at`
const assignmentOf = (kind: string, subject: string) =>
  `left join assignment a on a.kind = '${kind}' and a.subject_id = ${subject}`

export type ProfileReviewRow = ReviewRow & {
  name: string | null
  biography: string
  picture: string | null
  status: ProfileStatus
  premoderated: number
  customer_id: number
}

const PROFILE_CONTENT = 'p.name, p.biography, p.picture, p.status, p.premoderated, p.customer_id'

/** `weight` and `subjectId` are those of the last subject of the page before. `label`: only subjects that have it; null: all. */
export type QueuePage = { weight: number; subjectId: number; limit: number; label: string | null }

/** `trusted`: only subjects that a trusted reporter has flagged. */
export type Lane = 'all' | 'trusted'
const IN_LANE: Record<Lane, string> = { all: 'weight > 0', trusted: 'trusted > 0' }

/**
 * The page of one kind's queue, by weight, then by id. Two reads that each begin at their position in the
 * index: one condition with "or" would read all subjects before it again. The cast lets an invented cursor find nothing. The
 * constant is the longest page and one more: PostgreSQL estimates an unknown limit as a tenth of the table, and would
 * read all of the content to join it.
 */
function queuePage(kind: string, lane: Lane): string {
  const columns = `select subject_id, flags, flagged_at, weight, trusted from review
    where kind = '${kind}' and ${IN_LANE[lane]} and ${hasLabel('review.kind', 'review.subject_id')}`
  return `page as (select * from (
      select * from (${columns} and weight = cast(:weight as bigint) and subject_id > :subjectId order by subject_id limit :limit) same
      union all
      select * from (${columns} and weight < cast(:weight as bigint) order by weight desc, subject_id limit :limit) less
      order by weight desc, subject_id limit :limit) queue
    limit 101)`
}

const PAGE_COLUMNS = 'page.subject_id, page.flags, page.flagged_at, page.weight, page.trusted'

const MAX_COUNTED = 1000

/** How many wait in a queue, counted up to MAX_COUNTED. Ordered, so that PostgreSQL counts along the index. */
function queueLengthIn(lane: Lane): string {
  return `select count(*) as waiting from (
     select 1 from review where kind = :kind and ${IN_LANE[lane]} and ${hasLabel('review.kind', 'review.subject_id')} order by weight desc, subject_id limit ${MAX_COUNTED}) as counted`
}

type QueueLength = Statement<{ kind: string; label: string | null }, { waiting: number }>
export const queueLength: QueueLength = reading('queueLength', queueLengthIn('all'))
export const trustedQueueLength: QueueLength = reading('trustedQueueLength', queueLengthIn('trusted'))

function profileQueueIn(lane: Lane): string {
  return `with ${queuePage('profile', lane)}
   select ${PAGE_COLUMNS}, ${reasonsOf('profile', 'page.subject_id')}, ${marksOf('profile', 'page.subject_id')}, ${PROFILE_CONTENT}
   from page join profile p on p.id = page.subject_id ${assignmentOf('profile', 'page.subject_id')}
   order by page.weight desc, page.subject_id`
}

export const profileQueue = reading<QueuePage, ProfileReviewRow>('profileQueue', profileQueueIn('all'))
export const trustedProfileQueue = reading<QueuePage, ProfileReviewRow>(
  'trustedProfileQueue',
  profileQueueIn('trusted'),
)

/** The columns of a subject that is read by itself, in the queue or not. */
function reviewColumns(kind: string, subject: string): string {
  return `${subject} as subject_id, coalesce(r.flags, 0) as flags, r.flagged_at, coalesce(r.weight, 0) as weight,
     coalesce(r.trusted, 0) as trusted, ${reasonsOf(kind, subject)}, ${marksOf(kind, subject)},
     (select count(*) from flag where kind = '${kind}' and subject_id = ${subject}) as flags_ever`
}

const REVIEWED_PROFILE = `select ${reviewColumns('profile', 'p.id')}, ${PROFILE_CONTENT}
   from profile p left join review r on r.kind = 'profile' and r.subject_id = p.id ${assignmentOf('profile', 'p.id')}`

export const profileForReview = reading<{ id: number }, ReviewedAlone<ProfileReviewRow>>('profileForReview')`
  ${REVIEWED_PROFILE} where p.id = :id`

/** At most MAX_SUBJECTS of them, in the queue or not. */
export const profilesForReview = reading<IdParameters, ReviewedAlone<ProfileReviewRow>>('profilesForReview')`
  ${REVIEWED_PROFILE} where p.id in (${idList(MAX_SUBJECTS)})`

export type CommentReviewRow = ReviewRow & {
  text: string
  state: ReviewedTipState
  featured: number
  likes: number
  created_at: number
  author_id: number
  customer_id: number
  outcome_name: string
  market_name: string
  event_name: string
  start_time: number
}

const COMMENT_CONTENT = `c.text, ${REVIEWED_STATE}, c.featured, k.likes, c.created_at, c.author_id, p.customer_id,
  o.name as outcome_name, m.name as market_name, e.name as event_name, e.start_time`
const COMMENT_JOINS = `join profile p on p.id = c.author_id join comment_count k on k.comment_id = c.id
  join outcome o on o.id = c.outcome_id join market m on m.id = o.market_id join event e on e.id = m.event_id`

function commentQueueIn(lane: Lane): string {
  return `with ${queuePage('comment', lane)}
   select ${PAGE_COLUMNS}, ${reasonsOf('comment', 'page.subject_id')}, ${marksOf('comment', 'page.subject_id')}, ${COMMENT_CONTENT}
   from page join comment c on c.id = page.subject_id ${COMMENT_JOINS} ${assignmentOf('comment', 'page.subject_id')}
   order by page.weight desc, page.subject_id limit :limit`
}

export const commentQueue = reading<QueuePage, CommentReviewRow>('commentQueue', commentQueueIn('all'))
export const trustedCommentQueue = reading<QueuePage, CommentReviewRow>(
  'trustedCommentQueue',
  commentQueueIn('trusted'),
)

const REVIEWED_COMMENT = `select ${reviewColumns('comment', 'c.id')}, ${COMMENT_CONTENT}
   from comment c ${COMMENT_JOINS} left join review r on r.kind = 'comment' and r.subject_id = c.id
   ${assignmentOf('comment', 'c.id')}`

export const commentForReview = reading<{ id: number }, ReviewedAlone<CommentReviewRow>>('commentForReview')`
  ${REVIEWED_COMMENT} where c.id = :id`

/** At most MAX_SUBJECTS of them, in the queue or not. */
export const commentsForReview = reading<IdParameters, ReviewedAlone<CommentReviewRow>>('commentsForReview')`
  ${REVIEWED_COMMENT} where c.id in (${idList(MAX_SUBJECTS)})`

export type SubjectRow = ProfileReviewRow | CommentReviewRow

export type ReviewedProfile = { name: string | null; biography: string; picture: string | null; status: ProfileStatus }

/** Holds off flags and follows of a profile, but not rows that only refer to it. */
export const lockReviewedProfile = locking<{ id: number }, ReviewedProfile>('lockReviewedProfile')`
  select name, biography, picture, status from profile where id = :id for no key update`

export const setPremoderated = writing<{ id: number; premoderated: number }>('setPremoderated')`
  update profile set premoderated = :premoderated where id = :id`

// ---- Comments that a rule holds back, the one that waits longest first.

/** `after`: the last one of the page before. `label`: only those that have it; null: all. The constant is the longest page and one more. */
export const heldComments = reading<{ after: number; label: string | null; limit: number }, { subject_id: number }>(
  'heldComments',
)`
  select subject_id from (select c.id as subject_id from comment c where c.held = 1 and c.id > :after
    and ${hasLabel("'comment'", 'c.id')} order by c.id limit :limit) page order by subject_id limit 101`

export const heldLength = reading<{ label: string | null }, { waiting: number }>('heldLength')`
  select count(*) as waiting from (select 1 from comment c where c.held = 1 and ${hasLabel("'comment'", 'c.id')}
    order by c.id limit ${MAX_COUNTED}) as counted`

// ---- Changing a comment. Restoring reverses its withdrawal (communities/store.ts), with the same order of locks.

export const setFeatured = writing<{ id: number; featured: number }>('setFeatured')`
  update comment set featured = :featured where id = :id`

/** Its status was updated while it was removed. */
export const relistComment = writing<{ id: number }>('relistComment')`
  update comment set state = 'live', held = 0, listed = case when status in ('A', 'W') then status end where id = :id`

export const relistLikes = writing<{ id: number }, { likes: number }>('relistLikes')`
  update comment_count set listed = (select listed from comment where id = :id) where comment_id = :id returning likes`
