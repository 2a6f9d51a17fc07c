// What operators have sent: a test, one delivery again, or all of a range. An endpoint has a bounded number of deliveries that
// wait because of it, so that nobody floods the receiver.

import { randomUUID } from 'node:crypto'
import type { Database } from '../platform/database/database.ts'
import { idListOf, textListOf } from '../platform/database/row-list-store.ts'
import { Refused } from '../platform/runtime/refused.ts'
import * as sql from './delivery-list-store.ts'
import type { DeliveryRow } from './delivery-store.ts'
import { refuseDisabled } from './endpoints.ts'

/** Nothing is sent again while so many deliveries of the endpoint wait. */
export const MAX_WAITING = 1_000

export function sendTest(database: Database, endpointId: number, now: number): Promise<DeliveryRow> {
  return database.transaction(async (transaction) => {
    await roomFor(transaction, endpointId)
    const test = { endpointId, subjectId: randomUUID(), now }
    return (await transaction.one(sql.insertTestDelivery, test)) as DeliveryRow
  })
}

/** A waiting delivery is tried at once; for one that has ended, a new one is created. */
export function sendAgain(
  database: Database,
  endpointId: number,
  id: number,
  now: number,
): Promise<{ delivery: DeliveryRow; isNew: boolean }> {
  return database.transaction(async (transaction) => {
    await refuseDisabled(transaction, endpointId)
    const key = { endpointId, id }
    const delivery = await transaction.one(sql.deliveryById, key)
    if (delivery === undefined) throw new Refused('unknown', `There is no delivery ${id} of webhook ${endpointId}.`)
    if (delivery.state !== 'waiting') {
      await roomFor(transaction, endpointId)
      const [repeated] = await repeat(transaction, { endpointId, ids: [id], now })
      return { delivery: repeated as DeliveryRow, isNew: true }
    }
    await transaction.run(sql.makeDue, { ...key, now })
    return { delivery: (await transaction.one(sql.deliveryById, key)) ?? delivery, isNew: false }
  })
}

/** Deliveries that were created from `from` on and before `until`. */
export type ResendFilter = {
  readonly state: 'failed' | 'delivered'
  readonly kinds: readonly string[]
  readonly from: number
  readonly until: number
}

/** `continueFrom`: the rest of the range begins there; null: nothing is left. */
type Resent = { readonly resent: number; readonly continueFrom: number | null }

/** A part of the range, oldest first, so that events of a subject stay in order. */
export function resendRange(
  database: Database,
  endpointId: number,
  { state, kinds, from, until }: ResendFilter,
  now: number,
): Promise<Resent> {
  return database.transaction(async (transaction) => {
    const limit = await roomFor(transaction, endpointId)
    // What is created now does not belong to the range.
    const range = { endpointId, from, until: Math.min(until, now) }
    const end = await transaction.one(sql.resendWindowEnd, range)
    const found = await transaction.query(sql.deliveriesToResend, { ...range, state, kinds: textListOf(kinds), limit })
    const resent = await repeat(transaction, { endpointId, ids: found.map(({ id }) => id), now })
    const last = found.length === limit ? found.at(-1) : end
    return { resent: resent.length, continueFrom: last?.created_at ?? null }
  })
}

type Repeated = { readonly endpointId: number; readonly ids: readonly number[]; readonly now: number }

async function repeat(transaction: Database, { endpointId, ids, now }: Repeated): Promise<DeliveryRow[]> {
  if (ids.length === 0) return []
  const created = await transaction.query(sql.insertRepeatedDeliveries, { ids: idListOf(ids), endpointId, now })
  await transaction.run(sql.setResent, { ids: idListOf(ids), now })
  return created
}

/** How many more may wait. Locks the endpoint. */
async function roomFor(transaction: Database, endpointId: number): Promise<number> {
  await refuseDisabled(transaction, endpointId)
  const { waiting = 0 } = (await transaction.one(sql.countWaiting, { endpointId, limit: MAX_WAITING })) ?? {}
  if (waiting < MAX_WAITING) return MAX_WAITING - waiting
  throw new Refused(
    'conflict',
    `${MAX_WAITING} deliveries of webhook ${endpointId} wait. Send again when some of them have been sent.`,
  )
}
