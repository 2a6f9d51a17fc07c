// Lists with filters. Each is read along one index, newest first. A page ends when it is full, or when a *window* of bounded length was
// looked through, so that a filter that hardly any row passes costs a bounded time for each page.

/** Where a row is in its list: the values that the list is ordered by, its time first. */
export type Position = readonly number[]

/** `after`: the position of the last row of the page before. */
export type PageRequest = { readonly after: Position; readonly limit: number }

export type FilteredPage<Row> = {
  readonly rows: readonly Row[]
  /** The position of the last row that was looked at; null: this page is the last. */
  readonly next: Position | null
  /** Not null: the page may be short, because only rows until this time were looked at. */
  readonly searchedUntil: number | null
}

/** `rows` that pass, one more than the page has where there are more. `end`: the last row of the window; undefined: the list ends in it. */
export function filteredPage<Row extends Place, Place>(
  rows: readonly Row[],
  limit: number,
  end: Place | undefined,
  positionOf: (place: Place) => Position,
): FilteredPage<Row> {
  const last = rows[limit - 1]
  if (rows.length > limit && last !== undefined)
    return { rows: rows.slice(0, limit), next: positionOf(last), searchedUntil: null }
  const next = end === undefined ? null : positionOf(end)
  return { rows, next, searchedUntil: next?.[0] ?? null }
}
