// Reads on replicas. A request that only reads is served by a replica that shows what its caller has written. Writes,
// credentials, the operator listener and all background work use the primary.
//
// A caller who has written reads the primary until a replica has replayed the write. What an operator changes must be
// seen by everybody at once, so the operator's answer waits a moment for the replicas; a replica that is late is not
// used until it has caught up. Sending all readers to the primary meanwhile would be simpler, but a busy feed would keep
// them there for ever; and waiting also works for other machines, which do not know of the write. Other processes on
// this machine are notified (OtherProcesses).

import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Metrics } from '../../observability/metrics.ts'
import { startPeriodicTask } from '../../runtime/periodic-task.ts'
import type { Database, StatementObserver } from '../database.ts'
import { callerDatabase } from './caller-database.ts'
import { primaryPositions } from './position-probe.ts'
import { type OtherProcesses, type RecentWrites, recentWrites, type Writer } from './recent-writes.ts'
import { openReplica, type Replica } from './replica.ts'

/** How often positions are queried; together with the timeout, a lost server is left out within a second. */
const QUERY_EVERY_MS = 100
/** The same while an operator's answer waits for it. */
const QUERY_SOON_MS = 5
/** How long an operator's answer waits for replicas at most. */
const MAX_WAIT_MS = 500

export type ReplicasSettings = {
  primary: Database
  primaryUrl: string
  urls: readonly string[]
  maxLagMs: number
  /** null: no other process serves the same customers. */
  others: OtherProcesses | null
  log: Logger
  metrics: Metrics
  observe: StatementObserver
}

/** `problem`: why it is not used. `behindMs`: its known lag. */
export type ReplicaState = {
  readonly name: string
  readonly problem: string | null
  readonly behindMs: number
}

export type Replicas = {
  /** The handle for one request of this caller; `onlyReads`: its reads may go to a replica. */
  databaseOf(who: Writer, onlyReads: boolean): Database
  /** Resolves when everybody sees all that was committed before the call. */
  shownToAll(): Promise<void>
  /** Includes the writes that other processes report. */
  readonly writes: RecentWrites
  /** Descriptions of the replicas that are not in use. */
  leftOut(): string[]
  states(): ReplicaState[]
  close(): Promise<void>
}

export async function openReplicas(settings: ReplicasSettings): Promise<Replicas> {
  const { primary, primaryUrl, urls, maxLagMs, metrics } = settings
  const positions = primaryPositions(primaryUrl, maxLagMs)
  const replicas = urls.map((url, index) => openReplica(url, `${index + 1}`, { ...settings, positions }))
  const writes = recentWrites(maxLagMs, settings.others)
  let turn = 0

  await positions.query()
  await Promise.all(replicas.map((replica) => replica.check()))
  const queries = [positions.query, ...replicas.map((replica) => () => replica.check())].map((query) =>
    startPeriodicTask(query, { everyMs: QUERY_EVERY_MS, onFailure: () => {} }),
  )

  /** A customer stays on the same replica while possible, so that what they have seen does not disappear again. */
  function replicaFor(who: Writer): Replica | null {
    const first = typeof who === 'number' ? who : turn++
    const since = Math.max(writes.mustSee(who), performance.now() - maxLagMs)
    for (let step = 0; step < replicas.length; step++) {
      const replica = replicas[(first + step) % replicas.length] as Replica
      if (replica.freshness() > since) return replica
    }
    return null
  }

  async function shownToAll(): Promise<void> {
    const since = performance.now()
    // A replica that still lacks an earlier write is not in use: a feed does not wait for it with every call.
    const inUse = replicas.filter((replica) => replica.freshness() > writes.forAll())
    const late = () => inUse.some((replica) => replica.problem() === null && replica.freshness() <= since)
    const tooLate = pause(MAX_WAIT_MS, undefined, { ref: false })
    await Promise.race([untilShown(late, since + MAX_WAIT_MS), tooLate])
    writes.noteForAll(since)
  }

  async function untilShown(late: () => boolean, until: number): Promise<void> {
    while (late() && performance.now() < until) {
      await positions.query()
      await Promise.all(replicas.map((replica) => replica.check()))
      if (late()) await pause(QUERY_SOON_MS)
    }
  }

  return {
    databaseOf: (who, onlyReads) => callerDatabase({ primary, replicaFor, writes, metrics }, who, onlyReads),
    shownToAll,
    writes,
    leftOut: () =>
      replicas.flatMap((one) => (one.problem() === null ? [] : [`replica ${one.number}: ${one.problem()}`])),
    states: () => replicas.map((one) => ({ name: one.name, problem: one.problem(), behindMs: one.behindMs() })),
    async close() {
      const closing = [...queries, positions, ...replicas]
      await Promise.all(closing.map((one) => one.close()))
    },
  }
}
