// The floor of the feed: lines of JSON, events alone, 200 in a transaction, with the service's statements.

import type { IncomingMessage } from 'node:http'
import type { Database } from '../../src/database/database.ts'
import {
  lockEvent,
  lockMarket,
  lockOutcome,
  sportExists,
  upsertEvent,
  upsertMarket,
  upsertOutcome,
} from '../../src/sportsbook/store.ts'

type Named = { id: string; name: string }
type EventLine = {
  id: number
  data: { sportId: string; name: string; startTime: string; markets: (Named & { outcomes: Named[] })[] }
}

const BATCH = 200

export async function importEvents(database: Database, request: IncomingMessage): Promise<{ lines: number }> {
  let text = ''
  for await (const chunk of request) text += chunk
  const lines = text.split('\n').filter((line) => line !== '')
  for (let first = 0; first < lines.length; first += BATCH) {
    await database.transaction(async (tx) => {
      for (const line of lines.slice(first, first + BATCH)) await putEvent(tx, JSON.parse(line) as EventLine)
    })
  }
  return { lines: lines.length }
}

async function putEvent(tx: Database, { id, data }: EventLine): Promise<void> {
  await tx.one(sportExists, [Number(data.sportId)])
  await tx.one(lockEvent, [id])
  for (const market of data.markets) {
    await tx.one(lockMarket, [Number(market.id)])
    for (const outcome of market.outcomes) await tx.one(lockOutcome, [Number(outcome.id)])
  }
  await tx.run(upsertEvent, [id, Number(data.sportId), data.name, Date.parse(data.startTime), 'active'])
  for (const market of data.markets) {
    await tx.run(upsertMarket, [Number(market.id), id, market.name, 'active'])
    for (const outcome of market.outcomes) {
      await tx.run(upsertOutcome, [Number(outcome.id), Number(market.id), outcome.name, 'active', 0, null, null])
    }
  }
}
