// A market is *settled* by giving its outcomes results, and *corrected* by giving them other results later. Results count
// from the moment this transaction commits. The comments on a settled outcome, which may be a hundred thousand, are
// updated in batches afterwards (communities/tip-status.ts); lists and answers never wait for them.

import { settleTipsOfOutcome } from '../communities/tip-status.ts'
import type { Database } from '../database/database.ts'
import { Refused } from '../runtime/refused.ts'
import { unknown } from './catalogue.ts'
import { lockMarket, lockOutcomesOfMarket, markSettled, setResult } from './store.ts'

type Result = 'win' | 'lose' | 'void'
export type Results = { readonly [outcomeId: string]: Result }

/** Outcomes that are not in `results` keep their result. The same results again change nothing. */
export async function settleMarket(
  transaction: Database,
  id: number,
  results: Results,
  now: number,
): Promise<{ settled: number; corrected: number }> {
  if ((await transaction.one(lockMarket, { id })) === undefined) throw unknown('market', id)
  const outcomes = new Map(
    (await transaction.query(lockOutcomesOfMarket, { marketId: id })).map((row) => [row.id, row.result]),
  )
  const given = Object.entries(results).map(([outcomeId, result]) => ({ outcomeId: Number(outcomeId), result }))
  for (const { outcomeId } of given) {
    if (!outcomes.has(outcomeId))
      throw new Refused(
        'invalid',
        `Outcome ${outcomeId} is not one of market ${id}. Send only outcomes of this market.`,
      )
  }
  await transaction.run(markSettled, { id, now })
  const counts = { settled: 0, corrected: 0 }
  for (const { outcomeId, result } of given.sort((one, other) => one.outcomeId - other.outcomeId)) {
    const before = outcomes.get(outcomeId)
    if (before === result) continue
    await transaction.run(setResult, { id: outcomeId, result })
    await settleTipsOfOutcome(transaction, outcomeId)
    if (before === null) counts.settled++
    else counts.corrected++
  }
  return counts
}
