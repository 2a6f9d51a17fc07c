// The pages of the log that were read last. A page of 1,000 entries takes 12 ms to read and write, and strangers may request it.
//
// 1. Each request reads up to which position there are events, and drops the pages with tips that the events since the request
//    before name: so changes through other processes are seen too.
// 2. A page that is not cached is read. It is stored if it is full, as the end of the log grows, and if no settlement is on its
//    way to its tips: the copies of their status change after the event (communities/tip-status.ts).
// 3. It is read again after a minute, so that a change by hand past the service is shown too.

import { readEvents } from '../event-log/event.ts'
import { pick } from '../event-log/kind.ts'
import type { Database } from '../platform/database/database.ts'
import { tipKinds } from '../record/event-kinds.ts'
import { type Page, type PageRequest, readPage } from './log.ts'
import { pageState } from './store.ts'

/** The events after which a tip has another status, state or grade. */
const CHANGES = pick(tipKinds, 'tip.settled', 'tip.corrected', 'tip.deactivated', 'tip.removed', 'tip.restored')

/** A page of 1,000 entries takes about 1 MB in both representations. */
const CACHED_PAGES = 20
const CACHED_MS = 60_000

/** To read more events than this costs more than to read the pages again. */
const MAX_EVENTS = 10_000
const EVENTS_AT_ONCE = 1_000

type CachedPage = { readonly page: Page; readonly tips: ReadonlySet<number>; readonly since: number }

export type LogPages = {
  /** null: there are no entries from here on. The same object while nothing has changed. */
  read(request: PageRequest): Promise<Page | null>
}

export function logPages(database: Database, now: () => number): LogPages {
  const pages = new Map<string, CachedPage>()
  let checkedUpTo = 0

  function drop(tip: number): void {
    for (const [key, { tips }] of pages) if (tips.has(tip)) pages.delete(key)
  }

  async function dropChanged(position: number): Promise<void> {
    if (position - checkedUpTo > MAX_EVENTS) pages.clear()
    for (let after = checkedUpTo; after < position && pages.size > 0; ) {
      const { events, next } = await readEvents(database, { after, limit: EVENTS_AT_ONCE, kinds: CHANGES })
      for (const { subject_id } of events) drop(Number(subject_id))
      after = next
    }
    checkedUpTo = Math.max(checkedUpTo, position)
  }

  function store(key: string, page: CachedPage): void {
    pages.delete(key)
    pages.set(key, page)
    // Maps iterate in the order of insertion: the first is the oldest.
    for (const oldest of pages.keys()) if (pages.size > CACHED_PAGES) pages.delete(oldest)
  }

  return {
    async read(request) {
      const { position, pending } = (await database.one(pageState, {})) as { position: number; pending: number }
      if (position > checkedUpTo) await dropChanged(position)
      const key = `${request.start} ${request.count} ${request.leavesOnly}`
      const known = pages.get(key)
      if (known !== undefined && now() >= known.since && now() - known.since < CACHED_MS) return known.page
      const read = await readPage(database, request)
      const isSettled = pending === 0 || request.leavesOnly
      // Another request may have seen later events meanwhile, which this page may or may not show.
      if (read?.page.entry.length === request.count && isSettled && checkedUpTo === position) {
        store(key, { ...read, since: now() })
      }
      return read?.page ?? null
    },
  }
}
