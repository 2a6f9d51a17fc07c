// A market is *settled* by giving its outcomes results, and *corrected* by giving them other results later. Results count
// from the moment their transaction commits. The comments on a settled outcome, which may be a hundred thousand, are
// updated in batches afterwards (communities/tip-status.ts); lists and answers never wait for them.

import type { ResultColumns } from '../catalogue/store.ts'
import { Refused } from '../platform/runtime/refused.ts'
import type { Fraction, Result } from '../record/figures.ts'
import { unknown } from './catalogue-changes.ts'
import type { Change } from './change.ts'
import { isOverOne } from './fractions.ts'

/** `deadHeat` and `placeDeadHeat`: the part of the stake that counts as winning or placed. `rule4`: "0.25" of winnings. */
type DetailedResult = {
  readonly result: Result
  readonly deadHeat?: Fraction
  readonly placeDeadHeat?: Fraction
  readonly rule4?: string
  readonly startingPrice?: Fraction
}
export type Results = { readonly [outcomeId: string]: Result | DetailedResult }

/**
 * Outcomes that are not in `results` keep their result. The same results again change nothing; a result without details
 * clears those of an earlier one.
 */
export function settleMarket(id: number, results: Results): Change<{ settled: number; corrected: number }> {
  const given = Object.entries(results).map(([outcomeId, result]) => ({
    outcomeId: Number(outcomeId),
    detailed: typeof result === 'string' ? { result } : result,
  }))
  return {
    addIds(ids) {
      ids.markets.add(id)
      // All of them are locked: a tip on any comes either before the settlement or after it.
      ids.outcomesOfMarkets.add(id)
    },
    apply(rows) {
      for (const { outcomeId, detailed } of given) refuseWrongDetails(outcomeId, detailed)
      if (rows.markets.get(id) === undefined) throw unknown('market', id)
      for (const { outcomeId } of given) {
        if (rows.outcomes.get(outcomeId)?.market_id !== id)
          throw new Refused(
            'invalid',
            `Outcome ${outcomeId} is not one of market ${id}. Send only outcomes of this market.`,
          )
      }
      const counts = { settled: 0, corrected: 0 }
      for (const { outcomeId, detailed } of given) {
        const before = rows.results.get(outcomeId) ?? rows.storedResults.get(outcomeId)
        const columns = columnsOf(detailed)
        if (before !== undefined && isSame(before, columns)) continue
        rows.results.set(outcomeId, columns)
        counts[before === undefined ? 'settled' : 'corrected']++
      }
      const earlier = rows.settledMarkets.get(id) ?? { settled: 0, corrected: 0 }
      rows.settledMarkets.set(id, {
        settled: earlier.settled + counts.settled,
        corrected: earlier.corrected + counts.corrected,
      })
      return counts
    },
  }
}

function columnsOf({ result, deadHeat, placeDeadHeat, rule4 = '0', startingPrice }: DetailedResult): ResultColumns {
  return {
    result,
    dead_heat_num: deadHeat?.num ?? null,
    dead_heat_den: deadHeat?.den ?? null,
    place_dead_heat_num: placeDeadHeat?.num ?? null,
    place_dead_heat_den: placeDeadHeat?.den ?? null,
    rule4: hundredths(rule4),
    sp_num: startingPrice?.num ?? null,
    sp_den: startingPrice?.den ?? null,
  }
}

function isSame(before: ResultColumns, after: ResultColumns): boolean {
  return Object.entries(after).every(([column, value]) => before[column as keyof ResultColumns] === value)
}

/** "0.2" and "0.20" are 20. */
function hundredths(text: string): number {
  return Math.round(Number(text) * 100)
}

function refuseWrongDetails(outcomeId: number, detailed: DetailedResult): void {
  const { result, deadHeat, placeDeadHeat, rule4 = '0' } = detailed
  const refuse = (what: string, advice: string) => {
    throw new Refused('invalid', `Outcome ${outcomeId} has ${what}: ${advice}`)
  }
  if (deadHeat !== undefined && result !== 'win')
    refuse(`a deadHeat with the result ${result}`, 'only a win can be shared. Leave it out.')
  if (placeDeadHeat !== undefined && result !== 'win' && result !== 'place')
    refuse(
      `a placeDeadHeat with the result ${result}`,
      'only a place can be shared, by a win or a place. Leave it out.',
    )
  if (hundredths(rule4) > 0 && (result === 'void' || result === 'push'))
    refuse(
      `a rule4 with the result ${result}`,
      'the stake is returned, so there is nothing to deduct from. Leave it out.',
    )
  for (const [name, fraction] of Object.entries({ deadHeat, placeDeadHeat })) {
    if (fraction !== undefined && isOverOne([fraction]))
      refuse(`the ${name} ${fraction.num}/${fraction.den}`, 'it is the part of the stake that counts, at most 1/1.')
  }
}
