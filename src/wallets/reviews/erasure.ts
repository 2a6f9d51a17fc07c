// Nobody vanishes with money: what stands in the way of erasing a customer's personal data.

import type { Context } from '../../platform/context.ts'
import type { Database } from '../../platform/database/database.ts'
import { formatMoney } from '../../platform/runtime/money.ts'
import { accountsWithMoney, standingOf } from './store.ts'

/** What stands in the way, in words; empty: nothing. The customer is locked. */
export async function inTheWayOfErasure({ config, now }: Context, tx: Database, customerId: number): Promise<string[]> {
  const paidSince = now() - config.wallets.paidIsFinalAfterMs
  const standing = await tx.one(standingOf, { customerId, paidSince })
  if (standing === undefined) return []
  const accounts = await tx.query(accountsWithMoney, { customerId })
  const days = Math.round(config.wallets.paidIsFinalAfterMs / 86_400_000)
  const counted = (count: number, one: string, many: string) =>
    Number(count) === 0 ? [] : [`${count} ${Number(count) === 1 ? one : many}`]
  return [
    ...accounts.map(({ kind, currency, balance }) => {
      const [name, amount] = kind === 'debt' ? ['debt', -BigInt(balance)] : ['balance', BigInt(balance)]
      return `a ${name} of ${formatMoney(amount as bigint)} ${currency}`
    }),
    ...counted(standing.deposits, 'deposit that is not final', 'deposits that are not final'),
    ...counted(standing.refunds, 'refund that is not final', 'refunds that are not final'),
    ...counted(
      standing.withdrawals,
      'part of a withdrawal that is not final',
      'parts of withdrawals that are not final',
    ),
    ...counted(standing.disputes, 'open dispute', 'open disputes'),
    ...counted(standing.contradictions, 'unapplied notification', 'unapplied notifications'),
    ...counted(
      standing.recent,
      `payment to a card that is final only after ${days} days`,
      `payments to cards that are final only after ${days} days`,
    ),
  ]
}
