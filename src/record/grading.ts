// Grades the tips of a settled outcome and adds them to the sums of their authors' records, in the batches of the
// settlement. Grading again subtracts what the tips had and adds what they get, so that the sums always equal a recount.

import type { Database } from '../platform/database/database.ts'
import { DAY_MS } from '../platform/runtime/durations.ts'
import { figuresOfTip, type OutcomeResult } from './figures.ts'
import type { FiguresRow } from './grade-store.ts'
import * as sql from './grade-store.ts'
import { fractionOf, type TermColumns } from './terms.ts'

export type SettledOutcome = OutcomeResult & { readonly settledAt: number; readonly startTime: number }

type Range = { outcomeId: number; after: number; last: number }

/** `again`: the tips may have grades from an earlier result. */
export async function gradeTips(
  transaction: Database,
  range: Range,
  outcome: SettledOutcome,
  again: boolean,
): Promise<void> {
  if (again) {
    await transaction.run(sql.subtractGradesFromSums, range)
    await transaction.run(sql.deleteGrades, range)
  }
  const { startTime } = outcome
  const terms = await transaction.query(sql.differentTerms, { ...range, startTime })
  const figures = terms.flatMap((each) => figuresRow(each, outcome) ?? [])
  if (figures.length > 0) {
    const day = Math.floor(outcome.settledAt / DAY_MS)
    await transaction.run(sql.insertGrades, { ...range, startTime, day, rows: sql.figuresList.of(figures) })
    await transaction.run(sql.addGradesToSums, range)
  }
  if (again) await transaction.run(sql.deleteEmptySums, range)
}

function figuresRow(terms: TermColumns & { in_play: number }, outcome: OutcomeResult): FiguresRow | null {
  const price = fractionOf(terms.record_num, terms.record_den)
  const eachWay = fractionOf(terms.each_way_num, terms.each_way_den)
  const figures = figuresOfTip({ price, eachWay }, outcome, terms.in_play === 1)
  if (figures === null) return null
  const { grade, stake, profit, odds, band, returnSquare, closing } = figures
  return {
    record_num: price?.num ?? 0,
    record_den: price?.den ?? 0,
    each_way_num: eachWay?.num ?? 0,
    each_way_den: eachWay?.den ?? 0,
    in_play: terms.in_play,
    band,
    grade,
    stake,
    profit,
    odds,
    return_square: returnSquare,
    closing,
  }
}

/** Called in the transaction that withdraws a tip or restores it, after the author's counts were changed. */
export async function markWithdrawn(transaction: Database, id: number, isWithdrawn: boolean): Promise<void> {
  const graded = await transaction.run(sql.setGradeWithdrawn, { id, withdrawn: isWithdrawn ? 1 : 0 })
  if (graded > 0) await transaction.run(sql.countWithdrawnGrade, { id, times: isWithdrawn ? 1 : -1 })
}
