import { turnTime } from './clock.ts'

export type WindowCounts = ReturnType<typeof windowCounts>

/**
 * Counts by key, in whole seconds or minutes since 1970: all begin again with the next one. Keeps two of them, as processes do not enter
 * a new one at the same time.
 */
export function windowCounts(lengthMs: number, now: () => number = turnTime) {
  const windows = new Map<number, Map<string, number>>()
  let current = countsOf(0)
  let window = 0

  function countsOf(number: number): Map<string, number> {
    let counts = windows.get(number)
    if (counts === undefined) {
      counts = new Map()
      windows.set(number, counts)
      for (const old of windows.keys()) if (Math.abs(old - number) > 1) windows.delete(old)
    }
    return counts
  }

  return {
    /** In the current window, or in one of the two that are kept. */
    of(key: string, number = Math.floor(now() / lengthMs)): number {
      if (number !== window) {
        window = number
        current = countsOf(number)
      }
      return current.get(key) ?? 0
    },
    /** To the window that was last read. */
    add(key: string, amount = 1): void {
      current.set(key, (current.get(key) ?? 0) + amount)
    },
    secondsLeft: () => secondsLeft(lengthMs, now()),
  }
}

/** Until the next window, rounded up. */
export function secondsLeft(lengthMs: number, time: number): number {
  return Math.ceil((lengthMs - (time % lengthMs)) / 1000)
}
