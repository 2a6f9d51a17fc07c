// Notifications of a gateway drive the same changes of state as its answers do. They may be late, early, repeated or out of order, and none is
// a silent nothing: each ends as applied, already applied, not ours, or as a contradiction. What cannot be applied because of an error of ours
// is stored and tried again, and holds nothing else back.

import type { Database } from '../../platform/database/database.ts'
import { DatabaseUnavailable } from '../../platform/database/database.ts'
import type { WalletsContext } from '../context.ts'
import type { GatewayName, GatewayNotification } from '../gateways/gateway.ts'
import { mustChange } from '../machine.ts'
import { contradiction, type Outcome } from '../outcome.ts'
import { applyNotification as apply } from './apply.ts'
import * as sql from './store.ts'

const RETRY_AFTER_MS = 1_000
const MAX_PAUSE_MS = 300_000
const RETRIES_AT_ONCE = 20

/** Throws only where it could not be stored: the gateway then sends it again. */
export async function applyNotification(
  context: WalletsContext,
  gateway: GatewayName,
  notification: GatewayNotification,
): Promise<void> {
  try {
    await context.database.transaction(async (tx) => {
      const row = rowOf(gateway, notification, { outcome: 'applied', tryAt: null, now: context.now() })
      if ((await tx.run(sql.insertNotification, row)) === 0) return
      await applyStored(tx, context, gateway, notification)
    })
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error
    await keep(context, gateway, notification, error)
  }
}

type StoredState = { readonly outcome: sql.StoredOutcome; readonly tryAt: number | null; readonly now: number }

function rowOf(gateway: GatewayName, notification: GatewayNotification, state: StoredState) {
  const { key, event, success, reference } = notification
  const content = JSON.stringify(notification, (_, value) => (typeof value === 'bigint' ? `${value}n` : value))
  return {
    gateway,
    notification_key: plain(key),
    event: plain(event),
    success: success ? 1 : 0,
    reference: plain(reference),
    content,
    outcome: state.outcome,
    try_at: state.tryAt,
    received_at: state.now,
  }
}

/** PostgreSQL stores no NUL. */
const plain = (text: string) => text.replaceAll('\0', '')

async function applyStored(
  tx: Database,
  context: WalletsContext,
  gateway: GatewayName,
  notification: GatewayNotification,
): Promise<void> {
  const { outcome: applied, customerId } = await apply(tx, context, gateway, notification)
  const outcome =
    applied.outcome === 'applied' && (await isErased(tx, customerId)) ? contradiction('customer-erased') : applied
  context.metrics.count('paddock_notifications_total', `gateway="${gateway}",outcome="${outcome.outcome}"`)
  const isContradiction = outcome.outcome === 'contradiction'
  const rows = await tx.run(sql.setOutcome, {
    gateway,
    key: plain(notification.key),
    outcome: outcome.outcome,
    contradiction: isContradiction ? outcome.name : null,
    subject: isContradiction ? outcome.subject : null,
    customerId,
  })
  mustChange(rows, `notification ${notification.key}`)
}

/** The house has taken or paid what moved (ledger.ts): a person looks at it. */
async function isErased(tx: Database, customerId: number | null): Promise<boolean> {
  return customerId !== null && (await tx.one(sql.erasureOf, { customerId }))?.erased_at != null
}

/** An error of ours: stored, and tried again by the sweeper. */
async function keep(
  { database, log, metrics, now }: WalletsContext,
  gateway: GatewayName,
  notification: GatewayNotification,
  error: unknown,
): Promise<void> {
  const time = now()
  const state = { outcome: 'failed', tryAt: time + RETRY_AFTER_MS, now: time } as const
  await database.run(sql.insertNotification, rowOf(gateway, notification, state))
  metrics.count('paddock_notifications_total', `gateway="${gateway}",outcome="failed"`)
  log.error(
    { err: error, gateway, event: notification.event },
    'a notification could not be applied; it is tried again',
  )
}

/** Applies what could not be applied before. Returns how many still wait. */
export async function retryNotifications(context: WalletsContext): Promise<void> {
  const { database, now, log } = context
  const due = await database.query(sql.notificationsToRetry, { now: now(), limit: RETRIES_AT_ONCE })
  for (const { id, gateway, event, content, attempts } of due) {
    try {
      const notification = parseNotification(content)
      await database.transaction(async (tx) => {
        if ((await tx.run(sql.takeNotification, { id })) === 0) return
        await applyStored(tx, context, gateway as GatewayName, notification)
      })
    } catch (error) {
      if (error instanceof DatabaseUnavailable) throw error
      const pause = Math.min(RETRY_AFTER_MS * 2 ** (attempts + 1), MAX_PAUSE_MS)
      await database.run(sql.postponeNotification, { id, tryAt: now() + pause })
      log.error({ err: error, gateway, event }, 'a notification could still not be applied')
    }
  }
}

/** null: what is stored cannot be read. */
export function readNotification(content: string): GatewayNotification | null {
  try {
    return parseNotification(content)
  } catch {
    return null
  }
}

/** As it was stored. */
function parseNotification(content: string): GatewayNotification {
  const amountOf = (value: unknown) => (typeof value === 'string' ? BigInt(value.slice(0, -1)) : null)
  const parsed = JSON.parse(content) as GatewayNotification & { amount: unknown }
  return { ...parsed, amount: amountOf(parsed.amount) }
}

export type { Outcome }
