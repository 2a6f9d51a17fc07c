import type { CustomerRow } from '../identity/customers/store.ts'
import { isoTime } from '../platform/runtime/iso-time.ts'
import { formatMoney } from '../platform/runtime/money.ts'
import type { WalletsContext } from './context.ts'
import { depositedOn } from './deposit-facts-store.ts'
import { dailyLimit, depositorFault } from './deposit-rules.ts'
import { balanceOf } from './ledger.ts'
import { dayOf } from './limit-periods.ts'
import { readLimits } from './limits.ts'

/** A customer's money as the operator API shows it. */
export async function walletSummary(context: WalletsContext, customer: CustomerRow) {
  const { database, config, now } = context
  const limit = dailyLimit(customer, config.wallets.dailyDepositLimit)
  const today = await database.one(depositedOn, { customerId: customer.id, day: dayOf(now()) })
  const used = BigInt(today?.used ?? '0')
  const mayDeposit = depositorFault(context, customer) === null
  const { limits } = await readLimits(context, customer.id)
  return {
    balance: formatMoney(await balanceOf(database, customer.id, customer.currency)),
    depositedToday: formatMoney(used),
    dailyDepositLimitInForce: formatMoney(limit),
    depositableToday: formatMoney(mayDeposit && used < limit ? limit - used : 0n),
    limits: limits.map(({ pending, resets, ...limit }) => ({
      ...limit,
      resets: isoTime(resets),
      pending:
        pending === undefined
          ? null
          : { amount: pending.amount ?? null, notBefore: isoTime(pending.notBefore), lapses: isoTime(pending.lapses) },
    })),
  }
}
