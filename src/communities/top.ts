import { displayStatus, livePrice, outcomeStatus } from '../catalogue/outcome.ts'
import type { CommunitiesContext } from './context.ts'
import type { TopEvent } from './shapes.ts'
import { mostTippedOutcomes, type TopOutcomeRow } from './store.ts'

/** The 20 outcomes with the most live comments, ties by lower id; null when nothing is tipped. */
export async function topOutcomes(context: CommunitiesContext): Promise<{ event: TopEvent[] } | null> {
  const rows = await context.database.query(mostTippedOutcomes, {})
  return rows.length === 0 ? null : { event: rows.map((row, index) => toTopEvent(row, index + 1)) }
}

function toTopEvent(row: TopOutcomeRow, rank: number): TopEvent {
  return {
    id: row.event_id,
    sportId: row.sport_id,
    name: row.event_name,
    market: {
      id: row.market_id,
      name: row.market_name,
      outcome: {
        id: row.outcome_id,
        rank,
        name: row.outcome_name,
        status: outcomeStatus(row),
        numLikes: row.likes,
        displayStatus: displayStatus(row),
        startingPrice: row.starting_price === 1,
        comments: { type: 'tip', numLive: row.num_live },
        livePrice:
          row.price_num === null || row.price_den === null ? undefined : livePrice(row.price_num, row.price_den),
      },
    },
  }
}
