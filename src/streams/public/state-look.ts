// Reads what streams watch, a few times a second, with the same statements however many streams there are. The log has no event for a
// change of price, and a column or index for it would make each price dearer. Reading by key also works in every process.

import { setImmediate as yieldToRequests } from 'node:timers/promises'
import type { Logger } from 'pino'
import { eventStatus } from '../../catalogue/events.ts'
import { isOpen, livePrice } from '../../catalogue/outcome.ts'
import type { Database } from '../../platform/database/database.ts'
import { idListOf } from '../../platform/database/row-list-store.ts'
import { isoTime } from '../../platform/runtime/iso-time.ts'
import { formatMoney } from '../../platform/runtime/money.ts'
import { type PeriodicTask, startPeriodicTask } from '../../platform/runtime/periodic-task.ts'
import { fractionText, twoDecimals } from '../../record/record-view.ts'
import type { Stream } from './open-streams.ts'
import type { PrimaryAway } from './primary-away.ts'
import { type Outbox, outbox, stateBoard } from './state-board.ts'
import { type AccountStateRow, accountStates, type OutcomeStateRow, outcomeStates } from './store.ts'

const LOOK_EVERY_MS = 300
/** Deposits and withdrawals are reported by their logged events at once; the rest of an account may take this long. */
const ACCOUNTS_EVERY_MS = 2_000
/** Less than 1 ms, for which all other requests wait in the embedded engine. */
const READ_AT_ONCE = 200

type Settings = {
  readonly database: Database
  readonly log: Logger
  readonly now: () => number
  /** While it is away nothing is read. */
  readonly primary: Pick<PrimaryAway, 'isAway'>
}

export type StateLook = ReturnType<typeof stateLook>

export function stateLook({ database, log, now, primary }: Settings) {
  const box = outbox()
  const catalogue = watchedOutcomes(box, now)
  const accounts = stateBoard('account', box)
  let task: PeriodicTask | null = null
  let accountsReadAt = 0

  async function look(closing: AbortSignal): Promise<void> {
    if (primary.isAway()) return
    await inParts(catalogue.ids(), closing, async (ids) => {
      for (const row of await database.query(outcomeStates, { ids })) catalogue.publish(row)
    })
    if (performance.now() - accountsReadAt >= ACCOUNTS_EVERY_MS) {
      accountsReadAt = performance.now()
      await inParts(accounts.ids(), closing, async (ids) => {
        for (const row of await database.query(accountStates, { ids }))
          accounts.publish(row.customer_id, accountState(row))
      })
    }
    if (!primary.isAway()) box.flush()
  }

  return {
    watch(stream: Stream): void {
      if (stream.outcomes.length === 0 && !stream.account) return
      catalogue.watch(stream)
      if (stream.account) {
        accounts.watch(stream, stream.customerId)
        accountsReadAt = 0
      }
      task ??= startPeriodicTask(look, {
        everyMs: LOOK_EVERY_MS,
        afterFailureMs: 1_000,
        onFailure: (error) => log.warn({ err: error }, 'reading states for streams failed; it will be retried'),
      })
    },
    leave(stream: Stream): void {
      catalogue.leave(stream)
      accounts.leave(stream, stream.customerId)
    },
    /** The streams that watch an outcome. */
    watching: catalogue.streamsOf,
    /** Written with the next states. A later one with the same key replaces it. */
    put: box.put,
    async close(): Promise<void> {
      await task?.close()
    },
  }
}

/** Outcomes, and their events, which are known once an outcome was read. */
function watchedOutcomes(box: Outbox, now: () => number) {
  const outcomes = stateBoard('outcome', box)
  const events = stateBoard('event', box)
  const eventOf = new Map<number, number>()
  return {
    ids: outcomes.ids,
    streamsOf: outcomes.streamsOf,
    watch(stream: Stream): void {
      for (const id of stream.outcomes) {
        outcomes.watch(stream, id)
        const eventId = eventOf.get(id)
        if (eventId !== undefined) events.watch(stream, eventId)
      }
    },
    leave(stream: Stream): void {
      for (const id of stream.outcomes) {
        outcomes.leave(stream, id)
        const eventId = eventOf.get(id)
        if (eventId !== undefined) events.leave(stream, eventId)
        if (outcomes.streamsOf(id).size === 0) eventOf.delete(id)
      }
    },
    publish(row: OutcomeStateRow): void {
      const { outcome_id, event_id } = row
      const streams = outcomes.streamsOf(outcome_id)
      // All who watched it have left while it was read.
      if (streams.size === 0) return
      if (!eventOf.has(outcome_id)) for (const stream of streams) events.watch(stream, event_id)
      eventOf.set(outcome_id, event_id)
      outcomes.publish(outcome_id, outcomeState(row))
      events.publish(event_id, eventState(row, now()))
    },
  }
}

async function inParts(
  ids: readonly number[],
  closing: AbortSignal,
  read: (ids: string) => Promise<void>,
): Promise<void> {
  for (let from = 0; from < ids.length && !closing.aborted; from += READ_AT_ONCE) {
    if (from > 0) await yieldToRequests()
    await read(idListOf(ids.slice(from, from + READ_AT_ONCE)))
  }
}

function outcomeState(row: OutcomeStateRow) {
  const { outcome_id, event_id, price_num, price_den, result } = row
  return {
    outcomeId: `${outcome_id}`,
    eventId: `${event_id}`,
    livePrice: price_num === null || price_den === null ? null : livePrice(price_num, price_den),
    displayStatus: isOpen(row) ? 'A' : 'I',
    result,
    deadHeat: fractionText(row.dead_heat_num, row.dead_heat_den) ?? null,
    placeDeadHeat: fractionText(row.place_dead_heat_num, row.place_dead_heat_den) ?? null,
    rule4: row.rule4 === 0 ? null : twoDecimals(row.rule4, 100),
  }
}

function eventState(row: OutcomeStateRow, now: number) {
  const { event_id, start_time, event_settled_at: settled_at, event_status, score, clock } = row
  return {
    eventId: `${event_id}`,
    status: eventStatus({ start_time, settled_at }, now),
    startTime: isoTime(start_time),
    isSuspended: event_status === 'suspended',
    score,
    clock,
  }
}

function accountState({ balance, currency, newest_unread }: AccountStateRow) {
  return {
    balance: formatMoney(BigInt(balance)),
    currency,
    newestUnreadId: newest_unread === null ? null : `${newest_unread}`,
  }
}
