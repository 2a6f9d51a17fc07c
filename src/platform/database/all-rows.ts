import type { MaybePromise } from '../runtime/maybe-promise.ts'
import { slices } from '../runtime/slices.ts'

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
  const pause = slices()
  for (let after = start; ; ) {
    const rows = await read(after, BATCH)
    yield* rows
    // SQLite answers at once: without a pause a long list would be one turn of the event loop.
    await pause()
    const last = rows.at(-1)
    if (last === undefined || rows.length < BATCH) return
    after = positionOf(last)
  }
}
