/**
 * A small bounded memory of what the database said, for some seconds. Only finds are kept, so that something made
 * elsewhere is seen at once; what was removed elsewhere is forgotten when its time is over.
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
      // Maps iterate in the order of insertion: the first key is the oldest.
      if (entries.size >= size && !entries.has(key)) entries.delete(entries.keys().next().value as string)
      entries.delete(key)
      entries.set(key, { value, since: now() })
    },
    forget(key) {
      entries.delete(key)
    },
  }
}
