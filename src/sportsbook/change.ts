import { type Database, UniqueViolation } from '../platform/database/database.ts'
import { Refused } from '../platform/runtime/refused.ts'
import { lockRows, noIds, type RowIds, type Rows, writeRows } from './rows.ts'

/** One change of the sportsbook's data. Nothing is applied before `applyChanges` runs it. */
export type Change<Result = unknown> = {
  /** Adds the ids of all rows that the change reads or writes. */
  readonly addIds: (ids: RowIds) => void
  /** Checks everything before it changes a row, so that a refused change leaves no trace. */
  readonly apply: (rows: Rows, now: number) => Result
}

export type Applied<Result> = {
  /** The result of each change, in order. */
  results: (Result | Refused)[]
  /** How many outcomes have tips to be updated. */
  outcomesWithTips: number
}

/**
 * Applies changes in order, each on what those before it left, with a few statements for all of them. Their time is that at which
 * all rows are locked: a tip on an outcome that is settled meanwhile is created before that time, or refused.
 */
export async function applyChanges<Result>(
  transaction: Database,
  changes: readonly Change<Result>[],
  clock: () => number,
): Promise<Applied<Result>> {
  const ids = noIds()
  for (const { addIds } of changes) addIds(ids)
  const rows = await lockRows(transaction, ids)
  const now = clock()
  const results = changes.map((change) => resultOf(change, rows, now))
  return { results, outcomesWithTips: await writeRows(transaction, rows, now) }
}

function resultOf<Result>({ apply }: Change<Result>, rows: Rows, now: number): Result | Refused {
  try {
    return apply(rows, now)
  } catch (error) {
    if (error instanceof Refused) return error
    throw error
  }
}

/** Throws when the change is refused. */
export async function applyChange<Result>(
  transaction: Database,
  change: Change<Result>,
  clock: () => number,
): Promise<Result> {
  const { results } = await applyChanges(transaction, [change], clock)
  const [result] = results
  if (result instanceof Refused) throw result
  return result as Result
}

const TRIES = 6

/** Repeats a transaction in which another writer created one of the rows meanwhile: now it is found. */
export async function repeatUntilFound<T>(transaction: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transaction()
    } catch (error) {
      if (!(error instanceof UniqueViolation) || attempt === TRIES) throw error
    }
  }
}
