// Slows down guessing. Some failures are free; after them each makes the caller wait, twice as long as the one before.
// Failures expire one by one, at a steady pace.

export type ThrottleRule = {
  readonly free: number
  /** One failure expires in this time. */
  readonly expiresAfterMs: number
  readonly longestPauseMs: number
}

/** Milliseconds since 1970: when all failures have expired, and until when attempts are refused. */
type Failures = { readonly clearAt: number; readonly blockedUntil: number }

const FIRST_PAUSE_MS = 1_000

export function oneMoreFailure(before: Failures | undefined, rule: ThrottleRule, now: number): Failures {
  const clearAt = Math.max(before?.clearAt ?? 0, now) + rule.expiresAfterMs
  const beyond = Math.ceil((clearAt - now) / rule.expiresAfterMs) - rule.free
  const pauseMs = beyond <= 0 ? 0 : Math.min(FIRST_PAUSE_MS * 2 ** (beyond - 1), rule.longestPauseMs)
  return { clearAt, blockedUntil: now + pauseMs }
}

/** Whole seconds; 0: not blocked. */
export function secondsToWait(blockedUntil: number, now: number): number {
  return Math.max(0, Math.ceil((blockedUntil - now) / 1000))
}

export type Throttle = {
  /** All failures of all keys have expired: no key needs a look-up. */
  isQuiet(): boolean
  secondsToWait(key: string): number
  fail(key: string): void
}

const MAX_KEYS = 10_000

/** The failures seen by this process. When there are too many keys, the least recent one is dropped. */
export function throttle(rule: ThrottleRule, now: () => number): Throttle {
  const failures = new Map<string, Failures>()
  let quietFrom = 0
  return {
    isQuiet: () => now() >= quietFrom,
    secondsToWait: (key) => secondsToWait(failures.get(key)?.blockedUntil ?? 0, now()),
    fail(key) {
      const time = now()
      const before = failures.get(key)
      failures.delete(key)
      for (const [oldest, { clearAt }] of failures) {
        if (failures.size < MAX_KEYS && clearAt > time) break
        failures.delete(oldest)
      }
      const after = oneMoreFailure(before, rule, time)
      failures.set(key, after)
      quietFrom = Math.max(quietFrom, after.clearAt, after.blockedUntil)
    },
  }
}

/**
 * For secrets and tokens, which are too long to guess: this only limits the load. Many failures are free, because an
 * application whose secret was just replaced fails with each request.
 */
export const WRONG_SECRETS: ThrottleRule = { free: 200, expiresAfterMs: 1_000, longestPauseMs: 60_000 }
