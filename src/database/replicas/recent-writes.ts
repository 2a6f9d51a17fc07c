/** A customer by id, or an application by key. */
export type Who = number | string

/** Processes beside this one that serve the same customers from the same replicas. */
export type Others = {
  /** When it returns, none of them shows this one a replica without the write. */
  wrote(who: Who): Promise<void>
  /** Whether this process hears of their writes; while it may not, it reads no replica. */
  inTouch(): boolean
}

export type RecentWrites = ReturnType<typeof recentWrites>

/**
 * Who has written in the last moments, so that their reads can be kept from replicas that do not show it yet. What
 * another process tells is heard here too: then the time is that of the telling, which is later and so still right.
 *
 * A write that is older than `rememberedMs` is forgotten: replicas further behind are read by nobody.
 */
export function recentWrites(rememberedMs: number, others: Others | null) {
  /** In the order of time, oldest first. */
  const writes = new Map<Who, number>()
  let forAll = performance.now()

  /** Somebody wrote, here or in another process. */
  function hear(who: Who): void {
    const now = performance.now()
    writes.delete(who)
    writes.set(who, now)
    for (const [oldest, at] of writes) {
      if (at >= now - rememberedMs) break
      writes.delete(oldest)
    }
  }

  return {
    hear,
    /** After the write and before its answer, which waits for the others: nobody can expect to see it earlier. */
    note(who: Who): Promise<void> | undefined {
      hear(who)
      return others?.wrote(who)
    },
    /** All that was committed before `at` must be shown to everybody. */
    noteForAll(at = performance.now()): void {
      forAll = Math.max(forAll, at)
    },
    forAll: (): number => forAll,
    /** A replica must show what was committed before this time, for this one to read it. */
    mustSee(who: Who): number {
      if (others !== null && !others.inTouch()) return Number.POSITIVE_INFINITY
      return Math.max(forAll, writes.get(who) ?? 0)
    },
  }
}
