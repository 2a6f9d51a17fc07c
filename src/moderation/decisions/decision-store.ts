import type { SubjectKind } from '../../flags/store.ts'
import {
  type IdParameters,
  idList,
  locking,
  type NoParameters,
  reading,
  writing,
} from '../../platform/database/database.ts'
import {
  bigint,
  type Column,
  integer,
  oneOf,
  orNull,
  type RowOf,
  table,
  text,
} from '../../platform/database/table-store.ts'
import { type DecisionAction, GROUNDS } from './actions.ts'
import { MAX_SUBJECTS } from './store.ts'

export const decisions = table('decision', {
  id: bigint,
  kind: text as Column<SubjectKind>,
  subject_id: bigint,
  action: text as Column<DecisionAction>,
  note: text,
  actor: text,
  at: bigint,
  ground: orNull(oneOf(GROUNDS)),
  clause: orNull(text),
  statement: text,
  automated: integer,
  flagged_at: orNull(bigint),
  changed: integer,
  former: orNull(text),
  overturned_by: orNull(bigint),
})

const given = decisions.pick('kind, action, note, actor, ground, clause, statement, automated, changed, former')
export type NewDecisionRow = RowOf<typeof given> & { subjectId: number; now: number; overturns: number | null }

/** Runs before the subject leaves the queue, which stores since when it is flagged. */
export const insertDecision = writing<NewDecisionRow, { id: number }>('insertDecision')`
  insert into decision (kind, subject_id, profile_id, action, note, actor, at, ground, clause, statement, automated,
    flagged_at, changed, former, overturns)
  values (:kind, cast(:subjectId as bigint), case when :kind = 'profile' then cast(:subjectId as bigint)
      else (select author_id from comment where id = cast(:subjectId as bigint)) end,
    :action, :note, :actor, :now, :ground, :clause, :statement, :automated,
    case when cast(:overturns as bigint) is null
      then (select flagged_at from review where kind = :kind and subject_id = cast(:subjectId as bigint)) end,
    :changed, :former, cast(:overturns as bigint))
  returning id`

const shown = decisions.omit('kind, flagged_at, former')
export type DecisionRow = RowOf<typeof shown>
export const DECISION_COLUMNS = shown.columns('d')

export const decisionsOfSubject = reading<{ kind: SubjectKind; subjectId: number }, DecisionRow>('decisionsOfSubject')`
  select ${DECISION_COLUMNS} from decision d where d.kind = :kind and d.subject_id = :subjectId order by d.id`

/** The decisions on at most MAX_SUBJECTS subjects of a kind, oldest first. */
export const decisionsOfSubjects = reading<{ kind: SubjectKind } & IdParameters, DecisionRow>('decisionsOfSubjects')`
  select ${DECISION_COLUMNS} from decision d
  where d.kind = :kind and d.subject_id in (${idList(MAX_SUBJECTS)}) order by d.id`

export const decisionsOnCommentsOf = reading<{ profileId: number }, DecisionRow>('decisionsOnCommentsOf')`
  select ${DECISION_COLUMNS}
  from comment c join decision d on d.kind = 'comment' and d.subject_id = c.id
  where c.author_id = :profileId order by d.id`

// ---- Overturning a decision

/** No row: it is overturned already. */
export const setOverturned = writing<{ id: number; by: number }>('setOverturned')`
  update decision set overturned_by = :by where id = :id and overturned_by is null`

export const lockFormer = locking<{ id: number }, { former: string | null }>('lockFormer')`
  select former from decision where id = :id for update`

/** `before`: the value that must still be stored. */
export const setFormer = writing<{ id: number; former: string | null; before: string }>('setFormer')`
  update decision set former = :former where id = :id and former = :before`

const MAX_EXPIRED = 100

/** Former values past the appeal period with no open appeal. */
export const expiredFormers = reading<{ before: number }, { id: number; action: DecisionAction; former: string }>(
  'expiredFormers',
)`
  select d.id, d.action, d.former from decision d
  where d.former is not null and d.at < :before
    and not exists (select 1 from appeal a where a.decision_id = d.id and a.state = 'open')
  order by d.at limit ${MAX_EXPIRED}`

// ---- Personal data

/** The files that decisions on the profile still hold. */
export const formerPicturesOf = reading<{ profileId: number }, { former: string }>('formerPicturesOf')`
  select former from decision where profile_id = :profileId and action not in ('keep', 'feature', 'unfeature')
    and action = 'reset-picture' and former is not null`

/** Notes, statements and former values are about the customer. The decisions stay, with their action and time. */
export const eraseReasonsOnProfile = writing<{ profileId: number }>('eraseReasonsOnProfile')`
  update decision set note = '', statement = '', former = null where kind = 'profile' and subject_id = :profileId`

export const eraseReasonsOnComments = writing<{ profileId: number }>('eraseReasonsOnComments')`
  update decision set note = '', statement = '', former = null
  where kind = 'comment' and subject_id in (select id from comment where author_id = :profileId)`

// ---- The texts that decisions start from

/** `clauses` and `notes` are JSON. */
export const readModerationTexts = reading<NoParameters, { version: number; clauses: string; notes: string }>(
  'readModerationTexts',
)`
  select version, clauses, notes from moderation_texts where id = 1`

/** `seen`: replace only this version; null: whichever it is. */
export const replaceModerationTexts = writing<{ clauses: string; notes: string; seen: number | null }>(
  'replaceModerationTexts',
)`
  update moderation_texts set version = version + 1, clauses = :clauses, notes = :notes
  where id = 1 and version = coalesce(cast(:seen as bigint), version)`
