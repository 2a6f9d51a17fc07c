import { statement } from '../database/database.ts'

export type Kind = 'profile' | 'comment'

export const insertFlag = statement<[kind: string, subjectId: number, profileId: number, now: number]>(
  'insertFlag',
  `insert into flag (kind, subject_id, profile_id, created_at) values ($1, $2, $3, $4)
   on conflict (kind, subject_id, profile_id) do nothing`,
)

export const queueForReview = statement<[kind: string, subjectId: number, now: number]>(
  'queueForReview',
  `insert into review (kind, subject_id, flags, flagged_at) values ($1, $2, 1, $3)
   on conflict (kind, subject_id) do update set flags = review.flags + 1`,
)

/** Flags that arrive while a decision is being written wait for it, and queue the subject again. */
export const lockReview = statement<[kind: string, subjectId: number], { flags: number }>(
  'lockReview',
  'select flags from review where kind = $1 and subject_id = $2 for update',
)

export const decideFlags = statement<[kind: string, subjectId: number]>(
  'decideFlags',
  'update flag set decided = 1 where kind = $1 and subject_id = $2 and decided = 0',
)

export const leaveQueue = statement<[kind: string, subjectId: number]>(
  'leaveQueue',
  'delete from review where kind = $1 and subject_id = $2',
)

export const insertDecision = statement<
  [kind: string, subjectId: number, action: string, note: string, actor: string, now: number]
>('insertDecision', 'insert into decision (kind, subject_id, action, note, actor, at) values ($1, $2, $3, $4, $5, $6)')

export type DecisionRow = { subject_id: number; action: string; note: string; actor: string; at: number }

export const decisionsOn = statement<[kind: string, subjectId: number], DecisionRow>(
  'decisionsOn',
  'select subject_id, action, note, actor, at from decision where kind = $1 and subject_id = $2 order by id',
)
