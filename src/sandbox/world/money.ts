import { Fault } from '../../faults.ts'
import { DAY_MS, HOUR_MS } from '../../platform/runtime/durations.ts'
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
import { at } from './communities.ts'
import { SANDBOX_KEY } from './customers.ts'
import { type MoneyStep, moneyPlan } from './money-plan.ts'
import { pastTips } from './tipsters.ts'

/** Deposits by their key. */
type Deposits = Map<string, DepositRow>

/** Every step can be repeated. Only with the sandbox's own bank: no gateway elsewhere gets payments that nobody made. */
export async function seedMoney(context: WalletsContext): Promise<void> {
  const { gateway, sandboxGatewayUrl } = context.config.wallets
  if (gateway !== 'sandbox' || sandboxGatewayUrl !== null) return
  const deposits: Deposits = new Map()
  for (const step of moneyPlan(pastTips(context.now(), true), context.now())) {
    await take(at(context, step.at), step, deposits)
  }
}

async function take(context: WalletsContext, step: MoneyStep, deposits: Deposits): Promise<void> {
  if (step.kind === 'deposit') deposits.set(step.order.key, await deposit(context, step.order))
  else if (step.kind === 'movements') await move(context, step.movements)
  else if (step.kind === 'refund') await refund(context, { ...step, id: idOf(deposits, step.depositKey) })
  else if (step.kind === 'dispute') await dispute(context, { ...step, id: idOf(deposits, step.depositKey) })
  else if (step.kind === 'sweep') await sweepAll(context)
  else await requestWithdrawal(context, { ...step.order, apiKey: SANDBOX_KEY, idempotencyKey: step.order.key })
}

/** Twice, because a start that was killed may have claimed jobs for some minutes. */
async function sweepAll(context: WalletsContext): Promise<void> {
  await sweep(context)
  await sweep(at(context, context.now() + HOUR_MS))
}

type Order = Extract<MoneyStep, { kind: 'deposit' | 'withdrawal' }>['order']

/** A start that was killed may have left one undecided: it is voided, and made again. */
async function deposit(context: WalletsContext, order: Order): Promise<DepositRow> {
  const make = async (idempotencyKey: string) =>
    (await makeDeposit(context, { ...order, apiKey: SANDBOX_KEY, idempotencyKey }, parseCv2('123') as Cv2)).deposit
  try {
    return await make(order.key)
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    await sweep(at(context, context.now() + DAY_MS))
    return make(`${order.key}-again`)
  }
}

async function move({ config, database, now }: WalletsContext, movements: readonly Movement[]): Promise<void> {
  const results = await database.transaction((tx) => applyMovements(tx, movements, { config, now, by: null }))
  const refused = results.find((result) => result instanceof Refused)
  if (refused !== undefined) throw refused
}

async function refund(context: WalletsContext, { id, amount, reason }: { id: string; amount: bigint; reason: string }) {
  if ((await context.database.query(refundsOfDeposit, { depositId: id })).length > 0) return
  await requestRefund(context, { paymentId: id, amount, reason, by: { name: 'sandbox', person: 'sandbox' } })
}

async function dispute(context: WalletsContext, { id, event }: { id: string; event: string }): Promise<void> {
  const { amount, currency } = (await context.database.one(depositById, { id })) as DepositRow
  const told = { reference: id, event, amount: BigInt(amount), currency }
  await applyNotification(context, 'sandbox', sandboxNotification(told, context.now()))
}

function idOf(deposits: Deposits, key: string): string {
  return (deposits.get(key) as DepositRow).id
}
