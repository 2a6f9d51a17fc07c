// A *withdrawal* moves money from the customer's account to one of their cards. The amount leaves the account when it is
// requested; it is approved by the rule or by two operators, and a job pays it out. docs/withdrawals.md has the states.

import { Fault } from '../faults.ts'
import type { Database } from '../platform/database/database.ts'
import { DAY_MS } from '../platform/runtime/durations.ts'
import { formatMoney } from '../platform/runtime/money.ts'
import { type Option, optionsOf } from './closed-loop.ts'
import * as loop from './closed-loop-store.ts'
import type { WalletsContext } from './context.ts'
import { type DepositorRow, lockDepositor } from './deposit-facts-store.ts'
import { walletFault } from './faults.ts'
import { balanceOf, transfer } from './ledger.ts'
import { referenceOf } from './payment-reference.ts'
import type { WithdrawalRow } from './withdrawal-store.ts'
import * as sql from './withdrawal-store.ts'
import { approveByRule, ledgerTerms, reportWithdrawal } from './withdrawal-transitions.ts'

/** What the customer reads while operators look at it. */
export const WAITS_FOR_APPROVAL = 'We check this withdrawal before we send it.'

type Terms = { readonly customerId: number; readonly methodId: number; readonly amount: bigint }
type Requester = { readonly apiKey: string } | { readonly by: string }

/** `by`: the operator who requests it for the customer. */
export type WithdrawalOrder = Terms & { readonly idempotencyKey: string | null } & Requester

type Requested = { readonly replayed: boolean; readonly withdrawal: WithdrawalRow }

/** Throws the fault of the first rule that the order breaks. */
export async function requestWithdrawal(context: WalletsContext, order: WithdrawalOrder): Promise<Requested> {
  const reference =
    'by' in order
      ? referenceOf({ ...order, apiKey: order.by }, 'withdrawal by an operator')
      : referenceOf(order, 'withdrawal')
  const requested = await context.database.transaction((tx) => requestIn(tx, context, { ...order, reference }))
  if (!requested.replayed) {
    context.metrics.count('paddock_withdrawals_total', `state="${requested.withdrawal.state}"`)
  }
  return requested
}

async function requestIn(
  tx: Database,
  context: WalletsContext,
  order: WithdrawalOrder & { reference: string },
): Promise<Requested> {
  const { customerId, amount, methodId } = order
  const customer = (await tx.one(lockDepositor, { customerId })) as DepositorRow
  const earlier = order.idempotencyKey === null ? undefined : await earlierOf(tx, order)
  if (earlier !== undefined) return { replayed: true, withdrawal: earlier }
  const now = context.now()
  const facts = await readFacts(tx, context, customer, now)
  const fault = faultOf(facts, order)
  if (fault !== null) throw walletFault(fault)
  const byRule = !('by' in order) && isApprovedByRule(context, customer, facts.today + amount)
  const withdrawal = (await tx.one(sql.insertWithdrawal, {
    reference: order.reference,
    customerId,
    apiKey: 'by' in order ? null : order.apiKey,
    idempotencyKey: order.idempotencyKey,
    methodId,
    gateway: context.gateways.current.name,
    amount,
    currency: customer.currency,
    approvals: byRule ? 0 : 2,
    requestedBy: 'by' in order ? order.by : null,
    holdReason: byRule ? null : WAITS_FOR_APPROVAL,
    now,
  })) as WithdrawalRow
  await transfer(tx, [{ ...ledgerTerms(withdrawal), kind: 'withdrawal' }], now)
  await reportWithdrawal(tx, withdrawal, { event: 'requested', detail: 'by' in order ? order.by : '' }, now)
  if (!byRule) return { replayed: false, withdrawal }
  return { replayed: false, withdrawal: await approveByRule(tx, withdrawal, now) }
}

