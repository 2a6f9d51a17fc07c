/** A customer by id, or an application by key. */
export type Who = number | string

export type RecentWrites = ReturnType<typeof recentWrites>

/**
 * Who has written in the last moments, so that their reads can be kept from replicas that do not show it yet. What
 * another process knows can be told here too: then the time is that of the telling, which is later and so still right.
 *
 * A write that is older than `rememberedMs` is forgotten: replicas further behind are read by nobody.
 */
export function recentWrites(rememberedMs: number) {
  /** In the order of time, oldest first. */
  const writes = new Map<Who, number>()
  let forAll = performance.now()

  return {
    /** After the write and before its answer: nobody can expect to see it earlier. */
    note(who: Who): void {
      const now = performance.now()
      writes.delete(who)
      writes.set(who, now)
      for (const [oldest, at] of writes) {
        if (at >= now - rememberedMs) break
        writes.delete(oldest)
      }
    },
    /** All that was committed before `at` must be shown to everybody. */
    noteForAll(at = performance.now()): void {
      forAll = Math.max(forAll, at)
    },
    forAll: (): number => forAll,
    /** A replica must show what was committed before this time, for this one to read it. */
    mustSee: (who: Who): number => Math.max(forAll, writes.get(who) ?? 0),
  }
}
