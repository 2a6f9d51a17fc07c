import { locking, writing } from '../platform/database/database.ts'
import type { FlagReason } from './reasons.ts'

export type SubjectKind = 'profile' | 'comment'

type SubjectOfFlag = { kind: SubjectKind; subjectId: number }
/** The reporter's weight and trust, as the review counts them. */
type FlagWeight = { weight: number; trusted: number }

/** An old ticket of an erased customer stores no text. */
export const insertFlag = writing<
  SubjectOfFlag & FlagWeight & { profileId: number; now: number; reason: FlagReason | null; note: string }
>('insertFlag')`
  insert into flag (kind, subject_id, profile_id, created_at, reason, note, weight, trusted)
  select cast(:kind as text), cast(:subjectId as bigint), p.id, cast(:now as bigint),
    case when c.erased_at is null then cast(:reason as text) end,
    case when c.erased_at is null then cast(:note as text) else '' end,
    cast(:weight as bigint), cast(:trusted as integer)
  from profile p join customer c on c.id = p.customer_id where p.id = :profileId
  on conflict (kind, subject_id, profile_id) do nothing`

export const deleteFlag = writing<SubjectOfFlag & { profileId: number }, FlagWeight & { decided: number }>(
  'deleteFlag',
)`
  delete from flag where kind = :kind and subject_id = :subjectId and profile_id = :profileId
  returning decided, weight, trusted`

/** Changes nothing for the last flag: with it the subject leaves the queue. */
export const uncountFlag = writing<SubjectOfFlag & FlagWeight>('uncountFlag')`
  update review set flags = flags - 1, weight = weight - :weight, trusted = trusted - :trusted
  where kind = :kind and subject_id = :subjectId and flags > 1`

/** A subject that only muted reporters have flagged weighs nothing: it comes into the queue with the first other flag. */
export const queueForReview = writing<SubjectOfFlag & FlagWeight & { now: number }>('queueForReview')`
  insert into review (kind, subject_id, flags, flagged_at, weight, trusted)
  values (:kind, :subjectId, 1, :now, :weight, :trusted)
  on conflict (kind, subject_id) do update set flags = review.flags + 1, weight = review.weight + excluded.weight,
    trusted = review.trusted + excluded.trusted,
    flagged_at = case when review.weight = 0 then excluded.flagged_at else review.flagged_at end`

/** Flags that arrive while a decision is being written wait for it, and queue the subject again. */
export const lockReview = locking<{ kind: SubjectKind; subjectId: number }, { flags: number }>('lockReview')`
  select flags from review where kind = :kind and subject_id = :subjectId for update`

export const leaveQueue = writing<{ kind: SubjectKind; subjectId: number }>('leaveQueue')`
  delete from review where kind = :kind and subject_id = :subjectId`

/** Runs after `eraseReporterNote`, which waits for flags that are being written. */
export const eraseFlagTexts = writing<{ profileId: number }>('eraseFlagTexts')`
  update flag set reason = null, note = '' where profile_id = :profileId and (reason is not null or note <> '')`
