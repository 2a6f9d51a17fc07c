// Which index a list of deposits is read along, and its pages.

import { setImmediate as yieldToRequests } from 'node:timers/promises'
import type { Database } from '../../platform/database/database.ts'
import {
  type FilteredPage,
  filteredPage,
  type PageRequest,
  type Position,
} from '../../platform/database/filtered-list.ts'
import * as sql from './list-store.ts'

/** Filters that are absent or undefined let every deposit pass. */
export type DepositFilters = {
  readonly [Name in keyof sql.FilterParameters]?: NonNullable<sql.FilterParameters[Name]> | undefined
}

export const NEWEST: Position = [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]
const EMPTY: FilteredPage<never> = { rows: [], next: null, searchedUntil: null }
const MAX_AMOUNT = 2n ** 62n

/** Deposits leave these states within seconds or minutes, or wait for an operator: they are few. */
const SHORT_STATES = ['AUTHORISING', 'CHALLENGE', 'AUTHORISED', 'VOIDING', 'REVIEW']

/** Newest first. */
export async function readDeposits(
  database: Database,
  given: DepositFilters,
  page: PageRequest,
): Promise<FilteredPage<sql.ListedDepositRow>> {
  const filters = await withOwnerOfMethod(database, given)
  if (filters === null) return EMPTY
  if (filters.customerId !== undefined) return readShortList(database, sql.depositsOfCustomerFiltered, filters, page)
  const { lastFour } = filters
  const cards = lastFour === undefined ? undefined : await database.one(sql.cardsWithDigits, { lastFour })
  if (cards !== undefined && cards.cards <= sql.MAX_CARDS)
    return readShortList(database, sql.depositsOfCards, filters, page)
  return readLongList(database, filters, page)
}

async function readShortList(
  database: Database,
  statement: typeof sql.depositsOfCards,
  filters: DepositFilters,
  { after, limit }: PageRequest,
): Promise<FilteredPage<sql.ListedDepositRow>> {
  const parameters = { ...parametersOf(filters), before: numberOf(after), limit: limit + 1 }
  return filteredPage(await database.query(statement, parameters), limit, undefined, positionOf)
}

async function readLongList(
  database: Database,
  filters: DepositFilters,
  { after, limit }: PageRequest,
): Promise<FilteredPage<sql.ListedDepositRow>> {
  const { list, covers, start } = listFor(filters, after)
  const isWhole = Object.entries(filters).every(([name, value]) => value === undefined || covers.includes(name))
  const page = { ...start, limit: limit + 1 }
  if (isWhole) return filteredPage(await database.query(list.whole, page), limit, undefined, positionOf)
  const end = await database.one(list.windowEnd, start)
  return filteredPage(
    await database.query(list.filtered, { ...parametersOf(filters), ...page }),
    limit,
    end,
    positionOf,
  )
}

type Key = string | number
type Choice = {
  list: sql.DepositList
  /** The filters that the list applies itself. */
  covers: readonly string[]
  /** Where the page starts, and the last key of the list. */
  start: { key: Key; before: number; lowest: Key }
}

/** The list with the fewest rows beside those that are wanted. */
function listFor({ review, state, from, until, fault }: DepositFilters, after: Position): Choice {
  const ofKey = (list: sql.DepositList, name: string, key: string): Choice => {
    return { list, covers: [name], start: { key, before: numberOf(after), lowest: key } }
  }
  if (review !== undefined) return ofKey(sql.depositLists.byReview, 'review', review)
  if (state !== undefined && SHORT_STATES.includes(state)) return ofKey(sql.depositLists.byState, 'state', state)
  if (from !== undefined || until !== undefined) return ofPeriod(from ?? 0, until ?? Number.MAX_SAFE_INTEGER, after)
  if (fault !== undefined) return ofKey(sql.depositLists.byFault, 'fault', fault)
  if (state !== undefined) return ofKey(sql.depositLists.byState, 'state', state)
  return ofKey(sql.depositLists.all, '', '')
}

/** The end of the period does not belong to it. */
function ofPeriod(from: number, until: number, [at = 0, before = 0]: Position): Choice {
  const [key, number] = at < until ? [at, before] : [until, 0]
  return { list: sql.depositLists.byTime, covers: ['from', 'until'], start: { key, before: number, lowest: from } }
}

const positionOf = ({ created_at, number }: sql.PositionRow): Position => [created_at, number]
const numberOf = ([, number = 0]: Position): number => number

/** A card belongs to one customer, whose deposits have an index. null: there is no such card, or it is another's. */
async function withOwnerOfMethod(database: Database, filters: DepositFilters): Promise<DepositFilters | null> {
  const { methodId, customerId } = filters
  if (methodId === undefined || customerId !== undefined) return filters
  const owner = await database.one(sql.ownerOfMethod, { id: methodId })
  return owner === undefined ? null : { ...filters, customerId: owner.customer_id }
}

function parametersOf(filters: DepositFilters): sql.FilterParameters {
  return {
    customerId: filters.customerId ?? null,
    methodId: filters.methodId ?? null,
    lastFour: filters.lastFour ?? null,
    state: filters.state ?? null,
    fault: filters.fault ?? null,
    review: filters.review ?? null,
    currency: filters.currency ?? null,
    minAmount: filters.minAmount ?? 0n,
    maxAmount: filters.maxAmount ?? MAX_AMOUNT,
    from: filters.from ?? 0,
    until: filters.until ?? Number.MAX_SAFE_INTEGER,
  }
}

/** Yields the rows of all pages, each a whole window; other requests are served between the pages. */
export async function* allDeposits(database: Database, filters: DepositFilters): AsyncGenerator<sql.ListedDepositRow> {
  for (let after: Position | null = NEWEST; after !== null; ) {
    const page: FilteredPage<sql.ListedDepositRow> = await readDeposits(database, filters, { after, limit: sql.WINDOW })
    yield* page.rows
    after = page.next
    await yieldToRequests()
  }
}
