// The figures of a record as answers show them: points, per cent and odds with two decimals. They are rounded once, from
// whole numbers, halves away from zero; only the interval comes from doubles.

import { DAY_MS } from '../platform/runtime/durations.ts'
import { type Grade, roundedTo } from './figures.ts'
import { estimateYield, type RecordSums } from './summary.ts'
import type { FractionColumns } from './terms.ts'

/** The fraction num/den. Computed in doubles where they are exact, which takes a fifth of the time. */
export function twoDecimals(num: number, den: number): string {
  const doubled = 200 * Math.abs(num) + den
  if (doubled > Number.MAX_SAFE_INTEGER || den > Number.MAX_SAFE_INTEGER / 2) {
    return hundredthsText(roundedTo(100n, { num: BigInt(num), den: BigInt(den) }))
  }
  const hundredths = (doubled - (doubled % (2 * den))) / (2 * den)
  return hundredthsText(num < 0 ? -hundredths : hundredths)
}

/** A fraction of 1 in per cent. */
export function perCentOf(share: number): string {
  return hundredthsText(Math.sign(share) * Math.round(Math.abs(share) * 10_000))
}

export function points(millionths: number): string {
  return twoDecimals(millionths, 1_000_000)
}

/** Formats a double. */
export function hundredthsOf(value: number): string {
  return perCentOf(value / 100)
}

function hundredthsText(hundredths: number): string {
  const positive = Math.abs(hundredths)
  const cents = positive % 100
  return `${hundredths < 0 ? '-' : ''}${(positive - cents) / 100}.${cents < 10 ? '0' : ''}${cents}`
}

export function fractionText(num: number | null, den: number | null): string | undefined {
  return num === null || den === null ? undefined : `${num}/${den}`
}

/** `record_sp` 1: at starting price, from which nothing is deducted. */
export type SettlementColumns = FractionColumns<'dead_heat' | 'place_dead_heat'> & {
  grade: Grade
  stake: number
  profit: number
  record_sp: number
  rule4: number
}

/** What a tip won or lost: the same on the tip and in the record. */
export function toSettlement(row: SettlementColumns) {
  return {
    status: row.grade,
    staked: twoDecimals(row.stake, 1),
    profit: points(row.profit),
    deadHeat: fractionText(row.dead_heat_num, row.dead_heat_den),
    placeDeadHeat: fractionText(row.place_dead_heat_num, row.place_dead_heat_den),
    rule4: row.rule4 === 0 || row.record_sp === 1 ? undefined : twoDecimals(row.rule4, 100),
  }
}

export function dayOf(milliseconds: number): number {
  return Math.floor(milliseconds / DAY_MS)
}

export function dateOf(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10)
}

/** Leaves out figures without data. */
export function toFigures(sums: RecordSums) {
  const { num_won, num_lost, num_void, num_closing } = sums
  const numSettled = num_won + num_lost + num_void
  return {
    ...(numSettled === 0 ? {} : { from: dateOf(sums.first_day), to: dateOf(sums.last_day) }),
    numSettled,
    numWon: num_won,
    numLost: num_lost,
    numVoid: num_void,
    numWithdrawn: sums.num_withdrawn,
    staked: twoDecimals(sums.staked, 1),
    profit: points(sums.profit),
    ...ratesOf(sums),
    ...(num_closing === 0
      ? {}
      : {
          closing: {
            num: num_closing,
            average: twoDecimals(sums.closing, 10_000 * num_closing),
            beaten: sums.num_beaten,
          },
        }),
  }
}

function ratesOf(sums: RecordSums) {
  const estimate = estimateYield(sums)
  if (estimate === undefined) return {}
  const decided = sums.num_won + sums.num_lost
  return {
    strikeRate: twoDecimals(100 * sums.num_won, decided),
    yield: twoDecimals(sums.profit, 10_000 * sums.staked),
    yieldLow: perCentOf(estimate.low),
    yieldHigh: perCentOf(estimate.high),
    averageOdds: twoDecimals(sums.odds, 1_000_000 * decided),
  }
}

export type GradedDay = { grade: Grade; day: number }

/** In the order of settlement. A void tip breaks no streak. */
export function streaksOf(tips: readonly GradedDay[]): {
  streak?: { type: string; length: number }
  longestLosing?: number
} {
  const streak = { type: '', length: 0 }
  let longestLosing = 0
  for (const { grade } of tips) {
    if (grade === 'V') continue
    streak.length = grade === streak.type ? streak.length + 1 : 1
    streak.type = grade
    if (grade === 'L') longestLosing = Math.max(longestLosing, streak.length)
  }
  return streak.length === 0 ? {} : { streak, longestLosing }
}

/** Reads `W20772 L20773`. */
export function gradedDays(grades: string | null): GradedDay[] {
  if (grades === null) return []
  return grades.split(' ').map((tip) => ({ grade: tip.charAt(0) as Grade, day: Number(tip.slice(1)) }))
}
