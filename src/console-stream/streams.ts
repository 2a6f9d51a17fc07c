// The streams of open consoles: what waits, and who looks at what. One reader for all of them, once a second.

import type { ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import type { Database } from '../database/database.ts'
import { isoTime } from '../runtime/iso-time.ts'
import { type PeriodicTask, startPeriodicTask } from '../runtime/periodic-task.ts'
import { FIRST_LINES, lastLine, signOfLife, stateFrame } from '../stream/frames.ts'
import { writeUnlessSlow } from '../stream/write.ts'
import { deleteStalePresence, viewersNow } from './presence.ts'
import { newestWaiting, waitingCounts } from './store.ts'

const EVERY_MS = 1_000

type ConsoleStream = { readonly response: ServerResponse; readonly stillAllowed: () => Promise<boolean> }

export type ConsoleStreams = {
  /** `stillAllowed`: whether the operator's credentials are still good. */
  begin(response: ServerResponse, headers: string[], stillAllowed: () => Promise<boolean>): void
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

/** The texts of the latest events. */
type State = { counts: string; viewers: string }

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
    const before: State | null = state
    state = open.size === 0 ? null : await readState(database, now())
    if (state === null) return
    const text = changesOf(before, state)
    if (text !== '') for (const { response } of open) writeUnlessSlow(response, text)
    if (performance.now() - watchedAt < heartbeatMs) return
    watchedAt = performance.now()
    await watch()
  }

  return {
    begin(response, headers, stillAllowed) {
      if (response.closed) return
      response.writeHead(200, headers)
      response.write(FIRST_LINES + (state === null ? '' : state.counts + state.viewers))
      const stream = { response, stillAllowed }
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

function changesOf(before: State | null, next: State): string {
  const changed = (['counts', 'viewers'] as const).filter((name) => next[name] !== before?.[name])
  return changed.map((name) => next[name]).join('')
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
    appeals: { waiting: waiting?.appeals ?? 0, newest: times('appeal') },
    deposits: { waiting: waiting?.deposits ?? 0, newest: times('deposit') },
    webhooks: { failing: waiting?.webhooks ?? 0 },
  }
  return { counts: stateFrame('counts', counts), viewers: stateFrame('viewers', viewers) }
}
