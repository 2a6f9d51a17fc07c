import type { CustomerRow } from '../identity/customers/store.ts'
import { formatMoney } from '../platform/runtime/money.ts'
import type { WalletsContext } from './context.ts'
import { depositedOn } from './deposit-facts-store.ts'
import { dailyLimit, depositorFault } from './deposit-rules.ts'
import { balanceOf } from './ledger.ts'
import { dayOf } from './limit-periods.ts'

/** A customer's money as the operator API shows it. */
export async function walletSummary({ database, config, now }: WalletsContext, customer: CustomerRow) {
  const limit = dailyLimit(customer, config.wallets.dailyDepositLimit)
  const today = await database.one(depositedOn, { customerId: customer.id, day: dayOf(now()) })
  const used = BigInt(today?.used ?? '0')
  const mayDeposit = depositorFault(customer, config.wallets.fundsStatementVersion) === null
  return {
    balance: formatMoney(await balanceOf(database, customer.id, customer.currency)),
    depositedToday: formatMoney(used),
    dailyDepositLimitInForce: formatMoney(limit),
    depositableToday: formatMoney(mayDeposit && used < limit ? limit - used : 0n),
  }
}
