import { figuresOfTip, type OutcomeResult, type TipTerms } from '../../record/figures.ts'

/** What a bet returns, with its stake; each way it has the stake twice. */
export function returnsOf(terms: TipTerms, result: OutcomeResult, stake: bigint) {
  const staked = terms.eachWay === null ? stake : 2n * stake
  const figures = figuresOfTip(terms, result, false)
  const isVoid = figures?.grade === 'V'
  const profit = (BigInt(figures?.profit ?? 0) * stake) / 1_000_000n
  return { staked, isVoid, returned: isVoid ? staked : staked + profit }
}
