// The baseline of the feed import: lines of JSON, only events, 200 in a transaction, with the service's statements.

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
      for (const line of lines.slice(first, first + BATCH)) await upsertEventTree(tx, JSON.parse(line) as EventLine)
    })
  }
  return { lines: lines.length }
}

async function upsertEventTree(tx: Database, { id, data }: EventLine): Promise<void> {
  await tx.one(sportExists, { id: Number(data.sportId) })
  await tx.one(lockEvent, { id })
  for (const market of data.markets) {
    await tx.one(lockMarket, { id: Number(market.id) })
    for (const outcome of market.outcomes) await tx.one(lockOutcome, { id: Number(outcome.id) })
  }
  await tx.run(upsertEvent, {
    id,
    sportId: Number(data.sportId),
    name: data.name,
    startTime: Date.parse(data.startTime),
    status: 'active',
  })
  for (const market of data.markets) {
    await tx.run(upsertMarket, { id: Number(market.id), eventId: id, name: market.name, status: 'active' })
    for (const outcome of market.outcomes) {
      await tx.run(upsertOutcome, {
        id: Number(outcome.id),
        marketId: Number(market.id),
        name: outcome.name,
        status: 'active',
        startingPrice: 0,
        priceNum: null,
        priceDen: null,
      })
    }
  }
}
