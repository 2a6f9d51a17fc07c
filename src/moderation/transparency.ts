// What an operator publishes about moderation: how many decisions, by ground and clause, how fast, and how many did not hold.
// No personal data: statements that a moderator has worded are left out.

import type { Database } from '../platform/database/database.ts'
import { HOUR_MS } from '../platform/runtime/durations.ts'
import { readTexts } from './reasons.ts'
import * as store from './transparency-store.ts'

export async function readTransparency(database: Database, period: store.Period) {
  const decisions = await database.query(store.decisionCounts, period)
  const flags = await database.query(store.flagCounts, period)
  const appeals = await database.query(store.appealCounts, period)
  const counted = (wanted: { party?: string; state?: string }) =>
    appeals
      .filter(({ party, state }) => (wanted.party ?? party) === party && (wanted.state ?? state) === state)
      .reduce((sum, one) => sum + one.appeals, 0)
  return {
    decisions: decisions.map(({ decisions: count, automated, ...row }) => ({
      ...row,
      automated: automated === 1,
      count,
    })),
    medianHoursToDecision: hours(await database.one(store.medianDecisionTime, period)),
    flags: flags.map(({ reason, flags: count }) => ({ reason, count })),
    appeals: {
      made: counted({}),
      byAuthors: counted({ party: 'author' }),
      byReporters: counted({ party: 'reporter' }),
      open: counted({ state: 'open' }),
      upheld: counted({ state: 'upheld' }),
      overturned: counted({ state: 'overturned' }),
      medianHours: hours(await database.one(store.medianAppealTime, period)),
    },
  }
}

/** With one decimal. */
function hours(row: { middle: number | string | null } | undefined): number | null {
  if (row === undefined || row.middle === null) return null
  return Math.round((Number(row.middle) / HOUR_MS) * 10) / 10
}

const BATCH = 500

/**
 * The decisions of a period, oldest first. They are read while they are sent, so that a long period takes time, not
 * memory.
 */
export async function* readStatements(database: Database, { from, until }: store.Period) {
  const { clauses } = await readTexts(database)
  const byKey = new Map(clauses.map((clause) => [clause.key, clause]))
  for (let [at, id] = [from, 0]; ; ) {
    const rows = await database.query(store.statementsBatch, { at, id, until, limit: BATCH })
    for (const row of rows) yield { ...row, ...publishable(row, byKey.get(row.clause)) }
    const last = rows.at(-1)
    if (last === undefined || rows.length < BATCH) return
    at = last.at
    id = last.id
  }
}

/** A text of a moderator may be about a person. */
function publishable(
  { clause, statement }: store.StatementRow,
  known: { title: string; template: string } | undefined,
) {
  return { title: known?.title ?? clause, statement: statement === known?.template ? statement : '' }
}
