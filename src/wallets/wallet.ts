import type { Context } from '../context.ts'
import { dailyLimit, dayOf } from './deposit.ts'
import { balanceOf } from './ledger.ts'
import { formatMoney } from './money.ts'
import { depositedOn } from './store.ts'

/** What an operator sees of a customer's money. */
export async function walletOf(
  { database, config, now }: Context,
  customer: { id: number; currency: string; daily_deposit_limit: string | null },
) {
  const limit = dailyLimit(customer, config.wallets.dailyDepositLimit)
  const today = await database.one(depositedOn, [customer.id, dayOf(now())])
  const used = BigInt(today?.used ?? '0')
  return {
    balance: formatMoney(await balanceOf(database, customer.id, customer.currency)),
    depositedToday: formatMoney(used),
    dailyDepositLimitInForce: formatMoney(limit),
    depositableToday: formatMoney(used < limit ? limit - used : 0n),
  }
}
