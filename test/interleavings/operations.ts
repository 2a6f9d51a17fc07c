// The operations that are played against each other, as the API's handlers call them. Each returns its answer in words.

import type { Actor } from '../../src/identity/operators/person.ts'
import { DAY_MS } from '../../src/platform/runtime/durations.ts'
import { Refused } from '../../src/platform/runtime/refused.ts'
import { applyMovements, type Movement } from '../../src/wallets/account/movements.ts'
import type { NewMethod } from '../../src/wallets/cards/store.ts'
import type { WalletsContext } from '../../src/wallets/context.ts'
import { type DepositOrder, makeDeposit } from '../../src/wallets/deposits/deposit.ts'
import { type Cv2, parseCv2 } from '../../src/wallets/gateways/cv2.ts'
import type { GatewayNotification } from '../../src/wallets/gateways/gateway.ts'
import { applyNotification } from '../../src/wallets/notifications/notifications.ts'
import { approveRefund, type RefundOrder, refuseApproval, requestRefund } from '../../src/wallets/refunds/refund.ts'
import {
  type CardOf,
  closeCard,
  recordClosedAccount,
  registerCard,
  removeCard,
} from '../../src/wallets/reviews/cards.ts'
import { writeOffDebt } from '../../src/wallets/reviews/debts.ts'
import { type Resolution, resolveDeposit } from '../../src/wallets/reviews/deposits.ts'
import { endDisputeByPersons } from '../../src/wallets/reviews/disputes.ts'
import { excludeCustomer } from '../../src/wallets/reviews/exclusions.ts'
import { resolveRefund } from '../../src/wallets/reviews/refunds.ts'
import { resolveWithdrawal } from '../../src/wallets/reviews/withdrawals.ts'
import { sweep } from '../../src/wallets/sweep/sweeper.ts'
import {
  approveWithdrawal,
  holdWithdrawal,
  refuseWithdrawal,
  releaseWithdrawal,
} from '../../src/wallets/withdrawals/decisions.ts'
import { type OutsideOrder, recordOutsidePayment } from '../../src/wallets/withdrawals/outside.ts'
import { requestWithdrawal, type WithdrawalOrder } from '../../src/wallets/withdrawals/withdrawal.ts'

type By = { readonly by: Actor }
type Numbered = { readonly id: number } & By

export const operations = {
  async deposit(context: WalletsContext, order: DepositOrder) {
    const { replayed, deposit } = await makeDeposit(context, order, parseCv2('123') as Cv2)
    return `${replayed ? 'again ' : ''}${deposit.fault ?? deposit.state}`
  },
  async withdraw(context: WalletsContext, order: WithdrawalOrder) {
    const { replayed, withdrawal } = await requestWithdrawal(context, order)
    return `${replayed ? 'again ' : ''}${withdrawal.state}`
  },
  approve: async (context: WalletsContext, { id, by }: Numbered) => (await approveWithdrawal(context, id, by)).state,
  hold: async (context: WalletsContext, { id, by }: Numbered) =>
    (await holdWithdrawal(context, id, { reason: 'wait', by })).state,
  release: async (context: WalletsContext, { id, by }: Numbered) => (await releaseWithdrawal(context, id, by)).state,
  refuse: async (context: WalletsContext, { id, by }: Numbered) =>
    (await refuseWithdrawal(context, id, { reason: 'no', by })).state,
  async resolveWithdrawal(context: WalletsContext, { id, by, outcome }: Numbered & { outcome: 'paid' | 'returned' }) {
    const resolved = await resolveWithdrawal(context, id, { outcome, note: 'looked up', by, partId: null })
    return resolved.withdrawal.state
  },
  async payOutside(context: WalletsContext, order: OutsideOrder) {
    return (await recordOutsidePayment(context, order))?.state ?? 'proposed'
  },
  refund: async (context: WalletsContext, order: RefundOrder) => (await requestRefund(context, order)).refund.state,
  approveRefund: async (context: WalletsContext, { id, by }: Numbered) => (await approveRefund(context, id, by)).state,
  refuseRefund: async (context: WalletsContext, { id }: Numbered) => (await refuseApproval(context, id, 'no')).state,
  async resolveRefund(context: WalletsContext, { id, by, outcome }: Numbered & { outcome: 'done' | 'failed' }) {
    return (await resolveRefund(context, id, { outcome, note: 'looked up', by })).refund.state
  },
  async resolveDeposit(context: WalletsContext, { id, ...resolution }: { readonly id: string } & Resolution) {
    const resolved = await resolveDeposit(context, id, resolution)
    return typeof resolved === 'string' ? resolved : resolved.fault
  },
  async endDispute(context: WalletsContext, { id, by }: Numbered) {
    const { isProposed } = await endDisputeByPersons(context, id, { note: 'no news', by })
    return isProposed ? 'proposed' : 'ended'
  },
  async notify(context: WalletsContext, notification: GatewayNotification) {
    await applyNotification(context, 'sandbox', notification)
    return 'accepted'
  },
  async move(context: WalletsContext, { movements }: { readonly movements: readonly Movement[] }) {
    const { config, now } = context
    const results = await context.database.transaction((tx) => applyMovements(tx, movements, { config, now, by: null }))
    return results.map((one) => (one instanceof Refused ? one.message : `${one.outcome} ${one.balance}`)).join(', ')
  },
  closeCard: async (context: WalletsContext, card: CardOf) => `${await closeCard(context, card)}`,
  removeCard: async (context: WalletsContext, card: CardOf) => `${await removeCard(context, card)}`,
  closeAccount: (context: WalletsContext, { by, ...card }: CardOf & By) =>
    recordClosedAccount(context, card, { note: 'a letter of the bank', by }),
  async registerCard(context: WalletsContext, { by, method, ...card }: CardOf & By & { readonly method: NewMethod }) {
    const registered = await registerCard(context, card, method, by)
    return typeof registered === 'string' ? registered : 'proposed'
  },
  writeOff: (context: WalletsContext, order: { readonly customerId: number; readonly amount: bigint } & By) =>
    writeOffDebt(context, { ...order, note: 'agreed' }),
  async exclude(context: WalletsContext, { customerId, days }: { readonly customerId: number; readonly days: number }) {
    await excludeCustomer(context, customerId, 'time-out', (now) => now + days * DAY_MS)
    return 'excluded'
  },
  async sweep(context: WalletsContext, _: Record<never, never>) {
    await sweep(context)
    return 'swept'
  },
} as const satisfies Record<string, (context: WalletsContext, order: never) => Promise<string>>

type Operations = typeof operations

/** One of them with what it is called with. */
export type Operation = {
  readonly [Name in keyof Operations]: { readonly name: Name; readonly order: Parameters<Operations[Name]>[1] }
}[keyof Operations]

export function play({ name, order }: Operation, context: WalletsContext): Promise<string> {
  return operations[name](context, order as never)
}
