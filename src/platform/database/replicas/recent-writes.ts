/** A customer by id, or an application by key. */
export type Writer = number | string

/** The other processes that serve the same customers from the same replicas. */
export type OtherProcesses = {
  /** Resolves when none of them will serve this writer from a replica without the write. */
  notify(who: Writer): Promise<void>
  /** Whether this process receives their notices; while it may not, it reads no replica. */
  inTouch(): boolean
}

export type RecentWrites = ReturnType<typeof recentWrites>

/**
 * Records who has written recently, so that their reads avoid replicas that do not show it yet. A notice of another process
 * is recorded with the time of its arrival, which is later than the write and so still safe.
 *
 * Writes older than `retentionMs` are dropped: replicas further behind are not in use.
 */
export function recentWrites(retentionMs: number, others: OtherProcesses | null) {
  /** Oldest first. */
  const writes = new Map<Writer, number>()
  let forAll = performance.now()

  /** A write, here or in another process. */
  function record(who: Writer): void {
    const now = performance.now()
    writes.delete(who)
    writes.set(who, now)
    for (const [oldest, at] of writes) {
      if (at >= now - retentionMs) break
      writes.delete(oldest)
    }
  }

  return {
    record,
    /** Called after the write; its answer waits until the other processes are notified. */
    note(who: Writer): Promise<void> | undefined {
      record(who)
      return others?.notify(who)
    },
    /** Everybody must see all that was committed before `at`. */
    noteForAll(at = performance.now()): void {
      forAll = Math.max(forAll, at)
    },
    forAll: (): number => forAll,
    /** This caller may only read a replica that shows everything committed before this time. */
    mustSee(who: Writer): number {
      if (others !== null && !others.inTouch()) return Number.POSITIVE_INFINITY
      return Math.max(forAll, writes.get(who) ?? 0)
    },
  }
}
