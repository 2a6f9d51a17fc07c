// Operators mute reporters, whose flags then weigh nothing, and trust others, whose flags have a lane of their own.

import { queueReporter } from '../../flags/weight-store.ts'
import type { Database } from '../../platform/database/database.ts'
import { Refused } from '../../platform/runtime/refused.ts'
import * as sql from './reporter-store.ts'

export async function readReporter(database: Database, profileId: number): Promise<sql.ReporterRow> {
  const row = await database.one(sql.reporterOfProfile, { profileId })
  if (row === undefined) throw noProfile(profileId)
  return row
}

const lists = { all: sql.activeReporters, muted: sql.mutedReporters, trusted: sql.trustedReporters }
export type Marked = keyof typeof lists

/** The position before the first reporter of a list. */
export const REPORTERS_START = { flags: Number.MAX_SAFE_INTEGER, profileId: Number.MAX_SAFE_INTEGER }

export function listReporters(database: Database, marked: Marked, page: sql.ReporterPage): Promise<sql.ReporterRow[]> {
  return database.query(lists[marked], page)
}

/** What is absent stays as it is. */
export type MarkChange = { muted?: boolean; trusted?: boolean; note?: string }

/** Returns the reporter afterwards. The weights of open flags follow in the background. */
export function markReporter(database: Database, profileId: number, change: MarkChange): Promise<sql.ReporterRow> {
  return database.transaction(async (transaction) => {
    await readReporter(transaction, profileId)
    await transaction.run(sql.ensureReporter, { profileId })
    const before = await transaction.one(sql.lockMarks, { profileId })
    if (before === undefined) throw noProfile(profileId)
    const muted = change.muted ?? before.muted === 1
    const trusted = change.trusted ?? before.trusted === 1
    if (muted && trusted) throw new Refused('invalid', 'A reporter cannot be both muted and trusted.')
    const after = { muted: muted ? 1 : 0, trusted: trusted ? 1 : 0, note: change.note ?? before.note }
    await transaction.run(sql.setMarks, { profileId, ...after })
    const weighsOtherwise = after.muted !== before.muted || after.trusted !== before.trusted
    if (weighsOtherwise) await transaction.run(queueReporter, { profileId })
    return readReporter(transaction, profileId)
  })
}

function noProfile(id: number): Refused {
  return new Refused('unknown', `There is no profile ${id}.`)
}