/** The same key with the same parameters gets the same withdrawal: its reference is derived from the key. */
async function earlierOf(
  tx: Database,
  { reference, amount, methodId }: Terms & { reference: string },
): Promise<WithdrawalRow | undefined> {
  const earlier = await tx.one(sql.withdrawalByReference, { reference })
  if (earlier === undefined) return undefined
  if (BigInt(earlier.amount) !== amount || earlier.payment_method_id !== methodId) {
    throw new Fault('walletInvalid', 'Idempotency-Key')
  }
  return earlier
}

type Facts = {
  readonly cards: readonly loop.LoopCardRow[]
  readonly balance: bigint
  readonly options: readonly Option[]
  readonly today: bigint
}

/** In statements of their own: they see what others committed while this one waited for the lock. */
async function readFacts(
  tx: Database,
  { gateways }: WalletsContext,
  { id: customerId, currency }: Pick<DepositorRow, 'id' | 'currency'>,
  now: number,
): Promise<Facts> {
  const cards = await tx.query(loop.loopCards, { customerId, currency })
  const since = now - (now % DAY_MS)
  const { uncaptured, today } = (await tx.one(loop.withdrawable, { customerId, currency, since })) as {
    uncaptured: string
    today: string
  }
  const balance = await balanceOf(tx, customerId, currency)
  // Without its settings for payouts the gateway pays nothing out.
  const available = gateways.current.paysOut ? balance - BigInt(uncaptured) : 0n
  return { cards, balance, options: optionsOf(cards, available, now), today: BigInt(today) }
}

function faultOf({ cards, balance, options }: Facts, { methodId, amount }: Terms) {
  if (!cards.some((card) => card.id === methodId && card.card_open === 1)) return 'methodInvalid'
  if (amount === 0n) return 'belowMinimum'
  if (amount > balance) return 'insufficientFunds'
  const max = options.find((option) => option.id === methodId)?.max ?? 0n
  return amount > max ? 'aboveMaximum' : null
}

/** `today`: with this withdrawal. Operators look at those of customers who may not play, whatever the amount. */
function isApprovedByRule({ config, now }: WalletsContext, customer: DepositorRow, today: bigint): boolean {
  const mayPlay = customer.status === 'active' && customer.verified === 1 && customer.play_from <= now()
  return mayPlay && today <= config.wallets.withdrawalApprovedUpTo
}

// ---- What customers read

export async function readOptions(context: WalletsContext, customerId: number): Promise<Option[]> {
  const { database } = context
  const customer = await database.one(sql.currencyOf, { customerId })
  if (customer === undefined) return []
  return [...(await readFacts(database, context, { id: customerId, ...customer }, context.now())).options]
}

/** The word for each state. */
export function statusOf({ state }: Pick<WithdrawalRow, 'state'>): string {
  return state.toLowerCase()
}

export function toWithdrawal(row: WithdrawalRow) {
  return {
    id: row.id,
    amount: formatMoney(BigInt(row.amount)),
    methodId: row.payment_method_id,
    status: statusOf(row),
    holdReason: row.hold_reason ?? undefined,
    createdDateTimeZoned: row.created_at,
  }
}

type Block = { readonly blockSize: number; readonly blockNum: number }

/** Newest first. null: the block is empty. */
export async function listOwnWithdrawals(
  { database }: WalletsContext,
  customerId: number,
  { blockSize, blockNum }: Block,
) {
  const page = { customerId, limit: blockSize, offset: blockNum * blockSize }
  const rows = await database.query(sql.ownWithdrawals, page)
  return rows.length === 0 ? null : { withdrawals: rows.map(toWithdrawal) }
}

/** That of somebody else is unknown. */
export async function readOwnWithdrawal({ database }: WalletsContext, customerId: number, id: number) {
  const row = await database.one(sql.withdrawalById, { id })
  if (row?.customer_id !== customerId) throw new Fault('walletInvalid', 'id')
  return { withdrawal: toWithdrawal(row) }
}
