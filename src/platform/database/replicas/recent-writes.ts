import type { PrimaryWatch } from '../postgres/primary-watch.ts'

/** A customer by id, or an application by key. */
export type Writer = number | string

/** Who wrote; who sent a write whose result is unknown; what was ended (recent-ends.ts). */
export type Notice = Writer | { readonly unknown: Writer } | { readonly ended: string }

/** The other processes that serve the same customers from the same replicas. */
export type OtherProcesses = {
  /** Resolves when none of them will serve the writer from a replica without the write, or accept what was ended. */
  notify(notice: Notice): Promise<void>
  /** Whether this process receives their notices; while it may not, it reads no replica. */
  inTouch(): boolean
}

export type RecentWrites = ReturnType<typeof recentWrites>

type Settings = {
  readonly retentionMs: number
  readonly others: OtherProcesses | null
  /** null: replicas are not read while the primary is away. */
  readonly watch: PrimaryWatch | null
}

/**
 * Records who has written recently, so that their reads avoid replicas that do not show it yet. A notice of another process
 * is recorded with the time of its arrival, which is later than the write and so still safe.
 *
 * Writes older than `retentionMs` are dropped: replicas further behind are not in use.
 */
export function recentWrites({ retentionMs, others, watch }: Settings) {
  const writes = recentTimes(retentionMs)
  /** Sent, and neither answered nor refused: it may still be committed. */
  const unknown = recentTimes(retentionMs)
  /** Writers who were answered by the primary, and have seen what no replica may show yet. */
  const primaryReads = recentTimes(retentionMs)
  let forAll = performance.now()
  let answeredForAll = forAll

  const isOutOfTouch = (): boolean => others !== null && !others.inTouch()

  function timeOfUnknown(who: Writer): number {
    const at = unknown.of(who)
    // It may have been committed at any time until the primary was back.
    return at === 0 || watch === null ? at : Math.max(at, watch.backSince())
  }

  return {
    /** A write, here or in another process. */
    record: writes.record,
    recordUnknown: unknown.record,
    /** Called after the write; its answer waits until the other processes are notified. */
    note(who: Writer): Promise<void> | undefined {
      writes.record(who)
      return others?.notify(who)
    },
    /** The same for a write whose result is unknown. */
    noteUnknown(who: Writer): Promise<void> | undefined {
      unknown.record(who)
      return others?.notify({ unknown: who })
    },
    /** `isAnswered`: with success, so that it binds readers while the primary is away too. */
    noteForAll(at = performance.now(), isAnswered = true): void {
      forAll = Math.max(forAll, at)
      if (isAnswered) answeredForAll = Math.max(answeredForAll, at)
    },
    notePrimaryRead(who: Writer): void {
      if (watch !== null && (writes.of(who) > 0 || unknown.of(who) > 0)) primaryReads.record(who)
    },
    forAll: (): number => forAll,
    /** This caller may only read a replica that shows everything committed before this time. */
    mustSee(who: Writer): number {
      return isOutOfTouch() ? Number.POSITIVE_INFINITY : Math.max(forAll, writes.of(who), timeOfUnknown(who))
    },
    /** The same while the primary is away. */
    mustSeeWhileAway(who: Writer): number {
      if (isOutOfTouch() || unknown.of(who) > 0) return Number.POSITIVE_INFINITY
      return Math.max(answeredForAll, writes.of(who), primaryReads.of(who))
    },
  }
}

function recentTimes(retentionMs: number) {
  /** Oldest first. */
  const times = new Map<Writer, number>()
  return {
    record(who: Writer): void {
      const now = performance.now()
      times.delete(who)
      times.set(who, now)
      for (const [oldest, at] of times) {
        if (at >= now - retentionMs) break
        times.delete(oldest)
      }
    },
    /** 0: none. */
    of: (who: Writer): number => times.get(who) ?? 0,
  }
}
