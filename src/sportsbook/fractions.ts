import type { Fraction } from '../record/figures.ts'

/** Whether fractions add up to more than 1, exactly: three thirds do not. */
export function isOverOne(fractions: readonly Fraction[]): boolean {
  let [num, den] = [0n, 1n]
  for (const one of fractions) {
    num = num * BigInt(one.den) + BigInt(one.num) * den
    den *= BigInt(one.den)
  }
  return num > den
}
