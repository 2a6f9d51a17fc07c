import { Fault } from '../../faults.ts'
import { readAssetLines } from '../../platform/runtime/assets.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../platform/runtime/durations.ts'
import { parseMoney } from '../../platform/runtime/money.ts'
import { Refused } from '../../platform/runtime/refused.ts'
import { applyMovements, type Movement } from '../../wallets/account/movements.ts'
import type { WalletsContext } from '../../wallets/context.ts'
import { makeDeposit } from '../../wallets/deposits/deposit.ts'
import { type DepositRow, depositById } from '../../wallets/deposits/store.ts'
import { type Cv2, parseCv2 } from '../../wallets/gateways/cv2.ts'
import { sandboxNotification } from '../../wallets/gateways/sandbox/notifications.ts'
import { applyNotification } from '../../wallets/notifications/notifications.ts'
import { requestRefund } from '../../wallets/refunds/refund.ts'
import { refundsOfDeposit } from '../../wallets/refunds/store.ts'
import { sweep } from '../../wallets/sweep/sweeper.ts'
import { requestWithdrawal } from '../../wallets/withdrawals/withdrawal.ts'
import { SANDBOX_KEY } from './customers.ts'
import { at } from './tips.ts'

type Order = { readonly key: string; readonly customer: number; readonly card: number; readonly amount: string }
type StoredMovement = Pick<Movement, 'kind'> & {
  readonly customer: number
  readonly bet: number
  readonly amount: string
}
/** A line of assets/sandbox/money.jsonl, in the order of time: `at` is in minutes after the midnight that begins the day. */
type Step = { readonly day: number; readonly at: number } & Partial<{
  readonly deposit: Order
  readonly withdrawal: Order
  readonly movements: readonly StoredMovement[]
  /** `deposit`: its key. */
  readonly refund: { readonly deposit: string; readonly amount: string; readonly reason: string }
  readonly dispute: { readonly deposit: string; readonly event: string }
  /** Captures deposits, sends refunds and payouts. */
  readonly sweep: true
}>
/** Deposits by their key. */
type Deposits = Map<string, DepositRow>

/** Every step can be repeated. Only with the sandbox's own bank: no gateway elsewhere gets payments that nobody made. */
export async function seedMoney(context: WalletsContext): Promise<void> {
  const { gateway, sandboxGatewayUrl } = context.config.wallets
  if (gateway !== 'sandbox' || sandboxGatewayUrl !== null) return
  const deposits: Deposits = new Map()
  const today = Math.floor(context.now() / DAY_MS) * DAY_MS
  for (const step of readAssetLines<Step>('sandbox/money.jsonl')) {
    await take(at(context, today + step.day * DAY_MS + step.at * MINUTE_MS), step, deposits)
  }
}

async function take(context: WalletsContext, step: Step, deposits: Deposits): Promise<void> {
  const { deposit, withdrawal, movements, refund, dispute, sweep } = step
  if (deposit !== undefined) deposits.set(deposit.key, await pay(context, deposit))
  if (movements !== undefined) await move(context, movements)
  if (refund !== undefined) await giveBack(context, { ...refund, id: idOf(deposits, refund.deposit) })
  if (dispute !== undefined) await notify(context, { ...dispute, id: idOf(deposits, dispute.deposit) })
  if (sweep) await sweepAll(context)
  if (withdrawal !== undefined)
    await requestWithdrawal(context, { ...orderOf(withdrawal), idempotencyKey: withdrawal.key })
}

function orderOf({ customer, card, amount }: Order) {
  return { customerId: customer, methodId: card, amount: pence(amount), apiKey: SANDBOX_KEY }
}

/** Twice, because a start that was killed may have claimed jobs for some minutes. */
async function sweepAll(context: WalletsContext): Promise<void> {
  await sweep(context)
  await sweep(at(context, context.now() + HOUR_MS))
}

/** A start that was killed may have left one undecided: it is voided, and made again. */
async function pay(context: WalletsContext, order: Order): Promise<DepositRow> {
  const make = async (idempotencyKey: string) =>
    (await makeDeposit(context, { ...orderOf(order), idempotencyKey }, parseCv2('123') as Cv2)).deposit
  try {
    return await make(order.key)
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    await sweep(at(context, context.now() + DAY_MS))
    return make(`${order.key}-again`)
  }
}

async function move({ config, database, now }: WalletsContext, stored: readonly StoredMovement[]): Promise<void> {
  const movements = stored.map(({ customer, bet, kind, amount }) => ({
    ...{ reference: `history-${kind}-${bet}`, customerId: customer, betId: bet, kind, amount: pence(amount) },
  }))
  const results = await database.transaction((tx) => applyMovements(tx, movements, { config, now, by: null }))
  const refused = results.find((result) => result instanceof Refused)
  if (refused !== undefined) throw refused
}

type Refund = { id: string; amount: string; reason: string }

async function giveBack(context: WalletsContext, { id, amount, reason }: Refund): Promise<void> {
  if ((await context.database.query(refundsOfDeposit, { depositId: id })).length > 0) return
  const by = { name: 'sandbox', person: 'sandbox' }
  await requestRefund(context, { paymentId: id, amount: pence(amount), reason, by })
}

async function notify(context: WalletsContext, { id, event }: { id: string; event: string }): Promise<void> {
  const { amount, currency } = (await context.database.one(depositById, { id })) as DepositRow
  const notification = { reference: id, event, amount: BigInt(amount), currency }
  await applyNotification(context, 'sandbox', sandboxNotification(notification, context.now()))
}

function idOf(deposits: Deposits, key: string): string {
  return (deposits.get(key) as DepositRow).id
}

function pence(amount: string): bigint {
  return parseMoney(amount) as bigint
}
