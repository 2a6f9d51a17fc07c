// The baseline of the feed import: lines of JSON, only events, in transactions as large as the service's, with the
// service's statements. No validation, no audit trail.

import type { IncomingMessage } from 'node:http'
import type { Database } from '../../src/platform/database/database.ts'
import { type EventInput, putEvent } from '../../src/sportsbook/catalogue-changes.ts'
import { applyChanges } from '../../src/sportsbook/change.ts'
import { BATCH } from '../../src/sportsbook/feed.ts'

type Named = { id: string; name: string }
type EventLine = {
  id: number
  data: Omit<EventInput, 'status' | 'markets'> & { markets: (Named & { outcomes: Named[] })[] }
}

export async function importEvents(database: Database, request: IncomingMessage): Promise<{ lines: number }> {
  let text = ''
  for await (const chunk of request) text += chunk
  const lines = text.split('\n').filter((line) => line !== '')
  const size = BATCH[database.engine]
  for (let first = 0; first < lines.length; first += size) {
    const changes = lines.slice(first, first + size).map((line) => toChange(JSON.parse(line) as EventLine))
    await database.transaction((tx) => applyChanges(tx, changes, Date.now))
  }
  return { lines: lines.length }
}

function toChange({ id, data }: EventLine) {
  const status = 'active' as const
  const markets = data.markets.map((market) => ({
    ...market,
    status,
    outcomes: market.outcomes.map((outcome) => ({ ...outcome, status, startingPrice: false })),
  }))
  return putEvent(id, { ...data, status, markets })
}
