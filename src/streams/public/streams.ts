// The streams of applications: one reader of the log and one timer for all of them.
//
// 1. A stream begins: its headers and first lines are sent at once.
// 2. A client that resumes gets what happened since its last event, up to where the reader is (history.ts).
// 3. The stream becomes live, in the same turn in which it has everything that was read: nothing is lost or sent twice.
// 4. The states that it watches are sent whenever they change, from the current ones on (state-look.ts). They have no position:
//    a client that comes back gets the current ones again.
// 5. It ends with its application or ticket (watch.ts), with the process, or when its client reads too slowly. The client resumes.

import type { ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import { Fault } from '../../faults.ts'
import type { Applications } from '../../identity/applications/application.ts'
import type { Tickets } from '../../identity/sessions/tickets.ts'
import type { Database } from '../../platform/database/database.ts'
import type { StaleReads } from '../../platform/database/replicas/stale-reads.ts'
import type { Metrics } from '../../platform/observability/metrics.ts'
import { type Turns, turns } from '../../platform/runtime/slots.ts'
import { batchOf } from './batch.ts'
import { FIRST_LINES, greeting } from './frames.ts'
import { canResume, drained, sendBlock } from './history.ts'
import { resetAfterLoss } from './history-loss.ts'
import { type Caller, isOver, openStreams, type Stream, type Viewer, type Watched } from './open-streams.ts'
import { tipsOnWatched } from './outcome-tips.ts'
import { primaryAway } from './primary-away.ts'
import { logReader, type Reader } from './reader.ts'
import { stateLook } from './state-look.ts'
import { streamWatch, type Watch } from './watch.ts'
import { end, endAll, send } from './write.ts'

/** One block after the other, with pauses for other requests, however many come back at once. */
const RESUMING_AT_ONCE = 1

type Settings = {
  readonly database: Database
  readonly now: () => number
  readonly applications: Applications
  readonly tickets: Tickets
  readonly log: Logger
  readonly metrics: Metrics
  readonly streamsPerApplication: number
  readonly heartbeatMs: number
  /** null: streams wait for the primary without a word. */
  readonly stale: StaleReads | null
}

/** `lastEventId`: null for a client that does not resume. */
type Wanted = Watched & { readonly lastEventId: number | null }

export type Streams = {
  /** Throws 401 where key or ticket were accepted from a cache, and are over. */
  refuseEnded(caller: Caller): Promise<void>
  /** Throws 503 when the application has too many, 429 when the customer has. */
  begin(viewer: Viewer, wanted: Wanted, response: ServerResponse, headers: string[]): void
  /** Ends all of them, and refuses new ones. */
  end(): void
  close(): Promise<void>
}

export function applicationStreams(settings: Settings): Streams {
  const { database, log, metrics } = settings
  const open = openStreams(metrics, settings.streamsPerApplication)
  const resuming = turns<null>({ atOnce: RESUMING_AT_ONCE })
  const primary = primaryAway({ ...settings, open })
  const states = stateLook({ ...settings, primary })
  let ending = false

  const reader: Reader = logReader({
    primary,
    database,
    log,
    isNeeded: () => open.size() > 0,
    async deliver(events) {
      const { texts, doubtful } = await batchOf(settings, open, events)
      const tips = await tipsOnWatched(settings, states.watching, events)
      for (const [stream, text] of texts) send(open, stream, text)
      for (const { stream, key, text } of tips) states.put(stream, key, text)
      watch.check(doubtful)
    },
    // Their clients come back with a position that does not exist, and get `reset`.
    onLoss: () => endAll(open, 'failed'),
  })
  const watch: Watch = streamWatch({ ...settings, open, reader, primary })
  const history = resetAfterLoss({ ...settings, open, reader })

  return {
    refuseEnded: watch.refuseEnded,
    begin(viewer, { lastEventId, ...watched }, response, headers) {
      if (ending) throw new Fault('unavailable', undefined, { retryAfter: 1 })
      open.refuseMoreThanAllowed(viewer)
      if (response.closed) return
      const stream: Stream = { ...viewer, ...watched, response, after: 0, live: false }
      response.writeHead(200, headers)
      response.write(FIRST_LINES)
      open.add(stream)
      states.watch(stream)
      response.once('close', () => {
        open.remove(stream, 'client')
        states.leave(stream)
      })
      watch.start()
      const greet = (type: 'ready' | 'reset') => send(open, stream, greeting(type, stream.after))
      join(stream, lastEventId, { settings, reader, resuming, ...history, greet }).catch((error) => {
        log.warn({ err: error }, 'a stream could not begin; its client will come back')
        end(open, stream, 'failed')
      })
    },
    end() {
      ending = true
      endAll(open, 'closing')
    },
    async close() {
      await watch.close()
      await reader.close()
      await states.close()
    },
  }
}

type Joining = {
  settings: Settings
  reader: Reader
  resuming: Turns<null>
  lostUpTo: () => number
  greet: (type: 'ready' | 'reset') => void
}

async function join(
  stream: Stream,
  lastEventId: number | null,
  { settings, reader, resuming, lostUpTo, greet }: Joining,
): Promise<void> {
  const progress = await reader.begin()
  const isKnown = lastEventId !== null && (await canResume(settings.database, lastEventId))
  const resumes = isKnown && lastEventId >= lostUpTo()
  stream.after = resumes ? lastEventId : progress.read
  while (stream.after < progress.read && !isOver(stream)) {
    await resuming.run(null, () => sendBlock(settings, stream, progress.read))
    await drained(stream.response)
  }
  stream.live = true
  greet(resumes || lastEventId === null ? 'ready' : 'reset')
}
