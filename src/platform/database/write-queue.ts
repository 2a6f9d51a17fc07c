// Writes of one kind that wait at the same time share their statements and their commit. While one batch runs, the next gathers:
// a single write waits for nobody, and thousands of likes of one tip wait for some commits instead of thousands. The statements of a
// batch are parts of the first traced request in it: the others only waited for them.
//
// Where few write at the same time, a batch waits a moment for those whom the last one has answered: otherwise they take turns in two
// halves, and a tip in a batch of four costs PostgreSQL 1.4 times what it does in one of eight. SQLite, which writes one by one, gains
// nothing from it.

import { activeSpan, runInSpan, type Span } from '../tracing/span.ts'
import { type BatchedWrite, type Database, DatabaseUnavailable } from './database.ts'

/** More would hold the locks of many rows for long, and gain little (bench/README.md). */
const MAX_BATCH = 64

/** A batch of so many waits for nobody. */
const ENOUGH = 16

/** A smaller one waits for at most this part of the time that the last one took, and never longer than MAX_GATHER_MS. */
const GATHER_PART = 1 / 3
const MAX_GATHER_MS = 10

/** A batch that takes longer waits for somebody, or for a connection that fell silent. The next one no longer waits for it. */
const SLOW_MS = 200

/** Limits all kinds together, so that with one more of each of the five kinds the pool of 10 connections has some left. */
const MAX_SLOW_BATCHES = 3

type Waiting<Item, Result> = {
  readonly item: Item
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
  readonly span: Span | undefined
}

/** A queue for each kind of write. */
export function writeQueues(database: Database) {
  const queues = new Map<unknown, (item: never) => Promise<never>>()
  const slow = { batches: 0 }
  const gathers = database.engine === 'postgres'
  return {
    add<Item, Result>(write: BatchedWrite<Item, Result>, item: Item): Promise<Result> {
      let add = queues.get(write) as ((item: Item) => Promise<Result>) | undefined
      if (add === undefined) {
        add = writeQueue((items) => write(database, items), { slow, gathers })
        queues.set(write, add as never)
      }
      return add(item)
    },
  }
}

/**
 * One batch at a time: a second one would share less, and wait for the first wherever many write to the same row. `slow` counts the slow ones
 * of all queues.
 */
function writeQueue<Item, Result>(
  write: (items: readonly Item[]) => Promise<readonly Result[]>,
  { slow, gathers }: { slow: { batches: number }; gathers: boolean },
) {
  let waiting: Waiting<Item, Result>[] = []
  let isBusy = false
  /** How many were written or waited at the end of the last batch: so many may come together again. */
  let writers = 0
  let lastTook = 0
  let gathering: NodeJS.Timeout | undefined

  function startSoon(): void {
    if (isBusy || waiting.length === 0) return
    if (!gathers || waiting.length >= Math.min(writers, ENOUGH)) start()
    else gathering ??= setTimeout(start, Math.min(lastTook * GATHER_PART, MAX_GATHER_MS))
  }

  /** When all requests that have arrived in this turn of the event loop are in the queue. */
  function start(): void {
    clearTimeout(gathering)
    gathering = undefined
    isBusy = true
    setImmediate(run)
  }

  async function run(): Promise<void> {
    const batch = waiting.slice(0, MAX_BATCH)
    waiting = waiting.slice(MAX_BATCH)
    let isSlow = false
    const startedAt = performance.now()
    const timer = setTimeout(() => {
      if (slow.batches === MAX_SLOW_BATCHES) return
      isSlow = true
      slow.batches++
      writers = 0
      isBusy = false
      startSoon()
    }, SLOW_MS)
    // Also where none is traced: this code was started by a request of an earlier batch.
    await runInSpan(batch.find(({ span }) => span !== undefined)?.span, () => writeBatch(write, batch))
    clearTimeout(timer)
    if (!isSlow) {
      writers = batch.length + waiting.length
      lastTook = performance.now() - startedAt
    }
    if (isSlow) slow.batches--
    else isBusy = false
    startSoon()
  }

  return (item: Item): Promise<Result> =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject, span: activeSpan() })
      startSoon()
    })
}

/** Never rejects. A failure that is not the database's own is that of one item: each is written alone, so that only that one fails. */
async function writeBatch<Item, Result>(
  write: (items: readonly Item[]) => Promise<readonly Result[]>,
  batch: readonly Waiting<Item, Result>[],
): Promise<void> {
  try {
    const results = await write(batch.map(({ item }) => item))
    for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result)
  } catch (error) {
    if (batch.length > 1 && !(error instanceof DatabaseUnavailable))
      for (const one of batch) await writeBatch(write, [one])
    else for (const { reject } of batch) reject(error)
  }
}

export async function writeAlone<Item, Result>(
  database: Database,
  write: BatchedWrite<Item, Result>,
  item: Item,
): Promise<Result> {
  const [result] = await write(database, [item])
  return result as Result
}
