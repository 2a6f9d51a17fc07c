// The SQL of labels and assignments.

import type { SubjectKind } from '../../flags/store.ts'
import { reading, type Statement, writing } from '../../platform/database/database.ts'
import { inTextList } from '../../platform/database/row-list-store.ts'
import { bigint, table, text } from '../../platform/database/table-store.ts'

type SubjectKey = { kind: SubjectKind; subjectId: number }

/** For each kind, whether there is such a subject. */
export const subjectExists: Record<SubjectKind, Statement<{ id: number }, { id: number }>> = {
  profile: reading('profileExists', 'select id from profile where id = :id'),
  comment: reading('commentExists', 'select id from comment where id = :id'),
}

// ---- Labels

export const labelsOfSubject = reading<SubjectKey, { label: string }>('labelsOfSubject')`
  select label from subject_label where kind = :kind and subject_id = :subjectId order by label`

export const labelList = table('subject_label', {
  kind: text,
  subject_id: bigint,
  label: text,
  actor: text,
  at: bigint,
})
export const labelRowsOf = labelList.of

export const insertLabels = writing<{ rows: string }>('insertLabels')`
  ${labelList.insertRows} where true on conflict do nothing`

/** Deletes the labels that are not in the list. */
export const deleteOtherLabels = writing<SubjectKey & { labels: string }>('deleteOtherLabels')`
  delete from subject_label where kind = :kind and subject_id = :subjectId and not (label ${inTextList('labels')})`

/** A condition on a subject of the kind: it has the label; null: any. A count, because PostgreSQL would make a set of all labels for `exists`. */
export const hasLabel = (
  kind: string,
  subject: string,
) => `(cast(:label as text) is null or (select count(*) from subject_label l
    where l.kind = ${kind} and l.subject_id = ${subject} and l.label = cast(:label as text)) > 0)`

// ---- Assignments

export const assignSubject = writing<SubjectKey & { assignee: string; note: string; actor: string; now: number }>(
  'assignSubject',
)`
  insert into assignment (kind, subject_id, assignee, note, actor, at)
  values (:kind, :subjectId, :assignee, :note, :actor, :now)
  on conflict (kind, subject_id) do update set assignee = excluded.assignee, note = excluded.note,
    actor = excluded.actor, at = excluded.at`

export const endAssignment = writing<SubjectKey>('endAssignment')`
  delete from assignment where kind = :kind and subject_id = :subjectId`

type Assigned = { kind: SubjectKind; assignees: string; label: string | null }

const ASSIGNED = `assignment a where a.kind = :kind and a.assignee ${inTextList('assignees')}
  and ${hasLabel('a.kind', 'a.subject_id')}`

/** `at` and `subjectId` are those of the last one of the page before. The constant is the longest page and one more. */
export const assignedSubjects = reading<
  Assigned & { at: number; subjectId: number; limit: number },
  { subject_id: number }
>('assignedSubjects')`
  select subject_id from (select a.at, a.subject_id from ${ASSIGNED}
      and (a.at, a.subject_id) > (cast(:at as bigint), cast(:subjectId as bigint))
    order by a.at, a.subject_id limit :limit) page order by at, subject_id limit 101`

const MAX_COUNTED = 1000

export const assignedLength = reading<Assigned, { waiting: number }>('assignedLength')`
  select count(*) as waiting from (select 1 from ${ASSIGNED} limit ${MAX_COUNTED}) as counted`

// ---- Personal data

const OF_PROFILE = `kind = 'profile' and subject_id = :profileId`
const OF_TIPS = `kind = 'comment' and subject_id in (select id from comment where author_id = :profileId)`

/** Separate statements for a profile and its tips: for both at once PostgreSQL would read all rows. */
export const eraseLabelsAndNotes = {
  labels: writing<{ profileId: number }>('eraseLabelsOfProfile')`delete from subject_label where ${OF_PROFILE}`,
  labelsOfTips: writing<{ profileId: number }>('eraseLabelsOfTips')`delete from subject_label where ${OF_TIPS}`,
  notes: writing<{ profileId: number }>('eraseNotesOfProfile')`update assignment set note = '' where ${OF_PROFILE}`,
  notesOfTips: writing<{ profileId: number }>('eraseNotesOfTips')`update assignment set note = '' where ${OF_TIPS}`,
}

/** The profile's labels, then its tips'; separate, as above. */
export const labelsOfProfile = reading<
  { profileId: number },
  { kind: SubjectKind; subject_id: number; label: string; at: number }
>('labelsOfProfile')`
  select kind, subject_id, label, at from subject_label where ${OF_PROFILE}
  union all select kind, subject_id, label, at from subject_label where ${OF_TIPS}
  order by kind desc, subject_id, label`
