// The rows of the sportsbook that a batch of changes reads and writes: locked by one statement for each table, changed in
// memory, and written by one statement for each table. A change sees what those before it did.

import type { OutcomeRow, ResultColumns } from '../catalogue/store.ts'
import * as sql from '../catalogue/store.ts'
import { refreshTipsOfEvents, settleTipsOfOutcomes } from '../communities/tip-status.ts'
import { eventList, logEvents, newEvent } from '../event-log/store.ts'
import { knownCustomers } from '../identity/customers/store.ts'
import type { Database, Statement } from '../platform/database/database.ts'
import { idListOf } from '../platform/database/row-list-store.ts'
import { MINUTE_MS } from '../platform/runtime/durations.ts'
import * as betStore from './bet-store.ts'
import { marketKinds } from './event-kinds.ts'

/** `known…`: only whether they exist is read, without a lock. */
export type RowIds = {
  readonly [rows in
    | 'sports'
    | 'events'
    | 'markets'
    | 'outcomes'
    | 'outcomesOfMarkets'
    | 'bets'
    | 'knownSports'
    | 'knownOutcomes'
    | 'knownCustomers']: Set<number>
}

export function noIds(): RowIds {
  return {
    sports: new Set(),
    events: new Set(),
    markets: new Set(),
    outcomes: new Set(),
    outcomesOfMarkets: new Set(),
    bets: new Set(),
    knownSports: new Set(),
    knownOutcomes: new Set(),
    knownCustomers: new Set(),
  }
}

export type Rows = Awaited<ReturnType<typeof lockRows>>

/** Always in this order, so that two batches cannot deadlock. */
export async function lockRows(transaction: Database, ids: RowIds) {
  const read = async <Row>(statement: Statement<{ ids: string }, Row>, wanted: Set<number>): Promise<Row[]> =>
    wanted.size === 0 ? [] : transaction.query(statement, { ids: idListOf(wanted) })

  const sports = tableOf(await read(sql.lockSports, ids.sports), await read(sql.knownSports, ids.knownSports))
  // A settlement may settle the event, which must see the settlements of its other markets. A market keeps its event.
  const ofSettled = await read(sql.eventsOfMarkets, ids.outcomesOfMarkets)
  const events = tableOf(await read(sql.lockEvents, new Set([...ids.events, ...ofSettled.map(({ id }) => id)])))
  const markets = tableOf(await read(sql.lockMarkets, ids.markets))
  // Whoever adds an outcome to a market has locked the market first: none is added after this.
  const ofMarkets = await read(sql.outcomesOfMarkets, ids.outcomesOfMarkets)
  const toSettle = new Set(ofMarkets.map(({ id }) => id))
  const lockedOutcomes = await read(sql.lockOutcomes, new Set([...ids.outcomes, ...toSettle]))
  const storedResults = await read(sql.resultsOfOutcomes, toSettle)
  const outcomes = tableOf(lockedOutcomes, await read(sql.knownOutcomes, ids.knownOutcomes))
  // A change of an outcome alone names no market.
  const unnamedMarkets = new Set(lockedOutcomes.map(({ market_id }) => market_id).filter((id) => !markets.has(id)))
  const startTimes = await read(sql.startTimesOfMarkets, unnamedMarkets)
  const bets = tableOf<BetWithLegs>((await read(betStore.lockBets, ids.bets)).map((bet) => ({ ...bet, legs: [] })))
  const customers = new Set((await read(knownCustomers, ids.knownCustomers)).map(({ id }) => id))
  return {
    sports,
    events,
    markets,
    outcomes,
    bets,
    customers,
    /** When the events of markets that are not locked start. */
    startTimes: new Map(startTimes.map(({ id, start_time }) => [id, start_time])),
    /** Events whose start time has changed. */
    rescheduled: new Set<number>(),
    /** Outcomes whose price has changed. */
    priced: new Set<number>(),
    /** How many outcomes of each market have their first result, and how many another one. */
    settledMarkets: new Map<number, { settled: number; corrected: number }>(),
    /** The stored results of the markets that are settled, by outcome. */
    storedResults: new Map(storedResults.map(({ id, ...result }): [number, ResultColumns] => [id, result])),
    /** The results that have changed, by outcome. */
    results: new Map<number, ResultColumns>(),
  }
}

type Changes<Row> = { created: Row[]; updated: Row[] }
/** `terms` null: the leg has only its outcome. */
export type Leg = { readonly outcomeId: number; readonly terms: betStore.LegTerms | null }
type BetWithLegs = betStore.BetRow & { legs: readonly Leg[] }

