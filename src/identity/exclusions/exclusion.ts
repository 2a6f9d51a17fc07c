// *Time-out* and *self-exclusion*: a customer locks themselves out for a time, and nothing shortens it. A self-exclusion
// goes on after its end, until the customer requests to return and 24 hours have passed.

import type { Database } from '../../platform/database/database.ts'
import { DAY_MS } from '../../platform/runtime/durations.ts'
import { isoTime } from '../../platform/runtime/iso-time.ts'
import { Refused } from '../../platform/runtime/refused.ts'
import { deleteSessionsOf } from '../sessions/store.ts'
import { type ExclusionRow, lockExclusion, setExclusion, setReturn, setTimeOut, UNTIL_RETURN } from './store.ts'

/** The time between a customer's request and their return. */
const RETURN_AFTER_MS = DAY_MS

export const EXCLUSION_KINDS = ['time-out', 'self-exclusion'] as const
export type ExclusionKind = (typeof EXCLUSION_KINDS)[number]

/**
 * Ends all sessions too. false: a longer one is in force. The first lock of the transaction is the customer's, so that no
 * log-in and no deposit of theirs begins meanwhile.
 */
export async function beginExclusion(
  tx: Database,
  id: number,
  { kind, until }: { kind: ExclusionKind; until: number },
  now: number,
): Promise<boolean> {
  const row = (await tx.one(lockExclusion, { id })) as ExclusionRow
  const isExcluded = row.excluded_until !== null && row.play_from > now
  if (kind === 'time-out') {
    if (until < row.play_from) return false
    await tx.run(setTimeOut, { id, until })
  } else {
    if (isExcluded && until < (row.excluded_until as number)) return false
    await tx.run(setExclusion, { id, until, now })
  }
  await tx.run(deleteSessionsOf, { customerId: id })
  return true
}

/**
 * Ends the self-exclusion 24 hours after the customer's request. Repeating the request changes nothing. Refused before its
 * end. Returns the time from which they may log in; undefined: no such customer.
 */
export function requestReturn(database: Database, id: number, now: number): Promise<number | undefined> {
  return database.transaction(async (tx) => {
    const row = await tx.one(lockExclusion, { id })
    if (row === undefined) return undefined
    if (row.excluded_until === null || row.play_from <= now) {
      throw new Refused('conflict', `Customer ${id} has no self-exclusion of their own in force.`)
    }
    refuseEarlier(id, row, now)
    if (row.play_from !== UNTIL_RETURN) return row.play_from
    const from = now + RETURN_AFTER_MS
    await tx.run(setReturn, { id, from })
    return from
  })
}

function refuseEarlier(id: number, { excluded_until }: ExclusionRow, now: number): void {
  if (excluded_until === null || excluded_until <= now) return
  throw new Refused(
    'conflict',
    `Customer ${id} has excluded themselves until ${isoTime(excluded_until)}. Nobody can shorten that.`,
  )
}

/** For whoever would make the customer active. */
export function refuseWhileExcluded(id: number, { play_from }: { play_from: number }, now: number): void {
  if (play_from <= now) return
  const end =
    play_from === UNTIL_RETURN
      ? `POST /operator/v1/customers/${id}/return after its end, when the customer requests it`
      : isoTime(play_from)
  throw new Refused('conflict', `Customer ${id} has locked themselves out. Only this ends it: ${end}.`)
}

/** `returnsAt`: set for a self-exclusion whose customer has requested to return. */
export function exclusionInForce(row: ExclusionRow, now: number) {
  const { play_from, timed_out_until, excluded_until } = row
  if (play_from <= now) return null
  if (play_from === timed_out_until)
    return { kind: 'time-out' as const, until: isoTime(timed_out_until), returnsAt: null }
  const returnsAt = play_from === UNTIL_RETURN ? null : isoTime(play_from)
  return { kind: 'self-exclusion' as const, until: isoTime(excluded_until as number), returnsAt }
}
