// Lists are read page by page. A *cursor* is the place after the last row of a page: the values that the list is ordered
// by. It is opaque to callers.

import type { JsonSchema } from './operation.ts'
import { notValid } from './problem.ts'

export const MOST_ITEMS = 100

export const paging: Record<'cursor' | 'limit', JsonSchema> = {
  cursor: { type: 'string', maxLength: 100, description: 'the cursor of the page before; absent: the first page' },
  limit: { type: 'integer', minimum: 1, maximum: MOST_ITEMS, default: 50 },
}

export type Paging = { cursor?: string; limit: number }

export type Page<Item> = { items: Item[]; cursor: string | null }

/** `rows` are read with a limit of one more than the page has, which tells whether there is a next one. */
export function pageOf<Row>(
  rows: Row[],
  limit: number,
  place: (row: Row) => number[],
): { rows: Row[]; cursor: string | null } {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return { rows: shown, cursor: rows.length > limit && last !== undefined ? toCursor(place(last)) : null }
}

/** A list that operators make by hand, one by one, is one page. */
export function wholeList<Item>(items: Item[]): Page<Item> {
  return { items, cursor: null }
}

/** The place that a cursor stands for: as many numbers as `start`, which is where the first page begins. */
export function placeOf(cursor: string | undefined, start: readonly number[]): number[] {
  if (cursor === undefined) return [...start]
  const place = Buffer.from(cursor, 'base64url').toString('latin1').split(',').map(Number)
  if (place.length !== start.length || !place.every(Number.isSafeInteger) || toCursor(place) !== cursor) {
    throw notValid([{ pointer: 'query/cursor', detail: 'must be a cursor that this list answered, unchanged' }])
  }
  return place
}

function toCursor(place: number[]): string {
  return Buffer.from(place.join(',')).toString('base64url')
}
