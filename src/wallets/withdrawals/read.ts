// What customers read of their withdrawals.

import { Fault } from '../../faults.ts'
import type { Database } from '../../platform/database/database.ts'
import { idListOf } from '../../platform/database/row-list-store.ts'
import { formatMoney } from '../../platform/runtime/money.ts'
import type { WalletsContext } from '../context.ts'
import type { Funds } from '../refunds/claims.ts'
import { type Option, optionsOf } from './closed-loop.ts'
import { nowhereReason } from './option-reasons.ts'
import { type PartRow, partsOf, partsOfAll } from './part-store.ts'
import type { WithdrawalRow } from './store.ts'
import * as sql from './store.ts'
import { readLoopFacts } from './withdrawal.ts'

export type Options = { readonly funds: Funds; readonly options: readonly Option[] }

/** Open cards, and all others that can take something. undefined: no such customer. */
export async function readOptions(context: WalletsContext, customerId: number): Promise<Options | undefined> {
  const { database } = context
  const customer = await database.one(sql.currencyOf, { customerId })
  if (customer === undefined) return undefined
  const facts = await readLoopFacts(database, context, { id: customerId, ...customer })
  const isShown = ({ card, max }: Option) => max > 0n || (card.removed_at === null && card.closed_at === null)
  return { funds: facts.funds, options: optionsOf(facts).filter(isShown) }
}

export function toOptions({ funds, options }: Options) {
  return {
    available: formatMoney(funds.available),
    reason: nowhereReason(funds, options) ?? undefined,
    keptBack: funds.keptBack.map(({ amount, reason }) => ({ amount: formatMoney(amount), reason })),
    options: options.map(({ card, max, returns, freed, winnings, reason }) => ({
      id: card.id,
      number: card.card_number,
      max: formatMoney(max),
      returns: formatMoney(returns),
      freed: formatMoney(freed),
      winnings: formatMoney(winnings),
      reason: reason ?? undefined,
    })),
  }
}

export function toWithdrawal(row: WithdrawalRow, parts: readonly PartRow[]) {
  const sum = (column: 'paid' | 'returned') =>
    formatMoney(parts.reduce((total, part) => total + BigInt(part[column]), 0n))
  return {
    id: row.id,
    amount: formatMoney(BigInt(row.amount)),
    methodId: row.payment_method_id ?? undefined,
    status: row.state.toLowerCase(),
    paid: sum('paid'),
    returned: sum('returned'),
    holdReason: row.hold_reason ?? undefined,
    createdDateTimeZoned: row.created_at,
    part: parts.map((part) => ({
      amount: formatMoney(BigInt(part.amount)),
      kind: part.kind,
      status: part.state.toLowerCase(),
      paymentId: part.deposit_id ?? undefined,
    })),
  }
}

/** By withdrawal. */
export async function readParts(
  database: Database,
  withdrawals: readonly { readonly id: number }[],
): Promise<(id: number) => PartRow[]> {
  const parts =
    withdrawals.length === 0 ? [] : await database.query(partsOfAll, { ids: idListOf(withdrawals.map(({ id }) => id)) })
  return (id) => parts.filter(({ withdrawal_id }) => withdrawal_id === id)
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
  const partsOfRow = await readParts(database, rows)
  return rows.length === 0 ? null : { withdrawals: rows.map((row) => toWithdrawal(row, partsOfRow(row.id))) }
}

/** Another customer's withdrawal is reported as not found. */
export async function readOwnWithdrawal({ database }: WalletsContext, customerId: number, id: number) {
  const row = await database.one(sql.withdrawalById, { id })
  if (row?.customer_id !== customerId) throw new Fault('walletInvalid', 'id')
  return { withdrawal: toWithdrawal(row, await database.query(partsOf, { withdrawalId: id })) }
}
