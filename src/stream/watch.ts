// A sign of life and a check of the ticket at an interval, with one timer for all streams.

import type { Logger } from 'pino'
import { type PeriodicTask, startPeriodicTask } from '../runtime/periodic-task.ts'
import type { Tickets } from '../sessions/tickets.ts'
import { signOfLife } from './frames.ts'
import { type OpenStreams, SLICES, type Stream } from './open-streams.ts'
import type { Reader } from './reader.ts'
import { end, send } from './write.ts'

type Settings = {
  open: OpenStreams
  reader: Pick<Reader, 'progress'>
  tickets: Tickets
  log: Logger
  heartbeatMs: number
}

export type Watch = ReturnType<typeof streamWatch>

export function streamWatch({ open, reader, tickets, log, heartbeatMs }: Settings) {
  let task: PeriodicTask | null = null
  // The slice of the first stream comes last.
  let turn = 1
  const warn = (error: unknown) =>
    log.warn({ err: error }, 'checking the tickets of streams failed; it will be retried')

  async function endInvalid(streams: readonly Stream[]): Promise<void> {
    if (streams.length === 0) return
    const valid = await tickets.stillValid(streams.map(({ ticket }) => ticket))
    for (const stream of streams) if (!valid.has(stream.ticket)) end(open, stream, 'ticket')
  }

  async function watchSlice(): Promise<void> {
    const slice = [...open.slice(turn++)]
    const delivered = reader.progress()?.delivered ?? 0
    for (const stream of slice) send(open, stream, signOfLife(stream.live ? Math.max(delivered, stream.after) : null))
    await endInvalid(slice)
  }

  return {
    start(): void {
      task ??= startPeriodicTask(watchSlice, { everyMs: heartbeatMs / SLICES, onFailure: warn })
    },
    /** At once. What fails here is repeated with the slice. */
    check: (streams: readonly Stream[]): void => void endInvalid(streams).catch(warn),
    async close(): Promise<void> {
      await task?.close()
    },
  }
}
