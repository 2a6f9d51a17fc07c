// The last requests of each application, for its developer: in memory, of this process. In the sandbox they are stored too
// (identity/applications/saved-requests.ts). They are kept as they came: what may be shown of a request is made when somebody looks
// at it, when it is stored, or a second later.
//
// Memory: 2 MB for an application and 16 MB together in each process, whatever the requests are. An application has at most 200,
// of some 400 bytes each, in the sandbox with answers of some 20 KB. Where they take more, the answers of its older ones are left
// out; where all together take more, the application that called least recently is forgotten.

import { turnTime } from '../runtime/clock.ts'
import { DAY_MS } from '../runtime/durations.ts'
import { type PeriodicTask, startPeriodicTask } from '../runtime/periodic-task.ts'
import { inSlices } from '../runtime/slices.ts'
import type { Log } from './log.ts'
import { inMemory, type Kept, keptAt, type RecentRequest, type Ring, requestRings } from './request-rings.ts'

export type RecentFilter = { readonly operation: string | null; readonly faultsOnly: boolean; readonly limit: number }

export type RecentRequests = {
  /** Keeps the object. */
  add(application: string, request: Kept): void
  /** The newest first. */
  read(application: string, filter: RecentFilter): RecentRequest[]
  /** Yields the requests added since the last call that are still in memory, oldest first; each is built when taken. */
  takeUnsaved(): Generator<{ readonly application: string; readonly request: RecentRequest }>
  /** How many `takeUnsaved` would take. */
  unsaved(): number
  /** Makes what may be shown of all that is kept as it came. */
  showAll(): Generator<RecentRequest>
}

const SHOW_EVERY_MS = 1_000
/** Older requests are not shown. */
export const SHOWN_MS = DAY_MS

export function recentRequests(now: () => number = turnTime): RecentRequests {
  const rings = requestRings()

  /** Starts at the number in `field`. Requests added meanwhile are left to the next call. */
  function* shownFrom(ring: Ring, field: 'saved' | 'raw'): Generator<RecentRequest> {
    const end = ring.count
    for (;;) {
      const number = inMemory(ring, ring[field])
      if (number >= end) return
      ring[field] = number + 1
      yield rings.shownAt(ring, number)
    }
  }

  return {
    add: rings.add,
    read(application, filter) {
      const ring = rings.all.get(application)
      const found: RecentRequest[] = []
      if (ring === undefined) return found
      const since = now() - SHOWN_MS
      const oldest = inMemory(ring, 0)
      for (let number = ring.count - 1; number >= oldest && found.length < filter.limit; number--) {
        const kept = keptAt(ring, number)
        if (kept.at > since && isWanted(kept, filter)) found.push(rings.shownAt(ring, number))
      }
      return found
    },
    *takeUnsaved() {
      for (const [application, ring] of rings.all) {
        for (const request of shownFrom(ring, 'saved')) yield { application, request }
      }
    },
    unsaved() {
      let count = 0
      for (const ring of rings.all.values()) count += ring.count - inMemory(ring, ring.saved)
      return count
    },
    *showAll() {
      for (const ring of rings.all.values()) yield* shownFrom(ring, 'raw')
    },
  }
}

/** So that what came with a request is in memory for a second, and what may be shown of it afterwards. */
export function startShowing(recent: RecentRequests, { log }: { log: Log }): PeriodicTask {
  const onFailure = (error: unknown) => log.error({ err: error }, 'showing the last requests of applications failed')
  return startPeriodicTask(() => inSlices(recent.showAll(), () => {}), { everyMs: SHOW_EVERY_MS, onFailure })
}

export function isWanted(
  { operation, kind }: Pick<RecentRequest, 'operation' | 'kind'>,
  filter: RecentFilter,
): boolean {
  return (filter.operation === null || operation === filter.operation) && (!filter.faultsOnly || kind !== '')
}
