// What moderators see beside a subject. Every list is bounded, so that its length does not depend on how much there is.

import { REVIEWED_STATE } from '../../communities/store.ts'
import type { FlagReason } from '../../flags/reasons.ts'
import { reading } from '../../platform/database/database.ts'
import type { ReviewedTipState } from '../../record/tip-state.ts'
import { DECISION_COLUMNS, type DecisionRow } from '../decisions/decision-store.ts'
import type { ReporterRow } from '../reporters/reporter-store.ts'

export type AuthorRow = { author_id: number; event_id: number }

export const authorOfComment = reading<{ id: number }, AuthorRow>('authorOfComment')`
  select c.author_id, m.event_id from comment c join outcome o on o.id = c.outcome_id join market m on m.id = o.market_id
  where c.id = :id`

export type FlagRow = ReporterRow & {
  reason: FlagReason | null
  flag_note: string
  at: number
  decided: number
  verdict: number
}

export const MAX_FLAGS = 20

const latestFlags = (decided: 0 | 1) =>
  `select * from (select profile_id, reason, note, created_at, decided, verdict from flag
     where kind = :kind and subject_id = :subjectId and decided = ${decided}
     order by created_at desc limit ${MAX_FLAGS}) ${decided === 0 ? 'open_flags' : 'decided_flags'}`

/** The latest flags of a subject with their reporters: first those that nobody has decided on. */
export const flagsOfSubject = reading<{ kind: string; subjectId: number }, FlagRow>('flagsOfSubject')`
  select f.profile_id, p.customer_id, p.name, f.reason, f.note as flag_note, f.created_at as at, f.decided, f.verdict,
    r.flags, r.upheld, r.rejected, r.weight, r.muted, r.trusted, r.note
  from (select * from (${latestFlags(0)} union all ${latestFlags(1)}) both_kinds
    order by decided, created_at desc limit ${MAX_FLAGS}) f
  join profile p on p.id = f.profile_id join reporter r on r.profile_id = f.profile_id
  order by f.decided, f.created_at desc, f.profile_id`

export type TipRow = {
  id: number
  text: string
  state: ReviewedTipState
  created_at: number
  likes: number
  event: string
  starts_at: number
  outcome: string
}
const TIP = `c.id, c.text, ${REVIEWED_STATE}, c.created_at, k.likes, e.name as event, e.start_time as starts_at, o.name as outcome`

export const MAX_TIPS = 5
export const MAX_COUNTED_TIPS = 1000

/** `tips`: the number of all tips, the same in each row. */
export const latestTips = reading<{ authorId: number }, TipRow & { tips: number }>('latestTips')`
  select ${TIP},
    (select count(*) from (select 1 from comment where author_id = :authorId limit ${MAX_COUNTED_TIPS}) counted) as tips
  from (select id, text, state, held, created_at, outcome_id from comment where author_id = :authorId
    order by id desc limit ${MAX_TIPS}) c
  join comment_count k on k.comment_id = c.id
  join outcome o on o.id = c.outcome_id join market m on m.id = o.market_id join event e on e.id = m.event_id
  order by c.id desc`

export const MAX_THREAD = 20

/** What the author wrote on outcomes of the event, the newest first. */
export const tipsOnEvent = reading<{ authorId: number; eventId: number }, TipRow>('tipsOnEvent')`
  select ${TIP}
  from event e join market m on m.event_id = e.id join outcome o on o.market_id = m.id
  join comment c on c.author_id = :authorId and c.outcome_id = o.id join comment_count k on k.comment_id = c.id
  where e.id = :eventId order by c.id desc limit ${MAX_THREAD}`

const MAX_SEARCHED_TIPS = 500
export const MAX_DECISIONS = 10

/** Looked up tip by tip: the index of decisions by author (decision_of_profile) leaves out those that kept or featured a tip. */
export const decisionsOnLatestTips = reading<{ authorId: number }, DecisionRow>('decisionsOnLatestTips')`
  select ${DECISION_COLUMNS}
  from (select id from comment where author_id = :authorId order by id desc limit ${MAX_SEARCHED_TIPS}) c
  join decision d on d.kind = 'comment' and d.subject_id = c.id
  order by d.id desc limit ${MAX_DECISIONS}`
