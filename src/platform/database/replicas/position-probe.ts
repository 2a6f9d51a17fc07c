// The positions of servers in the write-ahead log, and what they show about a replica.
//
// The primary's position is queried ten times a second, and the time of each query is stored. Everything that was
// committed before a query was sent is contained in its answer. So a replica that has replayed up to that answer shows all that was
// committed before that time: one time on this process's own clock shows how fresh a replica is, and no write needs to
// know its own position.

import { DatabaseUnavailable } from '../database.ts'
import type { PrimaryWatch } from '../postgres/primary-watch.ts'
import { openSeverablePostgres } from '../postgres/severable-postgres.ts'
import { type ServerPosition, serverPosition } from './position-store.ts'

export type { ServerPosition }

/** A server that does not answer such a small query in this time counts as lost. */
const TIMEOUT_MS = 500

export type PositionProbe = ReturnType<typeof openPositionProbe>

type ProbeSettings = { readonly timeoutMs?: number; readonly demandedTimeline?: () => number | null }

/** Queries one server's position on its own connection: queued after slow statements the answer would come late. */
export function openPositionProbe(url: string, { timeoutMs = TIMEOUT_MS, ...more }: ProbeSettings = {}) {
  const { database, sever, close } = openSeverablePostgres({
    url,
    sharedConnections: 1,
    connectTimeoutMs: timeoutMs,
    ...more,
  })
  return {
    async query(): Promise<ServerPosition> {
      let waiting = true
      let late = false
      const giveUp = (): void => {
        if (!waiting) return
        late = true
        sever()
      }
      // If this process itself was blocked, the answer may have arrived meanwhile: it is processed first.
      const timer = setTimeout(() => setImmediate(giveUp), timeoutMs)
      try {
        return (await database.one(serverPosition, {})) as ServerPosition
      } catch (error) {
        throw late ? new DatabaseUnavailable(`it did not answer within ${timeoutMs} ms`) : error
      } finally {
        waiting = false
        clearTimeout(timer)
      }
    },
    sever,
    close,
  }
}

export type PrimaryPositions = ReturnType<typeof primaryPositions>

/** `watch`: null where nobody needs to know when the primary is away. */
type PrimarySettings = { readonly url: string; readonly retentionMs: number; readonly watch: PrimaryWatch | null }

/** Times are of performance.now(), which setting the clock does not change. */
export function primaryPositions({ url, retentionMs, watch }: PrimarySettings) {
  const patience = watch === null ? {} : { timeoutMs: watch.silentMs, demandedTimeline: watch.demandedTimeline }
  const probe = openPositionProbe(url, patience)
  watch?.on('former', probe.sever)
  const queried: { at: number; position: number }[] = []
  let identity: string | undefined
  let timeline: number | undefined
  let problem: string | null = null

  return {
    async query(): Promise<void> {
      const at = performance.now()
      try {
        const found = await probe.query()
        watch?.answered(found, at)
        problem = found.standby ? 'it is a replica itself' : null
        if (found.standby) return
        // A former primary: its positions are not those of the history that goes on.
        if (watch !== null && found.timeline < watch.newestTimeline()) return probe.sever()
        identity = found.identity
        if (found.timeline !== timeline) queried.length = 0
        timeline = found.timeline
        queried.push({ at, position: found.position })
        while ((queried[0]?.at ?? at) < at - retentionMs) queried.shift()
      } catch (error) {
        problem = (error as Error).message
        watch?.silent(problem)
      }
    },
    identity: () => identity,
    timeline: () => timeline,
    /** Why the primary's position is unknown; null while it is known. */
    problem: () => problem,
    /** Everything committed before this time is contained in the position. */
    containedIn(position: number): number {
      return queried.findLast((one) => one.position <= position)?.at ?? Number.NEGATIVE_INFINITY
    },
    close: probe.close,
  }
}
