// The streams of open consoles: what waits, and who looks at what. One reader for all of them, once a second.

import type { ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import type { Database } from '../../platform/database/database.ts'
import { isoTime } from '../../platform/runtime/iso-time.ts'
import { type PeriodicTask, startPeriodicTask } from '../../platform/runtime/periodic-task.ts'
import { FIRST_LINES, lastLine, signOfLife, stateFrame } from '../public/frames.ts'
import { writeUnlessSlow } from '../public/write.ts'
import { deleteStalePresence, type Viewer, viewersNow } from './presence.ts'
import { newestWaiting, type PresenceKind, waitingCounts } from './store.ts'

const EVERY_MS = 1_000

type StreamOperator = {
  /** Whether the operator's credentials are still good. */
  readonly stillAllowed: () => Promise<boolean>
  /** Whether the operator may know who looks at items of the kind. */
  readonly shows: (kind: PresenceKind) => boolean
}

/** `sent`: the texts of its latest events. */
type ConsoleStream = StreamOperator & { readonly response: ServerResponse; sent: { counts: string; viewers: string } }

export type ConsoleStreams = {
  begin(response: ServerResponse, headers: string[], operator: StreamOperator): void
  end(): void
  close(): Promise<void>
}

type Settings = {
  readonly database: Database
  readonly log: Logger
  readonly now: () => number
  /** How often there is a sign of life, and the operator's credentials are checked. */
  readonly heartbeatMs: number
}

/** `counts` is the text of its event. */
type State = { counts: string; viewers: Viewer[] }

export function consoleStreams({ database, log, now, heartbeatMs }: Settings): ConsoleStreams {
  const open = new Set<ConsoleStream>()
  let state: State | null = null
  let task: PeriodicTask | null = null
  let watchedAt = performance.now()
  let ending = false

  function finish(stream: ConsoleStream, text = ''): void {
    open.delete(stream)
    stream.response.end(text)
  }

  async function watch(): Promise<void> {
    await deleteStalePresence(database, now())
    for (const { response } of open) writeUnlessSlow(response, signOfLife(null))
    await Promise.all(
      [...open].map(async (stream) => {
        if (!(await stream.stillAllowed())) finish(stream)
      }),
    )
  }

  async function run(): Promise<void> {
    state = open.size === 0 ? null : await readState(database, now())
    if (state === null) return
    for (const stream of open) sendChanges(stream, state)
    if (performance.now() - watchedAt < heartbeatMs) return
    watchedAt = performance.now()
    await watch()
  }

  return {
    begin(response, headers, operator) {
      if (response.closed) return
      response.writeHead(200, headers)
      response.write(FIRST_LINES)
      const stream = { ...operator, response, sent: { counts: '', viewers: '' } }
      if (state !== null) sendChanges(stream, state)
      open.add(stream)
      if (ending) return finish(stream, lastLine())
      response.once('close', () => open.delete(stream))
      task ??= startPeriodicTask(run, {
        everyMs: EVERY_MS,
        onFailure: (error) =>
          log.warn({ err: error }, 'reading what the console shows live failed; it will be retried'),
      })
    },
    end() {
      ending = true
      for (const stream of open) finish(stream, lastLine())
    },
    async close() {
      await task?.close()
    },
  }
}

function sendChanges(stream: ConsoleStream, { counts, viewers }: State): void {
  const shown = stateFrame(
    'viewers',
    viewers.filter(({ kind }) => stream.shows(kind)),
  )
  const { sent } = stream
  const text = (counts === sent.counts ? '' : counts) + (shown === sent.viewers ? '' : shown)
  stream.sent = { counts, viewers: shown }
  if (text !== '') writeUnlessSlow(stream.response, text)
}

async function readState(database: Database, now: number): Promise<State> {
  const [waiting, newest, viewers] = await Promise.all([
    database.one(waitingCounts, {}),
    database.query(newestWaiting, {}),
    viewersNow(database, now),
  ])
  const times = (kind: string) => newest.filter((row) => row.kind === kind).map((row) => isoTime(row.at))
  const counts = {
    profiles: { waiting: waiting?.profiles ?? 0, newest: times('profile') },
    comments: { waiting: waiting?.comments ?? 0, newest: times('comment') },
    held: { waiting: waiting?.held ?? 0 },
    appeals: { waiting: waiting?.appeals ?? 0, newest: times('appeal') },
    deposits: { waiting: waiting?.deposits ?? 0, newest: times('deposit') },
    withdrawals: { waiting: waiting?.withdrawals ?? 0 },
    disputes: { waiting: waiting?.disputes ?? 0 },
    unapplied: { waiting: waiting?.unapplied ?? 0 },
    webhooks: { failing: waiting?.webhooks ?? 0 },
  }
  return { counts: stateFrame('counts', counts), viewers }
}
