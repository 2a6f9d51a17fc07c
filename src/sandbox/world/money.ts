import { Fault } from '../../faults.ts'
import { DAY_MS } from '../../platform/runtime/durations.ts'
import { Refused } from '../../platform/runtime/refused.ts'
import type { WalletsContext } from '../../wallets/context.ts'
import { type Cv2, parseCv2 } from '../../wallets/cv2.ts'
import { makeDeposit } from '../../wallets/deposit.ts'
import { sandboxNotification } from '../../wallets/gateways/sandbox/notifications.ts'
import { applyMovements, type Movement } from '../../wallets/movements.ts'
import { applyNotification } from '../../wallets/notifications.ts'
import { requestRefund } from '../../wallets/refund.ts'
import { refundsOfDeposit } from '../../wallets/refund-store.ts'
import { type DepositRow, depositById } from '../../wallets/store.ts'
import { sweep } from '../../wallets/sweeper.ts'
import { requestWithdrawal } from '../../wallets/withdrawal.ts'
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
  else if (step.kind === 'sweep') await sweep(context)
  else await requestWithdrawal(context, { ...step.order, apiKey: SANDBOX_KEY, idempotencyKey: step.order.key })
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

async function move({ database, now }: WalletsContext, movements: readonly Movement[]): Promise<void> {
  const results = await database.transaction((tx) => applyMovements(tx, movements, now))
  const refused = results.find((result) => result instanceof Refused)
  if (refused !== undefined) throw refused
}

async function refund(context: WalletsContext, { id, amount, reason }: { id: string; amount: bigint; reason: string }) {
  if ((await context.database.query(refundsOfDeposit, { depositId: id })).length > 0) return
  await requestRefund(context, { paymentId: id, amount, reason, by: 'sandbox' })
}

async function dispute(context: WalletsContext, { id, event }: { id: string; event: string }): Promise<void> {
  const { amount, currency } = (await context.database.one(depositById, { id })) as DepositRow
  const told = { paymentId: id, event, amount: BigInt(amount), currency, refundReference: null }
  await applyNotification(context, 'sandbox', sandboxNotification(told, context.now()))
}

function idOf(deposits: Deposits, key: string): string {
  return (deposits.get(key) as DepositRow).id
}
