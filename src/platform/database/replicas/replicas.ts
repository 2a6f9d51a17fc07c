// Reads on replicas. A request that only reads is served by a replica that shows what its caller has written. Writes,
// credentials, the operator listener and all background work use the primary.
//
// A caller who has written reads the primary until a replica has replayed the write. What an operator changes must be
// seen by everybody at once, so the operator's answer waits a moment for the replicas; a replica that is late is not
// used until it has caught up. Sending all readers to the primary meanwhile would be simpler, but a busy feed would keep
// them there for ever; and waiting also works for other machines, which do not know of the write. Other processes on
// this machine are notified (OtherProcesses).
//
// While the primary is away, replicas answer with what was true a while ago, if the operator allows it (stale-reads.ts).

import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Metrics } from '../../observability/metrics.ts'
import { startPeriodicTask } from '../../runtime/periodic-task.ts'
import type { Database, StatementObserver } from '../database.ts'
import type { CommitPositions } from '../postgres/commit-positions.ts'
import type { PrimaryWatch } from '../postgres/primary-watch.ts'
import { type CallerRequest, callerDatabase } from './caller-database.ts'
import { type CredentialReads, primaryCredentials, staleCredentials } from './credential-reads.ts'
import { primaryPositions } from './position-probe.ts'
import type { RecentEnds } from './recent-ends.ts'
import { type Notice, type OtherProcesses, type RecentWrites, recentWrites, type Writer } from './recent-writes.ts'
import { openReplica, QUERIED_EVERY_MS, type Replica } from './replica.ts'
import { type StaleReads, staleReads } from './stale-reads.ts'
import { writePositions } from './write-positions.ts'

/** The same while an operator's answer waits for it. */
const QUERY_SOON_MS = 5
/** How long an operator's answer waits for replicas at most. */
const MAX_WAIT_MS = 500

/** For reads while the primary is away. */
export type StaleSettings = {
  readonly upToMs: number
  /** Leads to the servers of `primaryUrl` past pgBouncer; null: that one does. */
  readonly probeUrl: string | null
  readonly watch: PrimaryWatch
  readonly commits: CommitPositions
  readonly ends: RecentEnds
}

export type ReplicasSettings = {
  primary: Database
  primaryUrl: string
  urls: readonly string[]
  maxLagMs: number
  /** null: no other process serves the same customers. */
  others: OtherProcesses | null
  /** null: while the primary is away, all reads wait for it. */
  stale: StaleSettings | null
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
  databaseOf(request: CallerRequest): Database
  /**
   * Resolves when everybody sees all that was committed before the call. `isAnswered`: the change was made. false: the primary went away
   * before that was known, so that the change must not be answered with success, and binds nobody.
   */
  shownToAll(isAnswered: boolean): Promise<boolean>
  /** What another process of this machine reports. */
  receive(notice: Notice): void
  readonly credentials: CredentialReads
  /** null: while the primary is away, all reads wait for it. */
  readonly stale: StaleReads | null
  /** Includes the writes that other processes report. */
  readonly writes: RecentWrites
  /** Of the freshest replica: it shows everything committed before this time (performance.now()). */
  freshness(): number
  /** Descriptions of the replicas that are not in use. */
  leftOut(): string[]
  states(): ReplicaState[]
  close(): Promise<void>
}

export async function openReplicas(settings: ReplicasSettings): Promise<Replicas> {
  const { primary, primaryUrl, urls, maxLagMs, metrics, stale: given, others } = settings
  const watch = given?.watch ?? null
  const positions = primaryPositions({ url: given?.probeUrl ?? primaryUrl, retentionMs: maxLagMs, watch })
  const replicas = urls.map((url, index) => openReplica(url, `${index + 1}`, { ...settings, positions }))
  const writes = recentWrites({ retentionMs: Math.max(maxLagMs, given?.upToMs ?? 0), others, watch })
  const stale = given === null ? null : staleReads({ ...given, replicas, writes })
  const callers = {
    ...{ primary, replicaFor, writes, metrics, stale },
    positions: given === null ? null : writePositions({ ...given, identity: positions.identity }),
  }
  let turn = 0

  await positions.query()
  await Promise.all(replicas.map((replica) => replica.check()))
  const queries = [positions.query, ...replicas.map((replica) => () => replica.check())].map((query) =>
    startPeriodicTask(query, { everyMs: QUERIED_EVERY_MS, onFailure: () => {} }),
  )

  /** A customer stays on the same replica while possible, so that what they have seen does not disappear again. */
  function replicaFor(who: Writer, isFit: (replica: Replica) => boolean): Replica | null {
    const first = typeof who === 'number' ? who : turn++
    const since = Math.max(writes.mustSee(who), performance.now() - maxLagMs)
    for (let step = 0; step < replicas.length; step++) {
      const replica = replicas[(first + step) % replicas.length] as Replica
      if (replica.freshness() > since && isFit(replica)) return replica
    }
    return null
  }

  const checkAll = async (): Promise<void> => {
    await positions.query()
    await Promise.all(replicas.map((replica) => replica.check()))
  }

  return {
    databaseOf: (request) => callerDatabase(callers, request),
    shownToAll: waitUntilShown({ replicas, writes, checkAll, stale }),
    receive(notice) {
      if (typeof notice !== 'object') writes.record(notice)
      else if ('unknown' in notice) writes.recordUnknown(notice.unknown)
      else given?.ends.record(notice.ended)
    },
    credentials:
      given === null || stale === null ? primaryCredentials(primary) : staleCredentials(primary, stale, given.ends),
    stale,
    writes,
    freshness: () => Math.max(...replicas.map((replica) => replica.freshness())),
    leftOut: () =>
      replicas.flatMap((one) => (one.problem() === null ? [] : [`replica ${one.number}: ${one.problem()}`])),
    states: () => replicas.map((one) => ({ name: one.name, problem: one.problem(), behindMs: one.behindMs() })),
    async close() {
      const closing = [...queries, positions, ...replicas]
      await Promise.all(closing.map((one) => one.close()))
    },
  }
}

type Waiting = {
  readonly replicas: readonly Replica[]
  readonly writes: RecentWrites
  readonly checkAll: () => Promise<void>
  readonly stale: StaleReads | null
}

function waitUntilShown({ replicas, writes, checkAll, stale }: Waiting): Replicas['shownToAll'] {
  async function untilShown(late: () => boolean, until: number): Promise<void> {
    while (late() && performance.now() < until) {
      await checkAll()
      if (late()) await pause(QUERY_SOON_MS)
    }
  }

  return async (isAnswered) => {
    const since = performance.now()
    // A replica that still lacks an earlier write is not in use: a feed does not wait for it with every call.
    const inUse = replicas.filter((replica) => replica.freshness() > writes.forAll())
    const late = () => inUse.some((replica) => replica.problem() === null && replica.freshness() <= since)
    const tooLate = pause(MAX_WAIT_MS, undefined, { ref: false })
    await Promise.race([untilShown(late, since + MAX_WAIT_MS), tooLate])
    const isThere = stale === null || (await stale.answersSince(since))
    writes.noteForAll(since, isAnswered && isThere)
    return isThere
  }
}
