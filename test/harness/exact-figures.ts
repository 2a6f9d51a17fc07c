// The figures of a tip by another way than src/record/figures.ts: what each part returns, over one common denominator.

import type { Fraction, OutcomeResult, Result } from '../../src/record/figures.ts'

const WHOLE: Fraction = { num: 1, den: 1 }
const NONE: Fraction = { num: 0, den: 1 }

/** Stake in points. The profit is `num / den`, exact. */
export type ExactProfit = { stake: number; num: bigint; den: bigint }

export function exactProfit(price: Fraction, eachWay: Fraction | null, told: OutcomeResult): ExactProfit {
  const f = told.deadHeat ?? WHOLE
  const p = told.placeDeadHeat ?? WHOLE
  const e = eachWay ?? NONE
  // Every division below leaves no remainder.
  const den = 200n * BigInt(price.den) * BigInt(f.den) * BigInt(p.den) * BigInt(e.den)
  const point = den
  const winnings = (den / BigInt(price.den) / 100n) * BigInt(price.num) * BigInt(100 - told.rule4)
  const win = ((point + winnings) / BigInt(f.den)) * BigInt(f.num) - point
  const place = ((point + (winnings / BigInt(e.den)) * BigInt(e.num)) / BigInt(p.den)) * BigInt(p.num) - point
  const first: Record<Result, bigint | null> = {
    win,
    lose: -point,
    place: -point,
    'half-win': winnings / 2n,
    'half-lose': -point / 2n,
    void: null,
    push: null,
  }
  const num = first[told.result]
  if (num === null) return { stake: 0, num: 0n, den }
  if (eachWay === null || told.result.startsWith('half')) return { stake: 1, num, den }
  return { stake: 2, num: num + (told.result === 'lose' ? -point : place), den }
}

/** In units of 1/`parts`, halves away from zero. */
export function nearest(parts: bigint, num: bigint, den: bigint): number {
  const sign = num < 0n ? -1n : 1n
  const [whole, rest] = [(sign * num * parts) / den, (sign * num * parts) % den]
  return Number(sign * (whole + (2n * rest >= den ? 1n : 0n)))
}
