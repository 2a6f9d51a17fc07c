// What an operator publishes about moderation: how many decisions, by ground and clause, how fast, and how many did not hold.
// No personal data: statements that a moderator has worded are left out.

import { allRows } from '../../platform/database/all-rows.ts'
import type { Database } from '../../platform/database/database.ts'
import { HOUR_MS } from '../../platform/runtime/durations.ts'
import { readTexts } from '../decisions/reasons.ts'
import * as sql from './transparency-store.ts'

export async function readTransparency(database: Database, period: sql.Period) {
  const decisions = await database.query(sql.decisionCounts, period)
  const appeals = await database.query(sql.appealCounts, period)
  const counted = (wanted: { party?: string; state?: string }) =>
    appeals
      .filter(({ party, state }) => (wanted.party ?? party) === party && (wanted.state ?? state) === state)
      .reduce((sum, one) => sum + one.appeals, 0)
  return {
    decisions: decisions.map((row) => ({ ...row, automated: row.automated === 1 })),
    medianHoursToDecision: hours(await database.one(sql.medianDecisionTime, period)),
    flags: await database.query(sql.flagCounts, period),
    appeals: {
      made: counted({}),
      byAuthors: counted({ party: 'author' }),
      byReporters: counted({ party: 'reporter' }),
      open: counted({ state: 'open' }),
      upheld: counted({ state: 'upheld' }),
      overturned: counted({ state: 'overturned' }),
      medianHours: hours(await database.one(sql.medianAppealTime, period)),
    },
  }
}

/** With one decimal. */
function hours(row: { middle: number | string | null } | undefined): number | null {
  if (row === undefined || row.middle === null) return null
  return Math.round((Number(row.middle) / HOUR_MS) * 10) / 10
}

/** The decisions of a period, oldest first. */
export async function* readStatements(database: Database, { from, until }: sql.Period) {
  const { clauses } = await readTexts(database)
  const byKey = new Map(clauses.map((clause) => [clause.key, clause]))
  const rows = allRows(
    { at: from, id: 0 },
    ({ at, id }: sql.StatementRow) => ({ at, id }),
    (after, limit) => database.query(sql.statementsBatch, { ...after, until, limit }),
  )
  for await (const row of rows) yield { ...row, ...publishable(row, byKey.get(row.clause)) }
}

/** A text of a moderator may be about a person. */
function publishable({ clause, statement }: sql.StatementRow, known: { title: string; template: string } | undefined) {
  return { title: known?.title ?? clause, statement: statement === known?.template ? statement : '' }
}
