// A market is *settled* by giving its outcomes results, and *corrected* by giving them other results later. Results count
// from the moment their transaction commits. The comments on a settled outcome, which may be a hundred thousand, are
// updated in batches afterwards (communities/tip-status.ts); lists and answers never wait for them.

import { Refused } from '../runtime/refused.ts'
import { unknown } from './catalogue.ts'
import type { Change } from './change.ts'
import type { Result } from './rows.ts'

export type Results = { readonly [outcomeId: string]: Result }

/** Outcomes that are not in `results` keep their result. The same results again change nothing. */
export function settleMarket(id: number, results: Results): Change<{ settled: number; corrected: number }> {
  const given = Object.entries(results).map(([outcomeId, result]) => ({ outcomeId: Number(outcomeId), result }))
  return {
    addIds(ids) {
      ids.markets.add(id)
      // All of them are locked: a tip on any comes either before the settlement or after it.
      ids.outcomesOfMarkets.add(id)
    },
    apply(rows) {
      if (rows.markets.get(id) === undefined) throw unknown('market', id)
      for (const { outcomeId } of given) {
        if (rows.outcomes.get(outcomeId)?.market_id !== id)
          throw new Refused(
            'invalid',
            `Outcome ${outcomeId} is not one of market ${id}. Send only outcomes of this market.`,
          )
      }
      const counts = { settled: 0, corrected: 0 }
      for (const { outcomeId, result } of given) {
        const before = rows.results.get(outcomeId) ?? rows.outcomes.get(outcomeId)?.result ?? null
        if (before === result) continue
        rows.results.set(outcomeId, result)
        counts[before === null ? 'settled' : 'corrected']++
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
