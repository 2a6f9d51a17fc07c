import { locking, type NoParameters, reading, writing } from '../database/database.ts'

export type SubjectKind = 'profile' | 'comment'

export const insertFlag = writing<{ kind: string; subjectId: number; profileId: number; now: number }>(
  'insertFlag',
  `insert into flag (kind, subject_id, profile_id, created_at) values (:kind, :subjectId, :profileId, :now)
   on conflict (kind, subject_id, profile_id) do nothing`,
)

export const deleteFlag = writing<{ kind: string; subjectId: number; profileId: number }, { decided: number }>(
  'deleteFlag',
  'delete from flag where kind = :kind and subject_id = :subjectId and profile_id = :profileId returning decided',
)

/** Changes nothing for the last flag: with it the subject leaves the queue. */
export const uncountFlag = writing<{ kind: string; subjectId: number }>(
  'uncountFlag',
  'update review set flags = flags - 1 where kind = :kind and subject_id = :subjectId and flags > 1',
)

export const queueForReview = writing<{ kind: string; subjectId: number; now: number }>(
  'queueForReview',
  `insert into review (kind, subject_id, flags, flagged_at) values (:kind, :subjectId, 1, :now)
   on conflict (kind, subject_id) do update set flags = review.flags + 1`,
)

/** Flags that arrive while a decision is being written wait for it, and queue the subject again. */
export const lockReview = locking<{ kind: string; subjectId: number }, { flags: number }>(
  'lockReview',
  'select flags from review where kind = :kind and subject_id = :subjectId for update',
)

export const leaveQueue = writing<{ kind: string; subjectId: number }>(
  'leaveQueue',
  'delete from review where kind = :kind and subject_id = :subjectId',
)

// ---- The operator's own words

export const wordListsVersion = reading<NoParameters, { version: number }>(
  'wordListsVersion',
  'select version from word_lists where id = 1',
)

export const readWordLists = reading<NoParameters, { version: number; blocked: string; allowed: string }>(
  'readWordLists',
  'select version, blocked, allowed from word_lists where id = 1',
)

/** `seen`: replace only this version; null: whichever it is. */
export const replaceWordLists = writing<{ blocked: string; allowed: string; seen: number | null }>(
  'replaceWordLists',
  `update word_lists set version = version + 1, blocked = :blocked, allowed = :allowed
   where id = 1 and version = coalesce(cast(:seen as bigint), version)`,
)
