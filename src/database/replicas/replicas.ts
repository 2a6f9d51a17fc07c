// Reads on replicas. A request that only reads is served by a replica that shows what its caller has written; whatever
// writes is served by the primary alone, and so are credentials, the operator's listener and all background work.
//
// Who has written goes back to replicas when one has replayed the write. What an operator does counts for everybody at
// once, so the operator's answer waits a moment for the replicas, and those that are late are left out until they have
// it. Keeping all readers away meanwhile would be simpler, but a busy feed would then keep them away for ever; and
// waiting also holds for other machines, which know nothing of the write. Other processes on this one are told (Others).

import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Metrics } from '../../observability/metrics.ts'
import type { Database, StatementObserver } from '../database.ts'
import { callerDatabase } from './caller-database.ts'
import { primaryPositions } from './position-probe.ts'
import { type Others, type RecentWrites, recentWrites, type Who } from './recent-writes.ts'
import { openReplica, type Replica } from './replica.ts'

/** How often servers are asked where they stand; with their time to answer, a lost one is left out within a second. */
const ASKED_EVERY_MS = 100
/** The same while an operator's answer waits for it. */
const ASKED_SOON_MS = 5
/** The longest that an operator's answer waits for replicas. */
const WAITS_AT_MOST_MS = 500

export type ReplicasSettings = {
  primary: Database
  primaryUrl: string
  urls: readonly string[]
  maxLagMs: number
  /** null: none that could write for the same customers. */
  others: Others | null
  log: Logger
  metrics: Metrics
  observe: StatementObserver
}

export type Replicas = {
  /** The database as this caller may see it, for one request; `onlyReads`: its reads may go to a replica. */
  databaseOf(who: Who, onlyReads: boolean): Database
  /** When it returns, everybody sees all that was committed before it was called. */
  shownToAll(): Promise<void>
  /** Who has written lately; hears what other processes tell. */
  readonly writes: RecentWrites
  /** In words, those that are not read now. */
  leftOut(): string[]
  close(): Promise<void>
}

export async function openReplicas(settings: ReplicasSettings): Promise<Replicas> {
  const { primary, primaryUrl, urls, maxLagMs, metrics } = settings
  const positions = primaryPositions(primaryUrl, maxLagMs)
  const replicas = urls.map((url, index) => openReplica(url, `${index + 1}`, { ...settings, positions }))
  const writes = recentWrites(maxLagMs, settings.others)
  let turn = 0

  await positions.ask()
  await Promise.all(replicas.map((replica) => replica.check()))
  const loops = [positions.ask, ...replicas.map((replica) => replica.check)].map((ask) => again(ask, ASKED_EVERY_MS))

  /** The same customer goes to the same replica while it can, so that what they have seen does not vanish again. */
  function replicaFor(who: Who): Replica | null {
    const first = typeof who === 'number' ? who : turn++
    const since = Math.max(writes.mustSee(who), performance.now() - maxLagMs)
    for (let step = 0; step < replicas.length; step++) {
      const replica = replicas[(first + step) % replicas.length] as Replica
      if (replica.upTo() > since) return replica
    }
    return null
  }

  async function shownToAll(): Promise<void> {
    const since = performance.now()
    // One that still owes an earlier write is read by nobody: a feed does not wait for it with every call.
    const inUse = replicas.filter((replica) => replica.upTo() > writes.forAll())
    const late = () => inUse.some((replica) => replica.trouble() === null && replica.upTo() <= since)
    const tooLate = pause(WAITS_AT_MOST_MS, undefined, { ref: false })
    await Promise.race([untilShown(late, since + WAITS_AT_MOST_MS), tooLate])
    writes.noteForAll(since)
  }

  async function untilShown(late: () => boolean, until: number): Promise<void> {
    while (late() && performance.now() < until) {
      await positions.ask()
      await Promise.all(replicas.map((replica) => replica.check()))
      if (late()) await pause(ASKED_SOON_MS)
    }
  }

  return {
    databaseOf: (who, onlyReads) => callerDatabase({ primary, replicaFor, writes, metrics }, who, onlyReads),
    shownToAll,
    writes,
    leftOut: () =>
      replicas.flatMap((one) => (one.trouble() === null ? [] : [`replica ${one.number}: ${one.trouble()}`])),
    async close() {
      for (const loop of loops) loop.stop()
      await Promise.all([positions.close(), ...replicas.map((replica) => replica.close())])
    },
  }
}

/** Waits between the end of one and the beginning of the next. */
function again(work: () => Promise<void>, everyMs: number): { stop(): void } {
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  const next = (): void => {
    if (!stopped) timer = setTimeout(() => void work().finally(next), everyMs).unref()
  }
  next()
  return {
    stop() {
      stopped = true
      clearTimeout(timer)
    },
  }
}
