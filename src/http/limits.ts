import type { RateLimit } from '../applications/application.ts'
import { Fault } from '../faults.ts'

type Window = { second: number; inSecond: number; minute: number; inMinute: number }

/** Requests per application, counted in whole seconds and minutes; 0 is no limit. Memory: one row per application. */
export function rateLimiter(now: () => number) {
  const windows = new Map<string, Window>()
  return {
    /** Throws 429 when the application has used up its second or its minute. */
    take(application: string, limit: RateLimit): void {
      if (limit.perSecond === 0 && limit.perMinute === 0) return
      const time = now()
      const second = Math.floor(time / 1000)
      const minute = Math.floor(time / 60_000)
      let window = windows.get(application)
      if (!window) {
        window = { second, inSecond: 0, minute, inMinute: 0 }
        windows.set(application, window)
      }
      if (window.second !== second) Object.assign(window, { second, inSecond: 0 })
      if (window.minute !== minute) Object.assign(window, { minute, inMinute: 0 })
      if (limit.perMinute > 0 && window.inMinute >= limit.perMinute) {
        throw new Fault('tooManyRequests', undefined, { retryAfter: 60 - (second % 60) })
      }
      if (limit.perSecond > 0 && window.inSecond >= limit.perSecond) {
        throw new Fault('tooManyRequests', undefined, { retryAfter: 1 })
      }
      window.inSecond++
      window.inMinute++
    },
  }
}

/** Refuses what would only wait: beyond this many requests at once, a quick 503 helps more than a slow answer. */
export function admission(most: number) {
  let inFlight = 0
  return {
    enter(): void {
      if (inFlight >= most) throw new Fault('unavailable', undefined, { retryAfter: 1 })
      inFlight++
    },
    leave(): void {
      inFlight--
    },
  }
}
