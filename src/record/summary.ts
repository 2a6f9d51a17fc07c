// The figures of a record, from the sums of its tips.

import { bigint, integer } from '../platform/database/table-store.ts'

/** Added up over tips; `staked` in points, `profit`, `odds` and `closing` in millionths, `return_squares` in ten-thousandths. */
export const SUM_TYPES = {
  num_won: integer,
  num_lost: integer,
  num_void: integer,
  num_withdrawn: integer,
  staked: bigint,
  profit: bigint,
  odds: bigint,
  return_squares: bigint,
  num_closing: integer,
  closing: bigint,
  num_beaten: integer,
}
export const SUM_COLUMNS = Object.keys(SUM_TYPES) as (keyof typeof SUM_TYPES)[]
export type TipSums = Record<keyof typeof SUM_TYPES, number>

/** On how many UTC days of settlement, from the first to the last; days are counted from 1970. */
export type RecordSums = TipSums & { num_days: number; first_day: number; last_day: number }

/** The yield and its interval as fractions of 1. undefined: nothing was staked. */
export type YieldEstimate = { readonly yield: number; readonly low: number; readonly high: number }

/** In a normal distribution, 90 % lie within this many standard deviations of the mean. */
const NINETY_PER_CENT = 1.645

/**
 * yield ± 1.645·s/√n, where s is the larger of the spread seen and the one that these odds must have: o·√(p(1 − p)) with
 * the strike rate p taken as (won + 1)/(n + 2), so that an unbroken run has a spread too.
 */
export function estimateYield(sums: TipSums): YieldEstimate | undefined {
  const n = sums.num_won + sums.num_lost
  if (n === 0) return undefined
  const mean = sums.profit / 1e6 / sums.staked
  const seen = n === 1 ? 0 : Math.max(0, (sums.return_squares / 1e4 - n * mean * mean) / (n - 1))
  const strikeRate = (sums.num_won + 1) / (n + 2)
  const averageOdds = sums.odds / 1e6 / n
  const expected = averageOdds * averageOdds * strikeRate * (1 - strikeRate)
  const margin = (NINETY_PER_CENT * Math.sqrt(Math.max(seen, expected))) / Math.sqrt(n)
  return { yield: mean, low: mean - margin, high: mean + margin }
}

/** Days of a ranking; 0: all. */
export const RANKING_DAYS = [7, 30, 90, 365, 0] as const
export const DEFAULT_RANKING_DAYS = 30

const MIN_DAYS = 5

/** Whether there are enough tips that won or lost, on enough days. `days` 0: all. */
export function isRanked({ num_won, num_lost, num_days }: RecordSums, days: number): boolean {
  const least = days === 0 || days > 90 ? 100 : days > 30 ? 50 : 20
  return num_won + num_lost >= least && num_days >= MIN_DAYS
}

/** Adds up the sums of days. Those of one day must come together. */
export function addUp(): { add(day: number, more: TipSums): void; sums(): RecordSums } {
  const sums = { ...NO_SUMS }
  let decidedDay = -1
  return {
    add(day, more) {
      if (more.num_won + more.num_lost > 0 && day !== decidedDay) {
        decidedDay = day
        sums.num_days++
      }
      if (more.num_won + more.num_lost + more.num_void > 0) {
        sums.first_day = sums.last_day === 0 ? day : Math.min(sums.first_day, day)
        sums.last_day = Math.max(sums.last_day, day)
      }
      addTo(sums, more)
    },
    sums: () => ({ ...sums }),
  }
}

/** Column by column, not by a loop over their names: a batch of the board adds up ten thousand rows, in 7 ms so. */
function addTo(sums: TipSums, more: TipSums): void {
  sums.num_won += more.num_won
  sums.num_lost += more.num_lost
  sums.num_void += more.num_void
  sums.num_withdrawn += more.num_withdrawn
  sums.staked += more.staked
  sums.profit += more.profit
  sums.odds += more.odds
  sums.return_squares += more.return_squares
  sums.num_closing += more.num_closing
  sums.closing += more.closing
  sums.num_beaten += more.num_beaten
}

const NO_SUMS = Object.fromEntries(
  [...SUM_COLUMNS, 'num_days', 'first_day', 'last_day'].map((column) => [column, 0]),
) as RecordSums
