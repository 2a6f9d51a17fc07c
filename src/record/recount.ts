// Grades all tips of a profile again, from the tips and the results alone, and compares them with what is stored.

import type { Database } from '../platform/database/database.ts'
import { BAND_NAMES, figuresOfTip } from './figures.ts'
import { dateOf, dayOf } from './record-view.ts'
import * as sql from './recount-store.ts'
import { SUM_COLUMNS, type TipSums } from './summary.ts'
import { fractionOf, outcomeResultOf } from './terms.ts'

/** `subject`: a tip, or a sum with its key. null: there is none. */
export type Difference = { subject: string; field: string; recounted: string | null; stored: string | null }
export type Recount = { isEqual: boolean; numTips: number; differences: readonly Difference[] }

const MAX_SHOWN = 100

/** A settlement may be committed between the reads: what is different every time is reported. */
const ATTEMPTS = 3

export async function recountRecord(database: Database, profileId: number): Promise<Recount> {
  let recount = await recountOnce(database, profileId)
  for (let attempt = 1; attempt < ATTEMPTS && !recount.isEqual; attempt++) {
    recount = await recountOnce(database, profileId)
  }
  return recount
}

async function recountOnce(database: Database, profileId: number): Promise<Recount> {
  const [tips, grades, sums] = await Promise.all([
    database.query(sql.tipsToRecount, { profileId }),
    database.query(sql.gradesOfProfile, { profileId }),
    database.query(sql.sumsOfProfile, { profileId }),
  ])
  const pending = new Set(tips.filter(({ is_pending }) => is_pending === 1).map(({ id }) => id))
  const recounted = tips.filter(({ id }) => !pending.has(id)).flatMap((tip) => gradeOf(tip) ?? [])
  const stored = grades.filter(({ comment_id }) => !pending.has(comment_id))
  const differences = [
    ...compare(keyed(recounted, tipName), keyed(stored, tipName)),
    ...compare(keyed(sumsOf(grades), sumName), keyed(sums, sumName)),
  ]
  return {
    isEqual: differences.length === 0,
    numTips: recounted.length,
    differences: differences.slice(0, MAX_SHOWN),
  }
}

function gradeOf(tip: sql.RecountedTip): sql.GradeRow | undefined {
  const outcome = outcomeResultOf(tip)
  if (outcome === null || tip.is_first === 0 || (tip.record_num === null && tip.record_sp === 0)) return undefined
  const isInPlay = tip.created_at >= tip.start_time
  const terms = {
    price: fractionOf(tip.record_num, tip.record_den),
    eachWay: fractionOf(tip.each_way_num, tip.each_way_den),
  }
  const figures = figuresOfTip(terms, outcome, isInPlay)
  if (figures === null) return undefined
  const { returnSquare, ...same } = figures
  return {
    ...same,
    comment_id: tip.id,
    in_play: isInPlay ? 1 : 0,
    day: dayOf(tip.settled_at ?? 0),
    sport_id: tip.sport_id,
    return_square: returnSquare,
    withdrawn: tip.state === 'live' ? 0 : 1,
  }
}

function sumsOf(grades: readonly sql.GradeRow[]): sql.StoredSum[] {
  return [...Map.groupBy(grades, sumName).values()].map((group) => {
    const { in_play, day, sport_id, band } = group[0] as sql.GradeRow
    const sums = Object.fromEntries(SUM_COLUMNS.map((column) => [column, 0])) as TipSums
    for (const grade of group) {
      const more = sumsOfGrade(grade)
      for (const column of SUM_COLUMNS) sums[column] += more[column]
    }
    return { in_play, day, sport_id, band, ...sums }
  })
}

function sumsOfGrade({ grade, withdrawn, stake, profit, odds, return_square, closing }: sql.GradeRow): TipSums {
  return {
    num_won: grade === 'W' ? 1 : 0,
    num_lost: grade === 'L' ? 1 : 0,
    num_void: grade === 'V' ? 1 : 0,
    num_withdrawn: withdrawn,
    staked: stake,
    profit,
    odds,
    return_squares: return_square,
    num_closing: closing === null ? 0 : 1,
    closing: closing ?? 0,
    num_beaten: closing !== null && closing > 0 ? 1 : 0,
  }
}

function tipName({ comment_id }: sql.GradeRow): string {
  return `tip ${comment_id}`
}

function sumName({ in_play, day, sport_id, band }: Omit<sql.StoredSum, keyof TipSums>): string {
  return `sum of ${dateOf(day)}, sport ${sport_id}, band ${BAND_NAMES[band - 1]}${in_play === 1 ? ', in play' : ''}`
}

function keyed<Row extends object>(rows: readonly Row[], name: (row: Row) => string): Map<string, Row> {
  return new Map(rows.map((row) => [name(row), row]))
}

function compare<Row extends object>(recounted: Map<string, Row>, stored: Map<string, Row>): Difference[] {
  return [...new Set([...recounted.keys(), ...stored.keys()])].flatMap((subject) => {
    const [one, other] = [recounted.get(subject), stored.get(subject)]
    if (one === undefined || other === undefined) {
      return [{ subject, field: 'all', recounted: textOf(one), stored: textOf(other) }]
    }
    const fields = Object.keys(one) as (keyof Row & string)[]
    return fields
      .filter((field) => one[field] !== other[field])
      .map((field) => ({ subject, field, recounted: textOf(one[field]), stored: textOf(other[field]) }))
  })
}

function textOf(value: unknown): string | null {
  return value === undefined || value === null ? null : JSON.stringify(value)
}
