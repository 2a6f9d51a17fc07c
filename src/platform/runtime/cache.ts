/**
 * A bounded cache of what was found in the database. Misses are not cached, so that a row created by another process is
 * seen at once; one removed by another process stays until its entry expires.
 */
export type Cache<K, V> = {
  get(key: K): V | undefined
  /** `until`: expires earlier than others (milliseconds since 1970). */
  set(key: K, value: V, until?: number): void
  forget(key: K): void
}

export function boundedCache<K, V>(size: number, lifeMs: number, now: () => number): Cache<K, V> {
  const entries = new Map<K, { value: V; since: number; until: number }>()
  return {
    get(key) {
      const entry = entries.get(key)
      if (entry === undefined) return undefined
      const time = now()
      // A clock that was set back must not make an entry live longer.
      if (time >= entry.since && time < entry.until) return entry.value
      entries.delete(key)
      return undefined
    },
    set(key, value, until = Number.POSITIVE_INFINITY) {
      const since = now()
      entries.delete(key)
      // Maps iterate in the order of insertion: the first is the oldest.
      for (const [oldest, entry] of entries) {
        if (entries.size < size && since - entry.since < lifeMs) break
        entries.delete(oldest)
      }
      entries.set(key, { value, since, until: Math.min(since + lifeMs, until) })
    },
    forget(key) {
      entries.delete(key)
    },
  }
}
