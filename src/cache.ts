/**
 * A small bounded memory of what the database said, for some seconds. Only finds are kept, so that something made
 * elsewhere is seen at once; what was removed elsewhere is forgotten when its time is over, and does not stay in memory
 * for long after.
 */
export type Cache<V> = {
  get(key: string): V | undefined
  set(key: string, value: V): void
  forget(key: string): void
}

export function boundedCache<V>(size: number, lifeMs: number, now: () => number): Cache<V> {
  const entries = new Map<string, { value: V; since: number }>()
  return {
    get(key) {
      const entry = entries.get(key)
      if (entry === undefined) return undefined
      // A clock that was set back must not make an entry live longer.
      const age = now() - entry.since
      if (age >= 0 && age < lifeMs) return entry.value
      entries.delete(key)
      return undefined
    },
    set(key, value) {
      const since = now()
      entries.delete(key)
      // Maps iterate in the order of insertion: the first is the oldest.
      for (const [oldest, entry] of entries) {
        if (entries.size < size && since - entry.since < lifeMs) break
        entries.delete(oldest)
      }
      entries.set(key, { value, since })
    },
    forget(key) {
      entries.delete(key)
    },
  }
}
