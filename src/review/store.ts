import { type IdParameters, idList, locking, reading, writing } from '../database/database.ts'

/** The columns that all subjects have. */
export type ReviewRow = { subject_id: number; flags: number; flagged_at: number | null }

export type ProfileReviewRow = ReviewRow & {
  name: string | null
  biography: string
  picture: string | null
  status: string
  customer_id: number
}

const PROFILE_CONTENT = 'p.name, p.biography, p.picture, p.status, p.customer_id'

/** `flags` and `subjectId` are those of the last subject of the page before. */
export type QueuePage = { flags: number; subjectId: number; limit: number }

/**
 * The page of one kind's queue, most flags first, then by id. Two reads that each begin at their position in the
 * index: one condition with "or" would read all subjects before it again. The cast lets an invented cursor find nothing. The
 * constant is the longest page and one more: PostgreSQL estimates an unknown limit as a tenth of the table, and would
 * read all of the content to join it.
 */
function queuePage(kind: string): string {
  const columns = `select subject_id, flags, flagged_at from review where kind = '${kind}'`
  return `page as (select * from (
      select * from (${columns} and flags = cast(:flags as bigint) and subject_id > :subjectId order by subject_id limit :limit) same
      union all
      select * from (${columns} and flags < cast(:flags as bigint) order by flags desc, subject_id limit :limit) fewer
      order by flags desc, subject_id limit :limit) queue
    limit 101)`
}

const MOST_COUNTED = 1000

/** How many wait in a queue, counted up to MOST_COUNTED. Ordered, so that PostgreSQL counts along the index. */
export const queueLength = reading<{ kind: string }, { waiting: number }>(
  'queueLength',
  `select count(*) as waiting from (
     select 1 from review where kind = :kind order by flags desc, subject_id limit ${MOST_COUNTED}) as counted`,
)

export const profileQueue = reading<QueuePage, ProfileReviewRow>(
  'profileQueue',
  `with ${queuePage('profile')}
   select page.subject_id, page.flags, page.flagged_at, ${PROFILE_CONTENT}
   from page join profile p on p.id = page.subject_id
   order by page.flags desc, page.subject_id`,
)

export const profileForReview = reading<{ id: number }, ProfileReviewRow & { flags_ever: number }>(
  'profileForReview',
  `select p.id as subject_id, coalesce(r.flags, 0) as flags, r.flagged_at, ${PROFILE_CONTENT},
     (select count(*) from flag where kind = 'profile' and subject_id = p.id) as flags_ever
   from profile p left join review r on r.kind = 'profile' and r.subject_id = p.id
   where p.id = :id`,
)

export type CommentReviewRow = ReviewRow & {
  text: string
  state: 'live' | 'deactivated' | 'removed'
  featured: number
  likes: number
  created_at: number
  author_id: number
  customer_id: number
  outcome_name: string
  market_name: string
  event_name: string
}

const COMMENT_CONTENT = `c.text, c.state, c.featured, k.likes, c.created_at, c.author_id, p.customer_id,
  o.name as outcome_name, m.name as market_name, e.name as event_name`
const COMMENT_JOINS = `join profile p on p.id = c.author_id join comment_count k on k.comment_id = c.id
  join outcome o on o.id = c.outcome_id join market m on m.id = o.market_id join event e on e.id = m.event_id`

export const commentQueue = reading<QueuePage, CommentReviewRow>(
  'commentQueue',
  `with ${queuePage('comment')}
   select page.subject_id, page.flags, page.flagged_at, ${COMMENT_CONTENT}
   from page join comment c on c.id = page.subject_id ${COMMENT_JOINS}
   order by page.flags desc, page.subject_id limit :limit`,
)

export const commentForReview = reading<{ id: number }, CommentReviewRow & { flags_ever: number }>(
  'commentForReview',
  `select c.id as subject_id, coalesce(r.flags, 0) as flags, r.flagged_at, ${COMMENT_CONTENT},
     (select count(*) from flag where kind = 'comment' and subject_id = c.id) as flags_ever
   from comment c ${COMMENT_JOINS} left join review r on r.kind = 'comment' and r.subject_id = c.id
   where c.id = :id`,
)

/** Holds off flags and follows of a profile, but not rows that only refer to it. */
export const lockReviewedProfile = locking<{ id: number }, { picture: string | null }>(
  'lockReviewedProfile',
  'select picture from profile where id = :id for no key update',
)

// ---- Changing a comment. Restoring reverses its withdrawal (communities/store.ts), with the same order of locks.

export const setFeatured = writing<{ id: number; featured: number }>(
  'setFeatured',
  'update comment set featured = :featured where id = :id',
)

/** Its status was updated while it was removed. */
export const relistComment = writing<{ id: number }>(
  'relistComment',
  `update comment set state = 'live', listed = case when status in ('A', 'W') then status end where id = :id`,
)

export const relistLikes = writing<{ id: number }, { likes: number }>(
  'relistLikes',
  `update comment_count set listed = (select listed from comment where id = :id) where comment_id = :id returning likes`,
)

// ---- Decisions

export const decideFlags = writing<{ kind: string; subjectId: number }>(
  'decideFlags',
  'update flag set decided = 1 where kind = :kind and subject_id = :subjectId and decided = 0',
)

export const insertDecision = writing<{
  kind: string
  subjectId: number
  action: string
  note: string
  actor: string
  now: number
}>(
  'insertDecision',
  'insert into decision (kind, subject_id, action, note, actor, at) values (:kind, :subjectId, :action, :note, :actor, :now)',
)

export type DecisionRow = { subject_id: number; action: string; note: string; actor: string; at: number }

export const decisionsOfSubject = reading<{ kind: string; subjectId: number }, DecisionRow>(
  'decisionsOfSubject',
  'select subject_id, action, note, actor, at from decision where kind = :kind and subject_id = :subjectId order by id',
)

export const MOST_SUBJECTS = 100

/** The decisions on at most MOST_SUBJECTS subjects of a kind, oldest first. */
export const decisionsOfSubjects = reading<{ kind: string } & IdParameters, DecisionRow>(
  'decisionsOfSubjects',
  `select subject_id, action, note, actor, at from decision
   where kind = :kind and subject_id in (${idList(MOST_SUBJECTS)}) order by id`,
)

export const decisionsOnCommentsOf = reading<{ profileId: number }, DecisionRow>(
  'decisionsOnCommentsOf',
  `select d.subject_id, d.action, d.note, d.actor, d.at
   from comment c join decision d on d.kind = 'comment' and d.subject_id = c.id
   where c.author_id = :profileId order by d.id`,
)

/** The notes are about the customer. The decisions stay, with their action and time. */
export const eraseNotesOnProfile = writing<{ profileId: number }>(
  'eraseNotesOnProfile',
  `update decision set note = '' where kind = 'profile' and subject_id = :profileId`,
)

export const eraseNotesOnComments = writing<{ profileId: number }>(
  'eraseNotesOnComments',
  `update decision set note = ''
   where kind = 'comment' and subject_id in (select id from comment where author_id = :profileId)`,
)
