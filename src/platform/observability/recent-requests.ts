// The last requests of each application, for its developer: in memory, of this process. In the sandbox they are stored too
// (identity/applications/saved-requests.ts).
//
// Memory: at most 100 applications with 200 requests of some 300 bytes, 1 KB at worst: 6 MB, 20 MB at worst, in each process. In the
// sandbox, with bodies of answers, 5 KB at worst.

import { turnTime } from '../runtime/clock.ts'
import { DAY_MS } from '../runtime/durations.ts'

/**
 * Without secrets. `target`: path and query as they may be shown. `kind`: of the fault; '': none. `hint`: '' is none too. `body`:
 * the form, and `answer`: the body of the answer, as they may be shown, in the sandbox only.
 */
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
  readonly body: string
  readonly answer: string
}

export type RecentFilter = { readonly operation: string | null; readonly faultsOnly: boolean; readonly limit: number }

export type RecentRequests = {
  /** Keeps the object. */
  add(application: string, request: RecentRequest): void
  /** The newest first. */
  read(application: string, filter: RecentFilter): RecentRequest[]
  /** Those added since the last call that are still in memory, the oldest first. */
  takeUnsaved(): { readonly application: string; readonly request: RecentRequest }[]
}

export const REQUESTS_KEPT = 200
const MAX_APPLICATIONS = 100
/** Older requests are not shown. */
export const SHOWN_MS = DAY_MS

type Ring = { slots: RecentRequest[]; next: number; unsaved: number }

export function recentRequests(now: () => number = turnTime): RecentRequests {
  const rings = new Map<string, Ring>()

  function ringOf(application: string): Ring {
    const known = rings.get(application)
    if (known !== undefined) return known
    if (rings.size >= MAX_APPLICATIONS) rings.delete(leastRecent(rings))
    const ring = { slots: [], next: 0, unsaved: 0 }
    rings.set(application, ring)
    return ring
  }

  return {
    add(application, request) {
      const ring = ringOf(application)
      ring.slots[ring.next] = request
      ring.next = (ring.next + 1) % REQUESTS_KEPT
      ring.unsaved++
    },
    read(application, filter) {
      const since = now() - SHOWN_MS
      const shown = inOrder(rings.get(application)).filter(({ at }) => at > since)
      return newestFirst(shown.reverse(), filter)
    },
    takeUnsaved() {
      return [...rings].flatMap(([application, ring]) => {
        if (ring.unsaved === 0) return []
        const unsaved = inOrder(ring).slice(-ring.unsaved)
        ring.unsaved = 0
        return unsaved.map((request) => ({ application, request }))
      })
    },
  }
}

function inOrder(ring: Ring | undefined): RecentRequest[] {
  return ring === undefined ? [] : [...ring.slots.slice(ring.next), ...ring.slots.slice(0, ring.next)]
}

export function newestFirst(requests: readonly RecentRequest[], { operation, faultsOnly, limit }: RecentFilter) {
  return requests
    .filter((one) => (operation === null || one.operation === operation) && (!faultsOnly || one.kind !== ''))
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
