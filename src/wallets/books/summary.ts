import type { CustomerRow } from '../../identity/customers/store.ts'
import { isoTime } from '../../platform/runtime/iso-time.ts'
import { formatMoney } from '../../platform/runtime/money.ts'
import { balancesOf } from '../account/ledger.ts'
import type { WalletsContext } from '../context.ts'
import { dailyLimit, depositorFault } from '../deposits/rules.ts'
import { depositedOn } from '../limits/deposit-facts-store.ts'
import { readLimits } from '../limits/limits.ts'
import { dayOf } from '../periods.ts'

/** A customer's money as the operator API shows it. */
export async function walletSummary(context: WalletsContext, customer: CustomerRow) {
  const { database, config, now } = context
  const limit = dailyLimit(customer, config.wallets.dailyDepositLimit)
  const today = await database.one(depositedOn, {
    customerId: customer.id,
    day: dayOf(now()),
    currency: customer.currency,
  })
  const used = BigInt(today?.used ?? '0')
  const mayDeposit = depositorFault(context, customer) === null
  const { balance, debt } = await balancesOf(database, customer.id, customer.currency)
  const { limits } = await readLimits(context, customer.id)
  return {
    balance: formatMoney(balance),
    debt: formatMoney(debt),
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