/** `known`: ids that exist besides the locked rows. */
function tableOf<Row extends { readonly id: number }>(locked: readonly Row[], known: readonly { id: number }[] = []) {
  const rows = new Map(locked.map((row) => [row.id, row]))
  const storedIds = new Set(rows.keys())
  const knownIds = new Set(known.map(({ id }) => id))
  const changed = new Set<number>()
  return {
    get: (id: number): Row | undefined => rows.get(id),
    has: (id: number): boolean => rows.has(id) || knownIds.has(id),
    put(row: Row): 'created' | 'changed' {
      const result = rows.has(row.id) ? 'changed' : 'created'
      rows.set(row.id, row)
      changed.add(row.id)
      return result
    },
    /** The rows to write, in the order of their ids. */
    changes(): Changes<Row> {
      const ids = inOrder(changed)
      const rowsOf = (some: readonly number[]) => some.map((id) => rows.get(id) as Row)
      return {
        created: rowsOf(ids.filter((id) => !storedIds.has(id))),
        updated: rowsOf(ids.filter((id) => storedIds.has(id))),
      }
    },
  }
}

function inOrder(ids: Iterable<number>): number[] {
  return [...ids].sort((one, other) => one - other)
}

/** Returns how many outcomes have tips to be updated. A row that another writer created meanwhile throws UniqueViolation. */
export async function writeRows(transaction: Database, rows: Rows, now: number): Promise<number> {
  await writeChanges(transaction, sql.writeSports, rows.sports.changes())
  await writeChanges(transaction, sql.writeEvents, rows.events.changes())
  await writeChanges(transaction, sql.writeMarkets, rows.markets.changes())
  await writeChanges(transaction, sql.writeOutcomes, rows.outcomes.changes())
  await writePricePoints(transaction, rows, now)
  const bets = rows.bets.changes()
  await writeChanges(transaction, betStore.writeBets, bets)
  await writeOutcomesOfBets(transaction, bets)
  return writeSettlements(transaction, rows, now)
}

type Insert = Statement<{ rows: string }, never>
type TableStatements<Row> = { list: { of(rows: readonly Row[]): string }; insert: Insert; update: Insert }

async function writeChanges<Row>(
  transaction: Database,
  { list, insert, update }: TableStatements<Row>,
  { created, updated }: Changes<Row>,
): Promise<void> {
  if (created.length > 0) await transaction.run(insert, { rows: list.of(created) })
  if (updated.length > 0) await transaction.run(update, { rows: list.of(updated) })
}

async function writePricePoints(transaction: Database, { priced, outcomes }: Rows, now: number): Promise<void> {
  if (priced.size === 0) return
  const minute = Math.floor(now / MINUTE_MS)
  const points = inOrder(priced).map((id) => {
    const { price_num, price_den } = outcomes.get(id) as OutcomeRow
    return { outcome_id: id, minute, price_num, price_den }
  })
  await transaction.run(sql.writePricePoints, { rows: sql.pricePointsOf(points) })
}

async function writeOutcomesOfBets(transaction: Database, { created, updated }: Changes<BetWithLegs>): Promise<void> {
  if (updated.length > 0) {
    await transaction.run(betStore.deleteBetOutcomes, { ids: idListOf(updated.map(({ id }) => id)) })
  }
  const plain: betStore.BetOutcome[] = []
  const withTerms: (betStore.BetOutcome & betStore.LegTerms)[] = []
  for (const { id, legs } of [...created, ...updated]) {
    for (const { outcomeId, terms } of legs) {
      if (terms === null) plain.push({ bet_id: id, outcome_id: outcomeId })
      else withTerms.push({ bet_id: id, outcome_id: outcomeId, ...terms })
    }
  }
  if (plain.length > 0) await transaction.run(betStore.insertBetOutcomes, { rows: betStore.betOutcomeList.of(plain) })
  if (withTerms.length > 0) await transaction.run(betStore.insertLegs, { rows: betStore.legList.of(withTerms) })
}

async function writeSettlements(transaction: Database, rows: Rows, now: number): Promise<number> {
  const { settledMarkets, outcomes, results, rescheduled } = rows
  if (settledMarkets.size > 0) {
    await transaction.run(sql.markSettled, { ids: idListOf(inOrder(settledMarkets.keys())), now })
    const eventIds = new Set([...settledMarkets.keys()].map((id) => rows.markets.get(id)?.event_id as number))
    await transaction.run(sql.settleEvents, { ids: idListOf(inOrder(eventIds)), now })
    await reportSettledMarkets(transaction, settledMarkets, now)
  }
  const settledIds = inOrder(results.keys())
  const settledRows = settledIds.map((id) => ({
    ...(outcomes.get(id) as OutcomeRow),
    ...(results.get(id) as ResultColumns),
    settled_at: now,
  }))
  if (settledRows.length > 0) await transaction.run(sql.setResults, { rows: sql.settledOutcomeList.of(settledRows) })
  const settled = settledIds.length > 0 ? await settleTipsOfOutcomes(transaction, settledIds) : 0
  const moved = rescheduled.size > 0 ? await refreshTipsOfEvents(transaction, inOrder(rescheduled)) : 0
  return settled + moved
}

async function reportSettledMarkets(
  transaction: Database,
  markets: Rows['settledMarkets'],
  now: number,
): Promise<void> {
  const changed = [...markets].filter(([, { settled, corrected }]) => settled + corrected > 0)
  const events = changed.map(([id, counts]) => newEvent(marketKinds, 'market.settled', { id, data: counts, now }))
  if (events.length > 0) await transaction.run(logEvents, { rows: eventList.of(events) })
}
