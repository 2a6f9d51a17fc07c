import type { MaybePromise } from '../runtime/maybe-promise.ts'

const BATCH = 1_000

/**
 * The rows of a long list, read in batches while they are used, so that it takes time, not memory. `read` returns at most `limit`
 * rows after a position, in order.
 */
export async function* allRows<Row, Position>(
  start: Position,
  positionOf: (row: Row) => Position,
  read: (after: Position, limit: number) => MaybePromise<readonly Row[]>,
): AsyncGenerator<Row> {
  for (let after = start; ; ) {
    const rows = await read(after, BATCH)
    yield* rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < BATCH) return
    after = positionOf(last)
  }
}
