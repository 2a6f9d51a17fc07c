// Lists are read page by page. A *cursor* is the position after the last row of a page: the values that the list is
// ordered by, opaque to callers.

import { integer, stringOf, withDefault } from '../../http/representation/json-schema.ts'
import { type FilteredPage, filteredPage, type Position } from '../../platform/database/filtered-list.ts'
import { isoTimeOrNull } from '../../platform/runtime/iso-time.ts'
import type { Page } from './fields.ts'
import { notValid } from './problem.ts'

const MAX_ITEMS = 100

/** The query parameters of a list. */
export const paging = {
  cursor: stringOf({ maxLength: 200 }, undefined, 'The cursor of the page before. Without it: the first page.'),
  limit: withDefault(integer(1, MAX_ITEMS, 20, 'How many items a page has.'), 50),
}

export type Paging = { cursor?: string; limit: number }

/** `rows` are read with a limit of one more than the page has, which shows whether there is a next page. */
export function pageOf<Row>(
  rows: Row[],
  limit: number,
  position: (row: Row) => number[],
): { rows: readonly Row[]; cursor: string | null } {
  const page = filteredPage(rows, limit, undefined, position)
  return { rows: page.rows, cursor: page.next && toCursor(page.next) }
}

export function searchedPageOf<Row, Item>(
  { rows, next, searchedUntil }: FilteredPage<Row>,
  toItem: (row: Row) => Item,
): { items: Item[]; cursor: string | null; searchedUntil: string | null } {
  const items = rows.map((row) => toItem(row))
  return { items, cursor: next && toCursor(next), searchedUntil: isoTimeOrNull(searchedUntil) }
}

/** For lists that stay short, because operators create their items one by one. */
export function singlePage<Item>(items: Item[]): Page<Item> {
  return { items, cursor: null }
}

/** Returns as many numbers as `start`, the position of the first page, has. */
export function positionOf(cursor: string | undefined, start: readonly number[]): number[] {
  if (cursor === undefined) return [...start]
  const position = Buffer.from(cursor, 'base64url').toString('latin1').split(',').map(Number)
  const isWellFormed = position.length === start.length && position.every(Number.isSafeInteger)
  if (!isWellFormed || toCursor(position) !== cursor) {
    throw notValid([{ pointer: 'query/cursor', detail: 'must be a cursor that this list answered, unchanged' }])
  }
  return position
}

export function toCursor(position: Position): string {
  return Buffer.from(position.join(',')).toString('base64url')
}
