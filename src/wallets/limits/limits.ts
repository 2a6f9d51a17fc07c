// Limits that customers set for their own deposits of a day, a week and a month. A new or lower one is in force at once. A
// higher one, or none, is in force when the customer confirms it 24 hours later: nobody deposits more in the heat of the moment.

import type { EventData } from '../../event-log/kind.ts'
import { Fault } from '../../faults.ts'
import type { Context } from '../../platform/context.ts'
import type { Database } from '../../platform/database/database.ts'
import { DAY_MS } from '../../platform/runtime/durations.ts'
import { formatMoney } from '../../platform/runtime/money.ts'
import { mustChange } from '../machine.ts'
import { type Period, periodsAt } from '../periods.ts'
import { lockDepositor } from './deposit-facts-store.ts'
import type { limitKinds } from './event-kinds.ts'
import { recordSafeguard } from './safeguards.ts'
import type { Limits } from './shapes.ts'
import * as sql from './store.ts'

/** Upper bound of a limit. */
export const MAX_LIMIT = 999_999_999_999n

const WAIT_MS = DAY_MS
/** Counted from the request. */
const LAPSE_MS = 7 * DAY_MS

/** A higher limit, or none (`amount` is null), that waits for its confirmation. */
export type Pending = { readonly amount: bigint | null; readonly notBefore: number; readonly lapses: number }

/** undefined: nothing was requested, or it has lapsed. */
export function pendingOf(row: sql.LimitRow, now: number): Pending | undefined {
  if (row.pending_since === null || now >= row.pending_since + LAPSE_MS) return undefined
  return {
    amount: row.pending_amount === null ? null : BigInt(row.pending_amount),
    notBefore: row.pending_since + WAIT_MS,
    lapses: row.pending_since + LAPSE_MS,
  }
}

export async function readLimits({ database, now }: Context, customerId: number) {
  const time = now()
  const rows = await database.query(sql.limitsOf, { customerId, ...sql.periodBounds(time) })
  const prompted = await database.one(sql.promptedAt, { customerId })
  return { prompted: prompted?.limits_prompted_at != null, limits: rows.map((row) => toLimit(row, time)) }
}

export function toLimit(row: sql.LimitRow, now: number): Limits['limits'][number] & { period: Period } {
  const [amount, used] = [BigInt(row.amount), BigInt(row.used)]
  const pending = pendingOf(row, now)
  return {
    period: row.period,
    amount: formatMoney(amount),
    used: formatMoney(used),
    left: formatMoney(used < amount ? amount - used : 0n),
    resets: periodsAt(now)[row.period].until * DAY_MS,
    pending: pending && { ...pending, amount: pending.amount === null ? undefined : formatMoney(pending.amount) },
  }
}

/** Sets a limit, or requests one that is higher. `amount` null requests to have none. */
export function changeLimit(
  context: Context,
  customerId: number,
  period: Period,
  amount: bigint | null,
): Promise<void> {
  return underLock(context, customerId, async (tx, rows, now) => {
    const current = rows.find((row) => row.period === period)
    if (amount === null && current === undefined) return null
    if (amount !== null && (current === undefined || amount <= BigInt(current.amount))) {
      // Changes the customer's row with the first limit: a deposit that waits for its lock then knows of limits to read.
      await tx.run(sql.notePrompt, { customerId, now })
      await tx.run(sql.setLimitNow, { customerId, period, amount, now })
      return { period, change: 'set', amount, requested: null }
    }
    const requested = await tx.run(sql.requestLimit, { customerId, period, amount, now })
    mustChange(requested, `the limit of customer ${customerId}`)
    const inForce = BigInt((current as sql.LimitRow).amount)
    return { period, change: 'requested', amount: inForce, requested: amount }
  })
}

/** Puts what was requested into force. Throws the fault where nothing was, where it is too early, or has lapsed. */
export function confirmLimit(context: Context, customerId: number, period: Period): Promise<void> {
  return underLock(context, customerId, async (tx, limits, now) => {
    const current = limits.find((row) => row.period === period)
    const pending = current && pendingOf(current, now)
    if (pending === undefined || now < pending.notBefore) throw new Fault('walletInvalid', 'period')
    const { amount } = pending
    const rows =
      amount === null
        ? await tx.run(sql.deleteLimit, { customerId, period })
        : await tx.run(sql.setLimitNow, { customerId, period, amount, now })
    mustChange(rows, `the limit of customer ${customerId}`)
    return { period, change: 'confirmed', amount, requested: null }
  })
}

export async function recordPrompt({ database, now }: Context, customerId: number): Promise<void> {
  await database.run(sql.notePrompt, { customerId, now: now() })
}

/** `amount`: in force; null: none. */
type Change = {
  readonly period: Period
  readonly change: 'set' | 'requested' | 'confirmed'
  readonly amount: bigint | null
  readonly requested: bigint | null
}

/** Returns null where nothing has changed. */
type Work = (tx: Database, rows: readonly sql.LimitRow[], now: number) => Promise<Change | null>

/** Deposits of the customer wait meanwhile, so that each is checked against what is then in force. */
async function underLock({ database, metrics, now }: Context, customerId: number, work: Work): Promise<void> {
  const change = await database.transaction(async (tx) => {
    await tx.one(lockDepositor, { customerId })
    const time = now()
    const change = await work(tx, await tx.query(sql.limitsOf, { customerId, ...sql.periodBounds(time) }), time)
    if (change !== null) await recordSafeguard(tx, customerId, { kind: 'limit.changed', data: eventData(change) }, time)
    return change
  })
  if (change === null) return
  metrics.count('paddock_limit_changes_total', `period="${change.period}",change="${change.change}"`)
}

function eventData(change: Change): EventData<(typeof limitKinds)['limit.changed']> {
  const money = (amount: bigint | null) => (amount === null ? null : formatMoney(amount))
  return { ...change, amount: money(change.amount), requested: money(change.requested) }
}
