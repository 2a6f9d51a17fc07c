// An application's limits hold for all processes of a machine. A process takes a *share* of what a second or minute has
// left, uses it up request by request, and takes the next: most requests need no message. Shares are small (a 20th of the limit
// for all processes together), because other processes cannot use what one has left over. A process takes its next share when
// half of one is left. So less than 10 % of the limit is refused too early, and nothing passes beyond it.

import { Fault } from '../../faults.ts'
import { MINUTE_MS } from '../../platform/runtime/durations.ts'
import type { MaybePromise } from '../../platform/runtime/maybe-promise.ts'
import { secondsLeft, windowCounts } from '../../platform/runtime/window-counts.ts'

/** Requests; 0 is no limit. */
export type RateLimit = { perSecond: number; perMinute: number }

const LENGTH_MS = { second: 1_000, minute: MINUTE_MS } as const
type Period = keyof typeof LENGTH_MS

export type ShareRequest = {
  readonly application: string
  readonly per: Period
  /** Which second or minute since 1970. */
  readonly window: number
  readonly limit: number
  readonly wanted: number
}

export type Shares = {
  /** How many processes share the limits. */
  readonly processes: number
  /** How many requests are granted: fewer than wanted when too few are left. */
  take(request: ShareRequest): MaybePromise<number>
}

/** For a single process. */
export function localShares(): Shares {
  return { processes: 1, take: shareGranter() }
}

/** Grants what is left of each window. */
export function shareGranter(): (request: ShareRequest) => number {
  const granted = { second: windowCounts(LENGTH_MS.second), minute: windowCounts(LENGTH_MS.minute) }
  return ({ application, per, window, limit, wanted }) => {
    const share = Math.max(0, Math.min(wanted, limit - granted[per].of(application, window)))
    granted[per].add(application, share)
    return share
  }
}

type Lease = {
  readonly application: string
  readonly per: Period
  window: number
  left: number
  /** The window has no more to grant. */
  exhausted: boolean
  requested: Promise<void> | null
  /** Requests that wait for the requested share, and how many of the last ones it was too small for. */
  waiting: number
  unmet: number
}

const SHARES_OF_A_LIMIT = 20

export type RateLimiter = ReturnType<typeof rateLimiter>

/** Requests per application, counted in whole seconds and minutes; 0 is no limit. Memory: one row per application. */
export function rateLimiter(now: () => number, shares: Shares) {
  const leases = new Map<string, Record<Period, Lease>>()

  function leasesOf(application: string): Record<Period, Lease> {
    let found = leases.get(application)
    if (found === undefined) {
      found = { second: newLease(application, 'second'), minute: newLease(application, 'minute') }
      leases.set(application, found)
    }
    return found
  }

  /** Throws 429 when the application has used up its second or its minute; waits only for a share from another process. */
  function take(application: string, limit: RateLimit): MaybePromise<void> {
    const { perSecond, perMinute } = limit
    if (perSecond === 0 && perMinute === 0) return undefined
    const { second, minute } = leasesOf(application)
    const time = now()
    const filling = fill(shares, minute, perMinute, time) ?? fill(shares, second, perSecond, time)
    if (filling !== undefined) return filling.then(() => take(application, limit))
    use(shares, minute, perMinute)
    use(shares, second, perSecond)
    return undefined
  }

  return {
    take,
    /** Counts what a request that was taken costs beyond one. It may exceed the limit: the next one waits. */
    charge(application: string, { perSecond, perMinute }: RateLimit, more: number): void {
      const { second, minute } = leasesOf(application)
      if (perSecond !== 0) second.left -= more
      if (perMinute !== 0) minute.left -= more
    },
  }
}

function shareOf({ processes }: Shares, limit: number): number {
  return processes === 1 ? limit : Math.max(1, Math.floor(limit / SHARES_OF_A_LIMIT / processes))
}

/** Requests the next share; at once where the shares are in this process. */
function requestShare(shares: Shares, lease: Lease, limit: number): MaybePromise<void> {
  if (lease.requested !== null) return lease.requested
  const { application, per, window } = lease
  const wanted = shareOf(shares, limit) + Math.max(0, lease.unmet - 1)
  const share = shares.take({ application, per, window, limit, wanted })
  const receive = (granted: number): void => {
    lease.requested = null
    // A share of a window that is over is worth nothing.
    if (lease.window !== window) return
    lease.left += granted
    lease.exhausted = granted < wanted
    lease.unmet = Math.max(0, lease.waiting - lease.left)
    lease.waiting = 0
  }
  if (typeof share === 'number') return receive(share)
  lease.requested = share.then(receive)
  return lease.requested
}

/** undefined: the lease has something left. Throws 429 when its window is used up. */
function fill(shares: Shares, lease: Lease, limit: number, time: number): Promise<void> | undefined {
  enterWindow(lease, time)
  if (limit === 0 || lease.left > 0) return undefined
  if (!lease.exhausted) {
    const requested = requestShare(shares, lease, limit)
    if (requested instanceof Promise) {
      lease.waiting++
      return requested
    }
  }
  if (lease.left <= 0)
    throw new Fault('tooManyRequests', undefined, { retryAfter: secondsLeft(LENGTH_MS[lease.per], time) })
  return undefined
}

function use(shares: Shares, lease: Lease, limit: number): void {
  if (limit === 0) return
  lease.left--
  const share = shareOf(shares, limit)
  if (share > 1 && lease.left * 2 < share && !lease.exhausted && shares.processes > 1)
    requestShare(shares, lease, limit)
}

function newLease(application: string, per: Period): Lease {
  return { application, per, window: 0, left: 0, exhausted: false, requested: null, waiting: 0, unmet: 0 }
}

function enterWindow(lease: Lease, time: number): void {
  const window = Math.floor(time / LENGTH_MS[lease.per])
  if (lease.window === window) return
  lease.window = window
  lease.left = 0
  lease.exhausted = false
  lease.waiting = 0
  lease.unmet = 0
}
