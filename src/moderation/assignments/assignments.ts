// Moderators put *labels* on subjects, and *assign* a subject to a person or a group: to escalate it, or to take it. An
// assignment ends with the next decision on the subject.

import type { SubjectKind } from '../../flags/store.ts'
import type { Database } from '../../platform/database/database.ts'
import { textListOf } from '../../platform/database/row-list-store.ts'
import { isoTime } from '../../platform/runtime/iso-time.ts'
import { Refused } from '../../platform/runtime/refused.ts'
import { readSettings, readStored } from '../settings/settings.ts'
import * as sql from './assignment-store.ts'

type Subject = { kind: SubjectKind; subjectId: number }
type Made = { actor: string; now: number }

const personKey = (name: string) => `person:${name}`
const groupKey = (name: string) => `group:${name}`

/** Replaces the labels of the subject. One that is no longer offered may stay. */
export async function setLabels(
  database: Database,
  subject: Subject,
  labels: readonly string[],
  { actor, now }: Made,
): Promise<void> {
  await refuseUnknown(database, subject)
  const before = await database.query(sql.labelsOfSubject, subject)
  const offered = new Set([...(await readStored(database)).labels, ...before.map(({ label }) => label)])
  const unknown = labels.find((label) => !offered.has(label))
  if (unknown !== undefined)
    throw new Refused('invalid', `There is no label "${unknown}": admins add labels to the settings.`)
  const { kind, subjectId: subject_id } = subject
  // In one order, so that two who label the same subject do not wait for each other.
  const rows = [...new Set(labels)].sort().map((label) => ({ kind, subject_id, label, actor, at: now }))
  await database.transaction(async (transaction) => {
    await transaction.run(sql.deleteOtherLabels, { ...subject, labels: textListOf(labels) })
    if (rows.length > 0) await transaction.run(sql.insertLabels, { rows: sql.labelRowsOf(rows) })
  })
}

/** `assignee` null: nobody any more. */
export async function assign(
  database: Database,
  subject: Subject,
  { assignee, note }: { assignee: string | null; note: string },
  made: Made,
): Promise<void> {
  await refuseUnknown(database, subject)
  if (assignee === null) {
    await database.run(sql.endAssignment, subject)
    return
  }
  const { people, groups } = await readSettings(database, made.now)
  const known = [...people, made.actor].map(personKey).concat(groups.map(({ name }) => groupKey(name)))
  if (!known.includes(assignee))
    throw new Refused('invalid', `There is no ${assignee.replace(':', ' ')} that may decide.`)
  await database.run(sql.assignSubject, { ...subject, assignee, note, ...made })
}

/** The labels of the profile and its tips. */
export async function readLabels(database: Database, profileId: number) {
  const rows = await database.query(sql.labelsOfProfile, { profileId })
  return rows.map(({ kind, subject_id, label, at }) => ({ kind, id: String(subject_id), label, at: isoTime(at) }))
}

/** What is assigned to the person: by name, or to one of their groups. */
export async function assigneesOf(database: Database, name: string): Promise<string[]> {
  const { groups } = await readStored(database)
  return [
    personKey(name),
    ...groups.filter(({ members }) => members.includes(name)).map((group) => groupKey(group.name)),
  ]
}

async function refuseUnknown(database: Database, { kind, subjectId }: Subject): Promise<void> {
  const found = await database.one(sql.subjectExists[kind], { id: subjectId })
  if (found === undefined) throw new Refused('unknown', `There is no ${kind} ${subjectId}.`)
}
