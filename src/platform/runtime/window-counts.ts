export type WindowCounts = ReturnType<typeof windowCounts>

/** Counts by key, in whole seconds or minutes since 1970: all begin again with the next one. */
export function windowCounts(lengthMs: number, now: () => number) {
  let window = 0
  let counts = new Map<string, number>()
  return {
    /** In the current window. */
    of(key: string): number {
      const current = Math.floor(now() / lengthMs)
      if (current !== window) {
        window = current
        counts = new Map()
      }
      return counts.get(key) ?? 0
    },
    /** To the window that was last read. */
    add(key: string, amount = 1): void {
      counts.set(key, (counts.get(key) ?? 0) + amount)
    },
    secondsLeft: () => secondsLeft(lengthMs, now()),
  }
}

/** Until the next window, rounded up. */
export function secondsLeft(lengthMs: number, time: number): number {
  return Math.ceil((lengthMs - (time % lengthMs)) / 1000)
}
