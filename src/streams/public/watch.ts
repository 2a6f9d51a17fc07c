// What happens to streams at an interval, with one timer for all of them: signs of life, and the checks of application and ticket.

import { setImmediate as yieldToRequests } from 'node:timers/promises'
import type { Logger } from 'pino'
import { Fault } from '../../faults.ts'
import type { Applications } from '../../identity/applications/application.ts'
import type { Tickets } from '../../identity/sessions/tickets.ts'
import { type PeriodicTask, startPeriodicTask } from '../../platform/runtime/periodic-task.ts'
import { signOfLife } from './frames.ts'
import { type Caller, type OpenStreams, SLICES, type Stream } from './open-streams.ts'
import type { PrimaryAway } from './primary-away.ts'
import type { Reader } from './reader.ts'
import { end, send } from './write.ts'

/** What was revoked or ended must end its streams in every process within 5 seconds. */
const CHECK_EVERY_MS = 2_000
/** Streams that one statement checks: less than 1 ms, for which all other requests wait in the embedded engine. */
const CHECKED_AT_ONCE = 200

type Sources = { readonly applications: Applications; readonly tickets: Tickets }

type Settings = Sources & {
  open: OpenStreams
  reader: Pick<Reader, 'progress'>
  primary: PrimaryAway
  log: Logger
  heartbeatMs: number
}

export type Watch = ReturnType<typeof streamWatch>

export function streamWatch({ open, reader, primary, log, heartbeatMs, ...sources }: Settings) {
  const tasks: PeriodicTask[] = []
  // The slice of the first stream comes last.
  let turn = 1
  let confirmTurn = 1
  const onFailure = (error: unknown) => log.warn({ err: error }, 'checking streams failed; it will be retried')

  async function endRefused(streams: readonly Stream[]): Promise<void> {
    if (primary.endPastLimit()) return
    for (let from = 0; from < streams.length; from += CHECKED_AT_ONCE) {
      const some = streams.slice(from, from + CHECKED_AT_ONCE)
      const refusal = await refusalOf(some, sources)
      for (const stream of some) {
        const reason = refusal(stream)
        if (reason !== null) end(open, stream, reason)
      }
      await yieldToRequests()
    }
  }

  async function sendSignsOfLife(): Promise<void> {
    const slice = [...open.slice(turn++)]
    const delivered = reader.progress()?.delivered ?? 0
    const position = (stream: Stream) => (stream.live && !primary.isAway() ? Math.max(delivered, stream.after) : null)
    for (const stream of slice) send(open, stream, signOfLife(position(stream)))
  }

  /** Apart from the signs of life, because an identity provider may be slow. */
  async function endUnconfirmed(): Promise<void> {
    const slice = [...open.slice(confirmTurn++)]
    const confirmed = await sources.tickets.stillConfirmed(slice.map(({ ticket }) => ticket))
    for (const stream of slice) if (!confirmed.has(stream.ticket)) end(open, stream, 'ticket')
  }

  return {
    start(): void {
      if (tasks.length > 0) return
      tasks.push(startPeriodicTask(() => endRefused(open.all()), { everyMs: CHECK_EVERY_MS, onFailure }))
      for (const work of [sendSignsOfLife, endUnconfirmed]) {
        tasks.push(startPeriodicTask(work, { everyMs: heartbeatMs / SLICES, onFailure }))
      }
    },
    async refuseEnded(caller: Caller): Promise<void> {
      const reason = (await refusalOf([caller], sources))(caller)
      if (reason === 'application') throw new Fault('apiKeyInvalid', '')
      if (reason === 'ticket') throw new Fault('ticketInvalid', 'who-ticket')
    },
    /** Checks at once. Failures are retried at the next check. */
    check: (streams: readonly Stream[]): void => void endRefused(streams).catch(onFailure),
    async close(): Promise<void> {
      for (const task of tasks) await task.close()
    },
  }
}

type Refusal = 'application' | 'ticket' | null

/** Queries only the database, not the identity provider. */
async function refusalOf(
  callers: readonly Caller[],
  { applications, tickets }: Sources,
): Promise<(caller: Caller) => Refusal> {
  const [allowedKeys, allowedTickets] = await Promise.all([
    applications.stillAllowed(new Set(callers.map(({ application }) => application))),
    tickets.stillAllowed(callers),
  ])
  return ({ application, ticket }) => {
    if (!allowedKeys.has(application)) return 'application'
    return allowedTickets.has(ticket) ? null : 'ticket'
  }
}
