// Backfills the index for rows older than migration 0099, in batches. Rows without words are still to be done, so that
// a killed process resumes where it stopped. New rows get their words when they are written. PostgreSQL's index has
// them at once; SQLite's takes new tips in batches here, and stores its position.

import type { Logger } from 'pino'
import type { Database } from '../platform/database/database.ts'
import { inBatches } from '../platform/runtime/batches.ts'
import type { PeriodicTask, StartTask } from '../platform/runtime/periodic-task.ts'
import { storedWords } from '../platform/runtime/search-words.ts'
import { indexNextTips, tipsToIndex } from './fts-store.ts'
import * as sql from './indexer-store.ts'

/** Until SQLite's index has them, searches compare the newest 2,000 tips one by one: far more than are written meanwhile. */
const EVERY_MS: Record<Database['engine'], number> = { sqlite: 500, postgres: 10_000 }

/** Small, because in the embedded engine every other writer waits for a batch, some 10 ms. */
const BATCH: Record<Database['engine'], number> = { sqlite: 200, postgres: 500 }

/** How much longer than a batch the pause after it is, so that requests lose little. */
const PAUSES: Record<Database['engine'], number> = { sqlite: 4, postgres: 1 }

const LOG_EVERY = 50_000

export function startIndexer(database: Database, log: Logger, startTask: StartTask): PeriodicTask {
  return startTask((closing) => indexOld(database, log, closing), {
    everyMs: EVERY_MS[database.engine],
    onFailure: (error) => log.warn({ err: error }, 'indexing for search failed; it will be retried'),
  })
}

/** Until nothing is left. `closing`: it runs in the background, and makes pauses. */
export async function indexOld(database: Database, log: Logger, closing?: AbortSignal): Promise<void> {
  const run = (batch: () => Promise<boolean>) => inBatches(batch, PAUSES[database.engine], closing)
  const missing = await database.one(sql.missingWords, {})
  if (missing?.profiles) await indexAll(profileBatch, 'profiles')
  if (missing?.comments) await indexAll(commentBatch, 'tips')
  if (database.engine === 'sqlite') await run(addToIndex)

  async function addToIndex(): Promise<boolean> {
    if (((await database.one(tipsToIndex, {}))?.left ?? 0) <= 0) return false
    await database.run(indexNextTips, {})
    return true
  }

  function indexAll(batch: IndexBatch, what: string): Promise<void> {
    let indexed = 0
    let after = 0
    return run(async () => {
      const { count, last } = await database.transaction((transaction) => batch(transaction, after))
      const isRound = Math.floor((indexed + count) / LOG_EVERY) > Math.floor(indexed / LOG_EVERY)
      indexed += count
      if (isRound || (last === null && indexed > 0)) {
        log.info(
          { [what]: indexed, upTo: after },
          last === null ? `${what} indexed for search` : `indexing ${what} for search`,
        )
      }
      after = last ?? after
      return last !== null
    })
  }
}

/** `last`: the last id of the batch; null: there are no more. */
type Indexed = { count: number; last: number | null }
type IndexBatch = (transaction: Database, after: number) => Promise<Indexed>

async function commentBatch(transaction: Database, after: number): Promise<Indexed> {
  const limit = BATCH[transaction.engine]
  const rows = await transaction.query(sql.lockCommentsWithoutWords, { after, limit })
  if (rows.length === 0) return { count: 0, last: null }
  const made = rows.map(({ id, text }) => ({ id, words: storedWords(text) }))
  await transaction.run(sql.setCommentWords, { rows: sql.commentWordList.of(made) }, 'last')
  return indexedOf(rows, limit)
}

async function profileBatch(transaction: Database, after: number): Promise<Indexed> {
  const limit = BATCH[transaction.engine]
  const rows = await transaction.query(sql.lockProfilesWithoutWords, { after, limit })
  if (rows.length === 0) return { count: 0, last: null }
  const made = rows.map(({ id, name, biography }) => ({
    id,
    name_words: storedWords(name ?? ''),
    biography_words: storedWords(biography),
  }))
  await transaction.run(sql.setProfileWords, { rows: sql.profileWordList.of(made) }, 'last')
  return indexedOf(rows, limit)
}

function indexedOf(rows: readonly { id: number }[], limit: number): Indexed {
  return { count: rows.length, last: rows.length < limit ? null : (rows.at(-1)?.id ?? null) }
}
