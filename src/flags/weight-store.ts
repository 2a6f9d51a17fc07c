// The SQL of reporters: the profiles that have flagged, and the weight of their flags.

import { locking, type NoParameters, reading, writing } from '../platform/database/database.ts'
import type { SubjectKind } from './store.ts'

type Reporter = { profileId: number }
export type ReporterWeight = { weight: number; trusted: number }

export const countReport = writing<Reporter, ReporterWeight>('countReport')`
  insert into reporter (profile_id, flags) values (:profileId, 1)
  on conflict (profile_id) do update set flags = reporter.flags + 1 returning weight, trusted`

/** Undoes countReport if the flag existed already. */
export const uncountReport = writing<Reporter>('uncountReport')`
  update reporter set flags = flags - 1 where profile_id = :profileId`

/** Locks the reporter, also one that has no row yet. */
export const eraseReporterNote = writing<Reporter>('eraseReporterNote')`
  insert into reporter (profile_id) values (:profileId) on conflict (profile_id) do update set note = ''`

// ---- Verdicts

type Subject = { kind: SubjectKind; subjectId: number }

const OPEN_FLAGS = 'f.kind = :kind and f.subject_id = :subjectId and f.decided = 0'

/** Locks the reporters of the open flags of a subject. */
export const lockReporters = locking<Subject, { profile_id: number }>('lockReporters')`
  select r.profile_id from flag f join reporter r on r.profile_id = f.profile_id where ${OPEN_FLAGS}
  order by r.profile_id for update of r`

export const countVerdicts = writing<Subject & { upheld: number; rejected: number }>('countVerdicts')`
  update reporter set upheld = upheld + :upheld, rejected = rejected + :rejected
  from flag f where ${OPEN_FLAGS} and reporter.profile_id = f.profile_id`

export const decideFlags = writing<Subject & { decisionId: number; verdict: number }>('decideFlags')`
  update flag set decided = 1, decision_id = :decisionId, verdict = :verdict
  where kind = :kind and subject_id = :subjectId and decided = 0`

type OfDecision = { decisionId: number }

export const lockReportersOfDecision = locking<OfDecision, { profile_id: number }>('lockReportersOfDecision')`
  select r.profile_id from flag f join reporter r on r.profile_id = f.profile_id where f.decision_id = :decisionId
  order by r.profile_id for update of r`

/** A flag that was upheld counts as rejected, and the other way round. */
export const moveVerdicts = writing<OfDecision>('moveVerdicts')`
  update reporter set upheld = upheld - f.verdict, rejected = rejected + f.verdict
  from flag f where f.decision_id = :decisionId and reporter.profile_id = f.profile_id`

export const turnVerdicts = writing<OfDecision>('turnVerdicts')`
  update flag set verdict = -verdict where decision_id = :decisionId`

// ---- The weights of open flags follow those of their reporters.

const FROM_START = `on conflict (profile_id) do update set kind = '', subject_id = 0`

export const queueReportersOfDecision = writing<OfDecision>('queueReportersOfDecision')`
  insert into reporter_work (profile_id)
  select f.profile_id from flag f where f.decision_id = :decisionId
    and exists (select 1 from flag other where other.profile_id = f.profile_id and other.decided = 0)
  ${FROM_START}`

export const queueReporter = writing<Reporter>('queueReporter')`
  insert into reporter_work (profile_id) values (:profileId) ${FROM_START}`

export const nextReporter = reading<NoParameters, { profile_id: number }>('nextReporter')`
  select profile_id from reporter_work order by profile_id limit 1`

export const HAS_REPORTERS_TO_REWEIGH = 'exists (select 1 from reporter_work)'

export const lockReporter = locking<Reporter, ReporterWeight>('lockReporter')`
  select weight, trusted from reporter where profile_id = :profileId for update`

/** Changed only by those who have locked the reporter. */
export const reporterWork = reading<Reporter, { kind: SubjectKind; subject_id: number }>('reporterWork')`
  select kind, subject_id from reporter_work where profile_id = :profileId`

type After = Reporter & { kind: SubjectKind; subjectId: number }
type Range = After & { lastKind: string; lastId: number }

const AFTER = 'f.profile_id = :profileId and f.decided = 0 and (f.kind, f.subject_id) > (:kind, :subjectId)'
const RANGE = `${AFTER} and (f.kind, f.subject_id) <= (:lastKind, :lastId)`

export const openFlagsOf = reading<After & { limit: number }, { kind: SubjectKind; subject_id: number }>('openFlagsOf')`
  select f.kind, f.subject_id from flag f where ${AFTER} order by f.kind, f.subject_id limit :limit`

export const lockReviews = locking<Range, { subject_id: number }>('lockReviews')`
  select r.subject_id from flag f join review r on r.kind = f.kind and r.subject_id = f.subject_id where ${RANGE}
  order by r.kind, r.subject_id for update of r`

export const reweighReviews = writing<Range & ReporterWeight>('reweighReviews')`
  update review set weight = review.weight + :weight - f.weight, trusted = review.trusted + :trusted - f.trusted
  from flag f where ${RANGE} and review.kind = f.kind and review.subject_id = f.subject_id`

export const reweighFlags = writing<Range & ReporterWeight>('reweighFlags')`
  update flag as f set weight = :weight, trusted = :trusted where ${RANGE}`

export const advanceReporter = writing<After>('advanceReporter')`
  update reporter_work set kind = :kind, subject_id = :subjectId where profile_id = :profileId`

export const finishReporter = writing<Reporter>('finishReporter')`
  delete from reporter_work where profile_id = :profileId`
