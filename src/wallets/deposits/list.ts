// Which index a list of deposits is read along, and its pages. A page ends when it is full or when its window was looked
// through, so that a filter that hardly any deposit passes costs a bounded time for each page.

import { setImmediate as yieldToRequests } from 'node:timers/promises'
import type { Database } from '../../platform/database/database.ts'
import {
  cardsWithDigits,
  type DepositList,
  depositLists,
  depositsOfCards,
  depositsOfCustomerFiltered,
  type FilterParameters,
  type ListedDepositRow,
  MAX_CARDS,
  ownerOfMethod,
  type PositionRow,
  WINDOW,
} from './list-store.ts'

/** Filters that are absent or undefined let every deposit pass. */
export type DepositFilters = {
  readonly [Name in keyof FilterParameters]?: NonNullable<FilterParameters[Name]> | undefined
}

/** The position of a deposit in a list: when it was made, and its number. */
export type DepositPosition = { readonly at: number; readonly number: number }

export type DepositPage = {
  readonly rows: readonly ListedDepositRow[]
  /** Where the next page starts; null: this is the last. */
  readonly next: DepositPosition | null
  /** Not null: the page may be short, because only deposits since then were looked at. */
  readonly searchedUntil: number | null
}

const EMPTY: DepositPage = { rows: [], next: null, searchedUntil: null }
export const NEWEST: DepositPosition = { at: Number.MAX_SAFE_INTEGER, number: Number.MAX_SAFE_INTEGER }
const MAX_AMOUNT = 2n ** 62n

/** Deposits leave these states within seconds or minutes, or wait for an operator: they are few. */
const SHORT_STATES = ['AUTHORISING', 'CHALLENGE', 'AUTHORISED', 'VOIDING', 'REVIEW']

/** Newest first. */
export async function readDeposits(database: Database, given: DepositFilters, page: PageRequest): Promise<DepositPage> {
  const filters = await withOwnerOfMethod(database, given)
  if (filters === null) return EMPTY
  if (filters.customerId !== undefined) return readShortList(database, depositsOfCustomerFiltered, filters, page)
  const { lastFour } = filters
  const cards = lastFour === undefined ? undefined : await database.one(cardsWithDigits, { lastFour })
  if (cards !== undefined && cards.cards <= MAX_CARDS) return readShortList(database, depositsOfCards, filters, page)
  return readLongList(database, filters, page)
}

type PageRequest = { readonly before: DepositPosition; readonly limit: number }

async function readShortList(
  database: Database,
  statement: typeof depositsOfCards,
  filters: DepositFilters,
  { before, limit }: PageRequest,
): Promise<DepositPage> {
  const parameters = { ...parametersOf(filters), before: before.number, limit: limit + 1 }
  return pageOf(await database.query(statement, parameters), limit, undefined)
}

async function readLongList(
  database: Database,
  filters: DepositFilters,
  { before, limit }: PageRequest,
): Promise<DepositPage> {
  const { list, covers, start } = listFor(filters, before)
  const isWhole = Object.entries(filters).every(([name, value]) => value === undefined || covers.includes(name))
  if (isWhole) return pageOf(await database.query(list.whole, { ...start, limit: limit + 1 }), limit, undefined)
  const end = await database.one(list.windowEnd, start)
  const parameters = { ...parametersOf(filters), ...start, limit: limit + 1 }
  return pageOf(await database.query(list.filtered, parameters), limit, end)
}

type Key = string | number
type Choice = {
  list: DepositList
  /** The filters that the list applies itself. */
  covers: readonly string[]
  /** Where the page starts, and the last key of the list. */
  start: { key: Key; before: number; lowest: Key }
}

/** The list with the fewest rows beside those that are wanted. */
function listFor({ review, state, from, until, fault }: DepositFilters, before: DepositPosition): Choice {
  const ofKey = (list: DepositList, name: string, key: string): Choice => {
    return { list, covers: [name], start: { key, before: before.number, lowest: key } }
  }
  if (review !== undefined) return ofKey(depositLists.byReview, 'review', review)
  if (state !== undefined && SHORT_STATES.includes(state)) return ofKey(depositLists.byState, 'state', state)
  if (from !== undefined || until !== undefined) return ofPeriod(from ?? 0, until ?? NEWEST.at, before)
  if (fault !== undefined) return ofKey(depositLists.byFault, 'fault', fault)
  if (state !== undefined) return ofKey(depositLists.byState, 'state', state)
  return ofKey(depositLists.all, '', '')
}

/** The end of the period does not belong to it. */
function ofPeriod(from: number, until: number, before: DepositPosition): Choice {
  const [key, number] = before.at < until ? [before.at, before.number] : [until, 0]
  return { list: depositLists.byTime, covers: ['from', 'until'], start: { key, before: number, lowest: from } }
}

/** `rows` have one more than the page where there is a next one. `end`: the last row of the window. */
function pageOf(rows: ListedDepositRow[], limit: number, end: PositionRow | undefined): DepositPage {
  if (rows.length > limit) return { rows: rows.slice(0, limit), next: positionOf(rows[limit - 1]), searchedUntil: null }
  return { rows, next: positionOf(end), searchedUntil: end?.created_at ?? null }
}

function positionOf(row: PositionRow | undefined): DepositPosition | null {
  return row === undefined ? null : { at: row.created_at, number: row.number }
}

/** A card belongs to one customer, whose deposits have an index. null: there is no such card, or it is another's. */
async function withOwnerOfMethod(database: Database, filters: DepositFilters): Promise<DepositFilters | null> {
  const { methodId, customerId } = filters
  if (methodId === undefined || customerId !== undefined) return filters
  const owner = await database.one(ownerOfMethod, { id: methodId })
  return owner === undefined ? null : { ...filters, customerId: owner.customer_id }
}

function parametersOf(filters: DepositFilters): FilterParameters {
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

/** All pages, each a whole window, one row after the other; other requests are served between the pages. */
export async function* allDeposits(database: Database, filters: DepositFilters): AsyncGenerator<ListedDepositRow> {
  for (let before: DepositPosition | null = NEWEST; before !== null; ) {
    const page: DepositPage = await readDeposits(database, filters, { before, limit: WINDOW })
    yield* page.rows
    before = page.next
    await yieldToRequests()
  }
}
