// The last requests of each application, for its developer: in memory, of this process.
//
// Memory: at most 100 applications with 200 requests of some 300 bytes, 1 KB at worst: 6 MB, 20 MB at worst, in each process.

import { turnTime } from '../runtime/clock.ts'
import { DAY_MS } from '../runtime/durations.ts'

/** Without secrets. `target`: path and query as they may be shown. `kind`: of the fault; '': none. `hint`: '' is none too. */
export type RecentRequest = {
  readonly id: string
  readonly at: number
  readonly method: string
  readonly target: string
  readonly operation: string
  readonly status: number
  readonly kind: string
  readonly faultName: string
  readonly hint: string
  readonly ms: number
  readonly customer: number | null
  readonly representation: string
}

export type RecentFilter = { readonly operation: string | null; readonly faultsOnly: boolean; readonly limit: number }

export type RecentRequests = {
  /** Keeps the object. */
  add(application: string, request: RecentRequest): void
  /** The newest first. */
  read(application: string, filter: RecentFilter): RecentRequest[]
}

export const REQUESTS_KEPT = 200
const MAX_APPLICATIONS = 100
/** Older requests are not shown. */
const SHOWN_MS = DAY_MS

type Ring = { slots: RecentRequest[]; next: number }

export function recentRequests(now: () => number = turnTime): RecentRequests {
  const rings = new Map<string, Ring>()

  function ringOf(application: string): Ring {
    const known = rings.get(application)
    if (known !== undefined) return known
    if (rings.size >= MAX_APPLICATIONS) rings.delete(leastRecent(rings))
    const ring = { slots: [], next: 0 }
    rings.set(application, ring)
    return ring
  }

  return {
    add(application, request) {
      const ring = ringOf(application)
      ring.slots[ring.next] = request
      ring.next = (ring.next + 1) % REQUESTS_KEPT
    },
    read: (application, filter) => newestOf(rings.get(application), filter, now() - SHOWN_MS),
  }
}

function newestOf(ring: Ring | undefined, { operation, faultsOnly, limit }: RecentFilter, since: number) {
  if (ring === undefined) return []
  const newestFirst = [...ring.slots.slice(ring.next), ...ring.slots.slice(0, ring.next)].reverse()
  return newestFirst
    .filter((one) => one.at > since && (operation === null || one.operation === operation))
    .filter((one) => !faultsOnly || one.kind !== '')
    .slice(0, limit)
}

/** The application whose last request is the oldest. */
function leastRecent(rings: ReadonlyMap<string, Ring>): string {
  let [found, oldest] = ['', Number.POSITIVE_INFINITY]
  for (const [application, { slots, next }] of rings) {
    const last = slots[(next + REQUESTS_KEPT - 1) % REQUESTS_KEPT] ?? slots.at(-1)
    if (last !== undefined && last.at < oldest) [found, oldest] = [application, last.at]
  }
  return found
}
